/** Claude Code, as far as every call of a hook needs it; the rest is in parts.ts. */
import type { AgentHost } from "../host.js";
import { environment } from "./environment.js";
import { parse } from "./hook-input.js";
import { render } from "./hook-output.js";
import { limits } from "./limits.js";
import { words } from "./words.js";

export const claudeCode: AgentHost = {
  name: "claude-code",
  environment,
  words,
  wakeExitCode: 2,
  limits,
  parse,
  render,
};
