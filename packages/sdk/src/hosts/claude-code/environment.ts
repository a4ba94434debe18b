/** What Claude Code puts into the environment of its hooks and of its agent's commands. */
import type { Environment, HostEnvironment } from "../host.js";

export const PLUGIN_ROOT = "CLAUDE_PLUGIN_ROOT";
/** As in `claude-code_2-1-197_harness`: of hooks; the agent's commands have `agent` at its end. */
export const HOST_NAME = "AI_AGENT";

export const environment: HostEnvironment = {
  isActive: (env) =>
    ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "AGENT_SESSION_ID", "CLAUDE_SESSION_ID", "CLAUDE_ENV_FILE"].some((name) =>
      Boolean(env[name]),
    ) || (env[HOST_NAME] ?? "").startsWith("claude-code"),
  sessionVariables: ["CLAUDE_CODE_SESSION_ID", "AGENT_SESSION_ID", "CLAUDE_SESSION_ID"],
  projectVariable: "CLAUDE_PROJECT_DIR",
  pluginVariable: PLUGIN_ROOT,
  nameVariable: HOST_NAME,
  agentMarks: /^CLAUDECODE$/u,
  ownVariables: /^(?:CLAUDECODE|CLAUDE_.*)$/u,
  sessionMarks:
    /^(?:CLAUDECODE|CLAUDE_(?:SESSION_ID|ENV_FILE|PROJECT_DIR|PLUGIN_\w+|PID|EFFORT)|CLAUDE_CODE_(?:SESSION_\w+|CHILD_SESSION|ENTRYPOINT))$/u,
  programs: { names: ["claude"], path: /\/(?:@anthropic-ai\/claude-code|claude\/versions)\// },
  isUnattended,
  toolShell: /\/shell-snapshots\/snapshot-|&& pwd -P >\| /u,
  // `claude -p` does not offer AskUserQuestion.
  isHeadless: (env) => env["CLAUDE_CODE_ENTRYPOINT"] === "sdk-cli",
  isGivenByAgent: (env) => /^claude-code[_/].+[_/]agent$/u.test(env[HOST_NAME] ?? ""),
};

/** Other programs that embed it say so in its entrypoint. */
function isUnattended(argv: readonly string[], env: Environment): boolean {
  const isPrinting = argv.some((word) => word === "--print" || (word.includes("p") && /^-[a-zA-Z]+$/u.test(word)));
  return (
    isPrinting || (env["CLAUDE_CODE_ENTRYPOINT"] ?? "").startsWith("sdk") || env["CLAUDE_CODE_SESSION_ATTENDED"] === "0"
  );
}

/** The version in the host's name for itself. */
export function versionIn(name: string | null | undefined): string | undefined {
  const found = /^claude-code_(\d+)-(\d+)-(\d+)/u.exec(name ?? "");
  return found === null ? undefined : found.slice(1).join(".");
}
