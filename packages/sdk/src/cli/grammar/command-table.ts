/** Every command: help, reference page, completion and parsing are made from this table. */
import { BREAKPOINT_COMMANDS } from "./breakpoint-commands.js";
import { type CommandSpec, flag, type OptionSpec } from "./command-spec.js";
import { HOOK_COMMANDS } from "./hook-commands.js";
import { LOOP_COMMANDS, RUN_CONTROL_COMMANDS } from "./loop-commands.js";
import { RUN_COMMANDS } from "./run-commands.js";
import { SESSION_COMMANDS } from "./session-commands.js";
import { TASK_COMMANDS } from "./task-commands.js";

export type { CommandSpec, OptionSpec } from "./command-spec.js";

export const GLOBAL_OPTIONS: Record<string, OptionSpec> = {
  "runs-dir": {
    type: "string",
    value: "dir",
    help: "Where runs live (default: .a5c/runs of the project; env RUNS_DIR).",
  },
  json: { type: "boolean", help: "Print exactly one JSON document, errors included." },
  verbose: { type: "boolean", help: "Say more; on errors, show where they came from." },
  help: { type: "boolean", help: "Show help for the command." },
  version: { type: "boolean", help: "Print the version." },
};

export const COMMANDS: readonly CommandSpec[] = [
  ...RUN_COMMANDS,
  ...RUN_CONTROL_COMMANDS,
  ...TASK_COMMANDS,
  ...LOOP_COMMANDS,
  ...SESSION_COMMANDS,
  ...HOOK_COMMANDS,
  {
    name: "init",
    summary: "Set up a project: settings, an example process, types for editors.",
    positionals: [],
    options: { "track-runs": flag("Let git track the journals of runs (not logs, state, blobs).") },
    details:
      "Makes what is missing and overwrites nothing; once everything is there it changes nothing. The project is the folder with .a5c, the git repository, or the current folder, as babysitter paths explains.",
    examples: ["babysitter init", "babysitter init --track-runs"],
  },
  {
    name: "config:show",
    summary: "Show the settings that count here.",
    positionals: [],
    options: { origin: flag("Also where each comes from, and what it has overruled.") },
    details:
      "Settings come from .a5c/config.json of the project, from ~/.config/babysitter/config.json, from the environment, and from the options of a command. Later ones count more, but of limits and approval rules the strictest counts.",
  },
  {
    name: "paths",
    summary: "Show where everything is on this machine.",
    positionals: [],
    options: {},
  },
  {
    name: "doctor",
    summary: "Check the chain from the agent host to the journal, and say how to mend what is broken.",
    positionals: [],
    options: {},
    details:
      "Looks at node, the host and its settings, the plugin, what the last session recorded, the folders and the log of the hooks. Exit 0 when it can work, 1 when something must be mended; warnings do not count.",
    examples: ["babysitter doctor", "babysitter doctor --json"],
  },
  ...BREAKPOINT_COMMANDS,
  {
    name: "completion",
    summary: "Print a completion script for bash, zsh or fish.",
    positionals: [{ name: "shell", help: "bash, zsh or fish." }],
    options: {},
    examples: ['eval "$(babysitter completion bash)"'],
  },
];

/** Commands of other versions and tools, and what to use instead. */
export const REPLACED_COMMANDS: Record<string, string> = {
  "run:continue": "run:iterate",
  "run:step": "run:iterate",
  "run:show": "run:status",
  "run:rebuild-state": "run:status (caches rebuild themselves)",
  "run:repair-journal": "run:repair",
  "task:run": "task:post (after executing the task yourself)",
  "task:complete": "task:post",
};
