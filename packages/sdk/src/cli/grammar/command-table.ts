/** Every command: help, reference page, completion and parsing come from this table. */
import { BREAKPOINT_COMMANDS } from "./breakpoint-commands.js";
import { type CommandSpec, flag, isRunArgument } from "./command-spec.js";
import { HOOK_COMMANDS } from "./hook-commands.js";
import { LOOP_COMMANDS, RUN_CONTROL_COMMANDS } from "./loop-commands.js";
import { PROCESS_COMMANDS } from "./process-commands.js";
import { RUN_COMMANDS } from "./run-commands.js";
import { SESSION_COMMANDS } from "./session-commands.js";
import { TASK_COMMANDS } from "./task-commands.js";
import { UPKEEP_COMMANDS } from "./upkeep-commands.js";

const ROWS: readonly CommandSpec[] = [
  ...RUN_COMMANDS,
  ...UPKEEP_COMMANDS,
  ...RUN_CONTROL_COMMANDS,
  ...PROCESS_COMMANDS,
  ...TASK_COMMANDS,
  ...LOOP_COMMANDS,
  ...SESSION_COMMANDS,
  ...HOOK_COMMANDS,
  {
    name: "init",
    summary: "Set up a project: settings, an example process, editor types.",
    positionals: [],
    options: {
      ts: flag("Write the example and the editor settings for TypeScript."),
      "track-runs": flag("Let git track run journals (but not logs, state or blobs)."),
    },
    details:
      "Creates missing files and never overwrites anything, so it is safe to repeat. The project is the folder that contains .a5c, else the git repository, else the current folder; `babysitter paths` shows which.",
    examples: ["babysitter init", "babysitter init --ts", "babysitter init --track-runs"],
  },
  {
    name: "config:show",
    summary: "Show the settings in effect here.",
    positionals: [],
    options: { origin: flag("Also show where each setting comes from and what it overrides.") },
    details:
      "Settings come from the project's .a5c/config.json, ~/.config/babysitter/config.json, the environment and command options. Later sources override earlier ones, except for limits and approval rules, where the strictest value wins.",
  },
  {
    name: "paths",
    summary: "Show the files and folders in use on this machine.",
    positionals: [],
    options: {},
  },
  {
    name: "doctor",
    summary: "Check the setup from the agent host to the journal, and show how to fix problems.",
    positionals: [],
    options: {},
    details:
      "Checks Node, the host and its settings, the plugin, what the last session recorded, the folders and the hook log. Exits with 0 when the setup works and 1 when something must be fixed; warnings do not count.",
    examples: ["babysitter doctor", "babysitter doctor --json"],
  },
  {
    name: "uninstall",
    summary: "List what Babysitter has on this machine, and remove the parts that you name.",
    positionals: [],
    options: {
      remove: {
        type: "string",
        value: "parts",
        many: true,
        help: "A comma-separated list of servers, plugin, runs, inbox, cache, state, config, command; or all, for everything but runs.",
      },
    },
    details:
      "Without --remove nothing is changed: each part is listed with its size and the command that removes it. Runs of your projects are removed only if you name runs. Settings, hooks and processes in a project's .a5c folder belong to the project and are never removed. Only a person at a terminal can remove anything, because loops depend on it.",
    examples: [
      "babysitter uninstall",
      "babysitter uninstall --remove plugin,inbox",
      "babysitter uninstall --remove all --remove runs",
    ],
  },
  ...BREAKPOINT_COMMANDS,
  {
    name: "completion",
    summary: "Print a completion script for bash, zsh or fish.",
    positionals: [
      { name: "shell", help: "bash, zsh or fish. The completion scripts call this command with `words`." },
      { name: "typed", optional: true, many: true, help: "With `words`: what has been typed so far." },
    ],
    options: {},
    details: "Completes commands, options, and the IDs of runs, tasks and questions.",
    examples: ['eval "$(babysitter completion bash)"'],
  },
  {
    name: "help",
    summary: "Show the help of a command or a topic.",
    positionals: [
      { name: "word", optional: true, many: true, help: "A command or a topic; `topics` lists all topics." },
    ],
    options: {},
    examples: ["babysitter help run:list", "babysitter help topics", "babysitter help names"],
  },
];

export const COMMANDS: readonly CommandSpec[] = ROWS.map(withLast);

/** Every command that takes a run takes `--last` instead. */
function withLast(spec: CommandSpec): CommandSpec {
  if (!spec.positionals.some(isRunArgument) && spec.options["run"] === undefined) return spec;
  return {
    ...spec,
    options: { ...spec.options, last: flag("Use the run with the newest event instead of naming one.") },
  };
}

/** Words for what people want, and the commands that do it; those that do not exist are not offered. */
export const WORDS_FOR: Record<string, readonly string[]> = {
  ls: ["run:list"],
  ps: ["run:list"],
  list: ["run:list"],
  show: ["run:show", "run:status"],
  info: ["run:status"],
  logs: ["task:logs", "task:show"],
  log: ["task:logs", "task:show"],
  result: ["run:output", "run:status"],
  follow: ["run:watch", "run:status"],
  tail: ["run:watch", "task:logs"],
  history: ["run:events"],
  journal: ["run:events"],
  start: ["run", "loop:start"],
  new: ["run", "init"],
  exec: ["run"],
  continue: ["run", "loop:resume"],
  rerun: ["run:retry", "run:fork"],
  stop: ["run:cancel", "loop:pause"],
  abort: ["run:cancel"],
  kill: ["run:cancel"],
  questions: ["breakpoint:list", "ui"],
  inbox: ["ui"],
  notify: ["notify:test", "extension"],
  telegram: ["extension"],
  channels: ["extension"],
  web: ["ui"],
  accept: ["breakpoint:approve"],
  deny: ["breakpoint:reject"],
  answer: ["breakpoint:approve", "breakpoint:reject"],
  tasks: ["task:list"],
  runs: ["run:list"],
  rm: ["run:prune", "run:archive"],
  delete: ["run:prune", "run:archive"],
  clean: ["run:prune"],
  validate: ["process:check", "run:check"],
  lint: ["process:check"],
  settings: ["config:show"],
  setup: ["init"],
  remove: ["uninstall", "run:prune"],
  purge: ["uninstall", "run:prune"],
};

/** Command names from other versions and tools, and their replacements. */
export const REPLACED_COMMANDS: Record<string, string> = {
  "run:continue": "run:iterate",
  "run:step": "run:iterate",
  "run:rebuild-state": "run:status (caches rebuild themselves)",
  "run:repair-journal": "run:repair",
  "task:run": "task:post (after executing the task yourself)",
  "task:complete": "task:post",
};
