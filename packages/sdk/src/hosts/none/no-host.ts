/** No host at all: every turn may end, and there is nothing to say. */
import type { AgentHost } from "../host.js";

export const noHost: AgentHost = {
  name: "null",
  environment: { isActive: () => true, sessionVariables: [] },
  limits: () => ({}),
  parse: () => ({ valid: false, subagent: false, background: 0 }),
  render: () => ({}),
};
