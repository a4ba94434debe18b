/** No host at all: every turn may end, and there is nothing to say. */
import type { HarnessAdapter } from "./harness-adapter.js";

export const noHost: HarnessAdapter = {
  name: "null",
  sessionVariables: [],
  isActive: () => true,
  limits: () => ({}),
  parse: () => ({ valid: false, subagent: false, background: 0 }),
  render: () => ({}),
};
