/**
 * Marks in the environment that belong to no host with a room here: those of hosts that have none yet, which take them
 * along when they get one, and those that several hosts share.
 */

import type { ProgramMarks } from "./host.js";

/** By these a command knows that an agent has given it. */
export const FOREIGN_AGENT_MARKS = /^(?:AI_AGENT|GEMINI_CLI|CURSOR_AGENT|CODEX_.*|COPILOT_.*)$/u;

/** Programs of agents. An editor is none: people have terminals in it. */
export const FOREIGN_PROGRAMS: ProgramMarks = {
  names: "aider amp auggie cline codex copilot crush cursor-agent droid gemini goose kiro-cli opencode qwen".split(" "),
  path: /\/(?:@openai\/codex|@google\/gemini-cli|@github\/copilot|@sourcegraph\/amp|@qwen-code\/qwen-code|opencode-ai)\//u,
};

/** All that agents leave in the environment, as far as tools are known to look at it. */
export const FOREIGN_VARIABLES = /^(?:AI_AGENT|CODEX_.*|CURSOR_.*|GEMINI_CLI.*|OPENCODE.*|CLINE_.*|AIDER_.*)$/u;

/** About one session of whatever host. */
export const SHARED_SESSION_MARKS = /^(?:AI_AGENT|AGENT_SESSION_ID)$/u;

/** Hold the id of a session, the most reliable first. */
export const FOREIGN_SESSION_VARIABLES = [
  "CODEX_SESSION_ID",
  "CODEX_THREAD_ID",
  "GEMINI_SESSION_ID",
  "COPILOT_AGENT_SESSION_ID",
];
