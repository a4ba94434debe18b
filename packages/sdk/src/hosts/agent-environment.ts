/** Variables by which agent hosts mark the commands that their agents run. */
const MARKERS = ["CLAUDECODE", "AI_AGENT", "GEMINI_CLI", "CURSOR_AGENT"];
const MARKER_PREFIXES = ["CODEX_", "COPILOT_"];

/** True when an agent runs this command, so that nobody who types here may answer for a human. */
export function isAgentEnvironment(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some(
    (name) => MARKERS.includes(name) || MARKER_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
}

/**
 * True for a command that an agent of Claude Code has given. Its host marks hooks otherwise, so that an agent which
 * calls a hook by itself, in the name of host and person, is known by this.
 */
export function isGivenByAgent(env: Readonly<Record<string, string | undefined>>): boolean {
  return /^claude-code[_/].+[_/]agent$/u.test(env["AI_AGENT"] ?? "");
}

/** The environment without the marks of agents, for what a host hands on from its person. */
export function withoutAgentMarkers<E extends Readonly<Record<string, string | undefined>>>(env: E): E {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isAgentEnvironment({ [name]: "" }))) as E;
}
