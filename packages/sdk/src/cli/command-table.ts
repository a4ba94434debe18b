/** Every command: help, reference page, completion and parsing are made from this table. */
import { BREAKPOINT_COMMANDS } from "./breakpoint-commands.js";
import { type CommandSpec, flag, type OptionSpec, text } from "./command-spec.js";

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

const RUN = { name: "run", optional: true, help: "Run id or run directory (default: the only open run)." };
const RUN_REPLAYED = {
  name: "run",
  optional: true,
  many: true,
  help: "Run ids, run directories, or folders of runs (default: all runs of the project).",
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "run",
    summary: "Create or resume a run and drive it to its end.",
    positionals: [
      {
        name: "process-or-run",
        optional: true,
        help: "Process file (path#export), run id or run directory (default: the only open run).",
      },
    ],
    options: {
      "no-hooks": flag("Call no lifecycle hooks."),
      inputs: text("file", "JSON file with the inputs of a new run; - for stdin (default: {})."),
      "run-id": text("id", "Id of the new run."),
      "process-id": text("id", "Name of the process (default: the name of its file)."),
      concurrency: text("n", "How many tasks may run at once (default: 4)."),
      "agent-command": text("command", "Command that does agent tasks (env BABYSITTER_AGENT_COMMAND)."),
      "breakpoint-policy": text(
        "ask|approve|reject",
        "Answer questions without a human; each use is journaled as such.",
      ),
      wait: flag("Stay when only somebody outside can go on, and go on when they have."),
      retry: flag("Give the failed steps of a failed run another try."),
      plain: flag("Plain lines instead of a live picture."),
    },
    details:
      "Executes node and shell tasks (and agent tasks, given a command) and posts their results until the process returns or throws, or only a human can go on. Questions are asked on the terminal; without one the command says how to answer and exits 3. Ctrl-C stops the tasks in good order; the same command goes on later.",
    examples: [
      "babysitter run build.mjs --inputs inputs.json",
      "babysitter run examples/01-hello/process.mjs",
      "babysitter run run-20260120-example --retry",
    ],
    load: () => import("./commands/run.js"),
  },
  {
    name: "run:create",
    summary: "Create a run of a process.",
    positionals: [],
    options: {
      "no-hooks": flag("Call no lifecycle hooks."),
      "process-id": text("id", "Name of the process, such as dev/build."),
      entry: text("path#export", "Process file and export (default export name: process, then default)."),
      inputs: text("file", "JSON file with the inputs; - for stdin (default: {})."),
      "run-id": text("id", "Id of the new run (default: made from date, process and a random tail)."),
      "process-revision": text("rev", "Revision of the process, for the record."),
      request: text("id", "Request this run belongs to, for the record."),
      prompt: text("text", "The user's prompt, for the record."),
      harness: text("name", "Agent host that drives the run, such as claude-code."),
      "session-id": text("id", "Session of the agent host."),
      "plugin-root": text("dir", "Root of the host's plugin."),
      "dry-run": flag("Check everything, create nothing."),
    },
    details:
      "The process is imported once to see that the export exists; it is not executed. An existing run id is refused.",
    examples: [
      "babysitter run:create --process-id dev/build --entry .a5c/processes/build.js#build --inputs inputs.json",
    ],
    load: () => import("./commands/run-create.js"),
  },
  {
    name: "run:iterate",
    summary: "Replay the process once and record what it asks for.",
    positionals: [RUN],
    options: {
      iteration: text("n", "Number of the caller's own loop, echoed in the answer."),
      retry: flag("Replay again although nothing changed: the way on from a failed or blocked run."),
      "no-hooks": flag("Only replay: call no lifecycle hooks and execute no tasks."),
      "plugin-root": text("dir", "Plugin whose hooks are called last, instead of the SDK's own."),
    },
    details:
      "status: executed (results were committed by this call), waiting, completed, failed, none. A finished run is left alone.",
    examples: ["babysitter run:iterate run-20260120-example --json --iteration 1"],
    load: () => import("./commands/run-iterate.js"),
  },
  {
    name: "run:execute",
    summary: "Execute the pending node and shell tasks of a run.",
    positionals: [RUN],
    options: { concurrency: text("n", "How many tasks may run at once (default: 4).") },
    details:
      "What run:iterate does between two replays: the tasks run in a program that goes on when this command is killed; results are posted as they come. Answers action, count and reason as an on-iteration-start hook does.",
    load: () => import("./commands/run-execute.js"),
  },
  {
    name: "run:status",
    summary: "Show where a run stands, why, and the next command.",
    positionals: [RUN],
    options: {},
    examples: ["babysitter run:status", "babysitter run:status run-20260120-example --json"],
    load: () => import("./commands/run-status.js"),
  },
  {
    name: "run:list",
    summary: "List runs with their states and ages.",
    positionals: [],
    options: {
      open: flag("Only runs that have not finished."),
      archived: flag("The runs that were put aside by run:archive."),
    },
    load: () => import("./commands/run-list.js"),
  },
  {
    name: "run:events",
    summary: "Show the journal of a run.",
    positionals: [RUN],
    options: {
      limit: text("n", "At most so many events."),
      reverse: flag("Newest first; applied before --limit."),
      "filter-type": text("type", "Only events of this type, such as EFFECT_RESOLVED."),
    },
    examples: ["babysitter run:events run-20260120-example --limit 20 --reverse"],
    load: () => import("./commands/run-events.js"),
  },
  {
    name: "run:check",
    summary: "Check the whole journal of a run, file by file.",
    positionals: [RUN],
    options: {},
    load: () => import("./commands/run-check.js"),
  },
  {
    name: "run:repair",
    summary: "Move aside files that break the journal, after a backup.",
    positionals: [RUN],
    options: { "dry-run": flag("Only say what would be moved.") },
    details:
      "Crashes need no repair. This is for files that were edited, torn by a disk, or copied in; they are kept under quarantine/.",
    load: () => import("./commands/run-repair.js"),
  },
  {
    name: "run:retry",
    summary: "Give failed steps of a run another try.",
    positionals: [RUN],
    options: { effect: text("id", "The failed effect (default: the ones the run failed on).") },
    load: () => import("./commands/run-retry.js"),
  },
  {
    name: "run:fork",
    summary: "Copy a run up to an event, to go on from there.",
    positionals: [RUN],
    options: {
      at: text("seq", "Sequence number of the last event to keep."),
      "run-id": text("id", "Id of the copy."),
    },
    details: "The copy runs today's code of the process. The original is not touched.",
    load: () => import("./commands/run-fork.js"),
  },
  {
    name: "run:cancel",
    summary: "End a run for good.",
    positionals: [RUN],
    options: { reason: text("text", "Why, for the record.") },
    details:
      "A driver that is at work stops its tasks by itself. Tasks that a driver has left behind on this machine are ended here. What was recorded stays; run:fork goes on from it in a copy.",
    examples: ['babysitter run:cancel run-20260120-example --reason "wrong branch"'],
    load: () => import("./commands/run-cancel.js"),
  },
  {
    name: "run:replay",
    aliases: ["run:verify"],
    summary: "Replay recorded runs against today's code, and say where they differ.",
    positionals: [RUN_REPLAYED],
    options: {
      entry: text("path#export", "Replay against this file and export instead of the recorded ones."),
      here: { type: "boolean", help: "Replay inside of this very program.", hidden: true },
    },
    details:
      "Nothing is written or executed. same: the recorded end, or for an open run all its recorded requests. differs: with the report of run:iterate. cannot: the code is missing, or the journal is damaged or foreign. Exit 0 when all are the same, else 8.",
    examples: ["babysitter run:replay", "babysitter run:replay recorded-runs/ --entry src/process.js#build --json"],
    load: () => import("./commands/run-replay.js"),
  },
  {
    name: "run:archive",
    summary: "Put a finished run aside, or bring it back.",
    positionals: [
      {
        name: "run",
        optional: true,
        help: "Run id or run directory (default: the run that ended last; with --restore, the only archived run).",
      },
    ],
    options: {
      failed: flag("Also when the run has failed."),
      restore: flag("Bring an archived run back."),
    },
    details:
      "The run is moved, in one step, into the folder archive beside the runs. run:list --archived shows what is there.",
    load: () => import("./commands/run-archive.js"),
  },
  {
    name: "run:prune",
    summary: "Delete old finished runs and what crashes have left behind.",
    positionals: [],
    options: {
      "older-than": text("age", "Only runs whose last event is older: 12h, 30d, 2w."),
      failed: flag("Failed runs too."),
      archived: flag("Archived runs too."),
      keep: text("n", "Keep the newest n finished runs, however old they are."),
      "dry-run": flag("Only say what would be deleted."),
    },
    details: "Completed and cancelled runs go. Open, damaged and foreign ones are never touched.",
    examples: ["babysitter run:prune --older-than 30d --keep 10 --dry-run"],
    load: () => import("./commands/run-prune.js"),
  },
  {
    name: "task:list",
    summary: "List the effects of a run.",
    positionals: [RUN],
    options: {
      pending: flag("Only effects without a result."),
      kind: text("kind", "Only this kind, such as node, agent or breakpoint."),
    },
    load: () => import("./commands/task-list.js"),
  },
  {
    name: "task:show",
    summary: "Show one effect: task, inputs, result, attempts, logs.",
    positionals: [RUN, { name: "effect", help: "Effect id." }],
    options: {},
    details:
      "Fields that look like secrets are hidden unless BABYSITTER_ALLOW_SECRET_LOGS=true and --verbose are given.",
    load: () => import("./commands/task-show.js"),
  },
  {
    name: "task:post",
    summary: "Record the result of an effect.",
    positionals: [RUN, { name: "effect", help: "Effect id." }],
    options: {
      "no-hooks": flag("Call no lifecycle hooks."),
      status: text("ok|error", "How it ended."),
      value: text("file", "JSON file with the result; - for stdin (default: null)."),
      error: text("file", "JSON file with the error; - for stdin."),
      "stdout-ref": text("ref", "Where its standard output is kept."),
      "stderr-ref": text("ref", "Where its standard error is kept."),
      "stdout-file": text("file", "Standard output, copied beside the effect."),
      "stderr-file": text("file", "Standard error, copied beside the effect."),
      "started-at": text("iso8601", "When it began."),
      "finished-at": text("iso8601", "When it ended."),
      metadata: text("file", "JSON file with anything else worth keeping."),
      "invocation-key": text("key", "Refuse unless the effect has this key."),
      attempt: text("n", "Refuse unless this attempt is open."),
      "dry-run": flag("Check everything, record nothing."),
    },
    details:
      "outcome: committed, or duplicate when the same result is recorded already. Another result is refused; the recorded one stays.",
    examples: [
      "babysitter task:post run-20260120-example effect-abc123 --status ok --value result.json",
      "echo '{\"score\":85}' | babysitter task:post effect-abc123 --status ok --value -",
    ],
    load: () => import("./commands/task-post.js"),
  },
  {
    name: "hook:list",
    summary: "Show which hooks run, in which order, and what is left out and why.",
    positionals: [
      { name: "type", optional: true, help: "Hook type, such as on-run-complete (default: all that have any)." },
    ],
    options: { "plugin-root": text("dir", "Root of a plugin whose hooks are the last tier.") },
    examples: ["babysitter hook:list", "babysitter hook:list on-iteration-start --json"],
    load: () => import("./commands/hook-list.js"),
  },
  {
    name: "hook:dispatch",
    summary: "Call the hooks of a type and print what they answer together.",
    positionals: [{ name: "type", help: "Hook type: one of the engine's, or any name of your own." }],
    options: {
      payload: text("file", "JSON file with the payload; - for stdin, which is the default."),
      run: text("run", "Run that it is about: hooks are told, and the journal gets HOOK_DISPATCHED."),
      "timeout-ms": text("n", "Time limit of each hook (default: 60000; on-iteration-start: 600000)."),
      "plugin-root": text("dir", "Root of a plugin whose hooks are the last tier."),
    },
    details:
      "Exit 0 also when hooks fail: `ok`, `error` and `hooks` say what became of them. Without --run nothing is recorded.",
    examples: [
      'echo \'{"runId":"test"}\' | babysitter hook:dispatch on-run-complete --json',
      "babysitter hook:dispatch pre-commit --run run-20260120-example --payload payload.json",
    ],
    load: () => import("./commands/hook-dispatch.js"),
  },
  {
    name: "init",
    summary: "Set up a project: settings, an example process, types for editors.",
    positionals: [],
    options: { "track-runs": flag("Let git track the journals of runs (not logs, state, blobs).") },
    details:
      "Makes what is missing and overwrites nothing; once everything is there it changes nothing. The project is the folder with .a5c, the git repository, or the current folder, as babysitter paths explains.",
    examples: ["babysitter init", "babysitter init --track-runs"],
    load: () => import("./commands/init.js"),
  },
  {
    name: "config:show",
    summary: "Show the settings that count here.",
    positionals: [],
    options: { origin: flag("Also where each comes from, and what it has overruled.") },
    details:
      "Settings come from .a5c/config.json of the project, from ~/.config/babysitter/config.json, from the environment, and from the options of a command. Later ones count more, but of limits and approval rules the strictest counts.",
    load: () => import("./commands/config-show.js"),
  },
  {
    name: "paths",
    summary: "Show where everything is on this machine.",
    positionals: [],
    options: {},
    load: () => import("./commands/paths.js"),
  },
  ...BREAKPOINT_COMMANDS,
  {
    name: "completion",
    summary: "Print a completion script for bash, zsh or fish.",
    positionals: [{ name: "shell", help: "bash, zsh or fish." }],
    options: {},
    examples: ['eval "$(babysitter completion bash)"'],
    load: () => import("./commands/completion.js"),
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
