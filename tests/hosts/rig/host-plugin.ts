/** A plugin with nothing but our hooks and our command line, in a folder of its own. */
import fs from "node:fs";
import path from "node:path";
import { CLI } from "../../fast/cli/command-line.js";

/** Events that we answer, by their names in `hook:run`. */
const ANSWERED = {
  Stop: "stop",
  SubagentStop: "subagent-stop",
  SessionStart: "session-start",
  SessionEnd: "session-end",
  UserPromptSubmit: "user-prompt-submit",
} as const;

/** Events that tests only want to see. Every supported version knows them. */
const SEEN = ["PreCompact", "PreToolUse", "SubagentStart"] as const;

export interface PluginOptions {
  /** Takes the place of our Stop hook: a command of a shell. */
  stopCommand?: string;
  /** Without it hooks are called as users have them, with nothing between. */
  record?: boolean;
}

/** Where the plugin is, and the file with everything that the host has said to its hooks. */
export interface HostPlugin {
  dir: string;
  payloads: string;
}

export function writePlugin(root: string, { stopCommand, record = true }: PluginOptions = {}): HostPlugin {
  const dir = path.join(root, "plugin");
  const payloads = path.join(root, "hook-payloads.jsonl");
  const node = quoted(process.execPath);
  const recorded = (command: string): string => (record ? `tee -a ${quoted(payloads)} | ${command}` : command);
  const answers = Object.entries(ANSWERED).map(([event, type]) => {
    const ours = `${node} ${quoted(CLI)} hook:run --hook-type ${type} --harness claude-code`;
    return [event, recorded(event === "Stop" ? (stopCommand ?? ours) : ours)] as const;
  });
  const seen = record ? SEEN.map((event) => [event, `cat >> ${quoted(payloads)}`] as const) : [];
  const hooks = Object.fromEntries(
    [...answers, ...seen].map(([event, command]) => [event, [{ hooks: [{ type: "command", command }] }]]),
  );
  write(dir, ".claude-plugin/plugin.json", JSON.stringify({ name: "babysitter", version: "0.0.0" }));
  write(dir, "hooks/hooks.json", JSON.stringify({ hooks }));
  // The host puts this folder on the PATH of the agent's commands.
  write(dir, "bin/babysitter", `#!/bin/sh\nexec ${node} ${quoted(CLI)} "$@"\n`);
  fs.chmodSync(path.join(dir, "bin/babysitter"), 0o755);
  return { dir, payloads };
}

function write(dir: string, name: string, text: string): void {
  const file = path.join(dir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
