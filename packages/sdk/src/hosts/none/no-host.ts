/** No host at all: every turn may end, and there is nothing to say. */
import type { AgentHost } from "../host.js";

export const noHost: AgentHost = {
  name: "null",
  sessionVariables: [],
  isActive: () => true,
  limits: () => ({}),
  parse: () => ({ valid: false, subagent: false, background: 0 }),
  render: () => ({}),
};
