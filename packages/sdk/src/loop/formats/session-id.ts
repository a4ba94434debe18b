/** The id that an agent host gives to a session. It becomes the name of a file, so it is checked first. */

const SAFE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Where hosts say which session it is, the most reliable first. */
const VARIABLES = [
  "CLAUDE_CODE_SESSION_ID",
  "AGENT_SESSION_ID",
  "CLAUDE_SESSION_ID",
  "CODEX_SESSION_ID",
  "CODEX_THREAD_ID",
  "GEMINI_SESSION_ID",
  "COPILOT_AGENT_SESSION_ID",
] as const;

/** The id, or undefined for anything that is none. */
export function parseSessionId(value: unknown): string | undefined {
  return typeof value === "string" && SAFE_ID.test(value) && !value.includes("..") ? value : undefined;
}

/**
 * The session of an environment. The first variable that says anything decides: when that is no id, another
 * variable may belong to another session.
 */
export function sessionIdFrom(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return parseSessionId(VARIABLES.map((name) => env[name]).find((value) => value !== undefined && value !== ""));
}
