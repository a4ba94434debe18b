/** The commands about runs. */
import { type CommandSpec, flag, text } from "./command-spec.js";

const RUN = { name: "run", optional: true, help: "Run id or run directory (default: the only open run)." };
const RUN_REPLAYED = {
  name: "run",
  optional: true,
  many: true,
  help: "Run ids, run directories, or folders of runs (default: all runs of the project).",
};

export const RUN_COMMANDS: readonly CommandSpec[] = [
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
      agent: text(
        "claude-code",
        "Start this agent's host for one turn after the other until the loop has ended; also for a loop without a process. The program is claude on PATH, or BABYSITTER_CLAUDE.",
      ),
      "permission-mode": text("mode", "With --agent: permission mode of the host, such as acceptEdits."),
      "agent-timeout": text(
        "time",
        "With --agent: end a host that prints nothing for so long (default: 30m; 0s: never).",
      ),
      "agent-retries": text("n", "With --agent: how often in a row a failed turn is tried again (default: 12)."),
      "agent-retry-ms": { type: "string", help: "Length of the first pause between tries.", hidden: true },
      "max-iterations": text("n", "With --agent: pause after so many iterations (default: 256 for a new run)."),
      "budget-usd": text("amount", "With --agent: pause when so much is spent."),
      "breakpoint-policy": text(
        "ask|approve|reject",
        "Answer questions without a human; each use is journaled as such.",
      ),
      wait: flag("Stay when only somebody outside can go on, and go on when they have; with --agent that is usual."),
      "no-wait": flag("With --agent: end with 3 when only a person can go on."),
      retry: flag("Give the failed steps of a failed run another try."),
      plain: flag("Plain lines instead of a live picture."),
    },
    details:
      "Executes node and shell tasks (and agent tasks, given a command) and posts their results until the process returns or throws, or only a human can go on. Questions are asked on the terminal; without one the command says how to answer and exits 3; with --agent it waits for the answer, and for the end of sleeps, without asking a model. Ctrl-C stops the tasks in good order; the same command goes on later.",
    examples: [
      "babysitter run build.mjs --inputs inputs.json",
      "babysitter run examples/01-hello/process.mjs",
      "babysitter run run-20260120-example --retry",
      "babysitter run build.mjs --agent claude-code --permission-mode acceptEdits",
    ],
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
  },
  {
    name: "run:iterate",
    summary: "Replay the process once and record what it asks for.",
    positionals: [RUN],
    options: {
      iteration: text("n", "Number of the caller's own loop, echoed in the answer."),
      retry: flag("Replay again although nothing changed: the way on from a failed or blocked run."),
      "no-hooks": flag("Only replay: call no lifecycle hooks and execute no tasks."),
      "code-hash": { type: "string", help: "Replay only this very code of the process.", hidden: true },
      "plugin-root": text("dir", "Plugin whose hooks are called last, instead of the SDK's own."),
    },
    details:
      "status: executed (results were committed by this call), waiting, completed, failed, none. A finished run is left alone.",
    examples: ["babysitter run:iterate run-20260120-example --json --iteration 1"],
  },
  {
    name: "run:execute",
    summary: "Execute the pending node and shell tasks of a run.",
    positionals: [RUN],
    options: { concurrency: text("n", "How many tasks may run at once (default: 4).") },
    details:
      "What run:iterate does between two replays: the tasks run in a program that goes on when this command is killed; results are posted as they come. Answers action, count and reason as an on-iteration-start hook does.",
  },
  {
    name: "run:status",
    aliases: ["loop:status"],
    summary: "Show where a run stands, why, and the next command.",
    positionals: [RUN],
    options: {},
    examples: ["babysitter run:status", "babysitter run:status run-20260120-example --json"],
  },
  {
    name: "run:list",
    summary: "List runs with their states and ages.",
    positionals: [],
    options: {
      open: flag("Only runs that have not finished."),
      archived: flag("The runs that were put aside by run:archive."),
    },
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
  },
  {
    name: "run:check",
    summary: "Check the whole journal of a run, file by file.",
    positionals: [RUN],
    options: {},
  },
  {
    name: "run:repair",
    summary: "Move aside files that break the journal, after a backup.",
    positionals: [RUN],
    options: { "dry-run": flag("Only say what would be moved.") },
    details:
      "Crashes need no repair. This is for files that were edited, torn by a disk, or copied in; they are kept under quarantine/.",
  },
  {
    name: "run:retry",
    summary: "Give failed steps of a run another try.",
    positionals: [RUN],
    options: { effect: text("id", "The failed effect (default: the ones the run failed on).") },
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
  },
  {
    name: "run:cancel",
    aliases: ["loop:cancel"],
    summary: "End a run for good.",
    positionals: [RUN],
    options: { reason: text("text", "Why, for the record.") },
    details:
      "A driver that is at work stops its tasks by itself. Tasks that a driver has left behind on this machine are ended here. What was recorded stays; run:fork goes on from it in a copy.",
    examples: ['babysitter run:cancel run-20260120-example --reason "wrong branch"'],
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
  },
];
