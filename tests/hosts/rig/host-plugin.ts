/** The plugin of a session: one with nothing but our hooks and our command line, or the one that users get. */
import fs from "node:fs";
import path from "node:path";
import { CLI } from "../../fixtures/command-line.js";
import { PLUGIN } from "../../fixtures/plugin/plugin-copy.js";

/** Events that we answer, by their names in `hook:run`. */
const ANSWERED = {
  Stop: "stop",
  SubagentStop: "subagent-stop",
  SessionStart: "session-start",
  SessionEnd: "session-end",
  UserPromptSubmit: "user-prompt-submit",
} as const;

/** In a file of their own: an older host that does not know one of them leaves out the whole file. */
const ANSWERED_SINCE_LATELY = { UserPromptExpansion: "user-prompt-expansion" } as const;

/** What people can type. The hook does what they say; the text is for the agent. */
const SLASH_COMMANDS = ["babysit", "resume", "status", "pause", "cancel", "doctor"] as const;

/** Events that tests only want to see. Every supported version knows them. */
const SEEN = ["PreCompact", "PreToolUse", "SubagentStart"] as const;

export interface PluginOptions {
  /** Takes the place of our Stop hook: a command of a shell. */
  stopCommand?: string;
  /** Without it hooks are called as users have them, with nothing between. */
  record?: boolean;
  /** A copy of the plugin that users get, as it is; nothing of the above is for it. */
  shipped?: boolean;
}

/** Where the plugin is, and the file with everything that the host has said to its hooks. */
export interface HostPlugin {
  dir: string;
  payloads: string;
}

export function writePlugin(root: string, options: PluginOptions = {}): HostPlugin {
  const plugin = { dir: path.join(root, "plugin"), payloads: path.join(root, "hook-payloads.jsonl") };
  if (options.shipped === true) fs.cpSync(PLUGIN, plugin.dir, { recursive: true });
  else writeOwn(plugin, options);
  return plugin;
}

function writeOwn({ dir, payloads }: HostPlugin, { stopCommand, record = true }: PluginOptions): void {
  const node = quoted(process.execPath);
  // Beside ours and not before it: between the host and our hook nothing may stand.
  const recording = record ? [`cat >> ${quoted(payloads)}`] : [];
  const answering = (events: Readonly<Record<string, string>>): EventCommands[] =>
    Object.entries(events).map(([event, type]) => {
      const ours = `${node} ${quoted(CLI)} hook:run --hook-type ${type} --harness claude-code`;
      return [event, [event === "Stop" ? (stopCommand ?? ours) : ours, ...recording]];
    });
  const seen: EventCommands[] = record ? SEEN.map((event) => [event, recording]) : [];
  const manifest = { name: "babysitter", version: "0.0.0", hooks: ["./hooks/newer.json"] };
  write(dir, ".claude-plugin/plugin.json", JSON.stringify(manifest));
  write(dir, "hooks/hooks.json", hooksFile([...answering(ANSWERED), ...seen]));
  write(dir, "hooks/newer.json", hooksFile(answering(ANSWERED_SINCE_LATELY)));
  for (const name of SLASH_COMMANDS)
    write(dir, `commands/${name}.md`, `---\nname: ${name}\ndescription: ${name}\n---\n\nObey what Babysitter says.\n`);
  // The host puts this folder on the PATH of the agent's commands.
  write(dir, "bin/babysitter", `#!/bin/sh\nexec ${node} ${quoted(CLI)} "$@"\n`);
  fs.chmodSync(path.join(dir, "bin/babysitter"), 0o755);
}

type EventCommands = readonly [event: string, commands: readonly string[]];

function hooksFile(commands: readonly EventCommands[]): string {
  const hooks = commands.map(
    ([event, all]) => [event, [{ hooks: all.map((command) => ({ type: "command", command })) }]] as const,
  );
  return JSON.stringify({ hooks: Object.fromEntries(hooks) });
}

function write(dir: string, name: string, text: string): void {
  const file = path.join(dir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
