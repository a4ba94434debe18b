/** The commands about runs. */
import { type CommandSpec, flag, INPUTS, text } from "./command-spec.js";
import { ACTION_FILTER, LIST_FILTER } from "./filter-options.js";

const RUN = { name: "run", optional: true, help: "Run ID or run directory (default: the only open run)." };
const RUN_REPLAYED = {
  name: "run",
  optional: true,
  many: true,
  help: "Run IDs, run directories or folders of runs (default: all runs of the project).",
};

const WAIT = text(
  "time",
  "Wait at most this long for tasks, such as 60s (default: until they have ended; in an agent's shell 60s).",
);

export const RUN_COMMANDS: readonly CommandSpec[] = [
  {
    name: "run",
    summary: "Create or resume a run and drive it to completion.",
    positionals: [
      {
        name: "process-or-run",
        optional: true,
        help: "Process file (path#export), name of a process in .a5c/processes, run ID or run directory (default: the only open run).",
      },
    ],
    options: {
      "no-hooks": flag("Do not call lifecycle hooks."),
      ...INPUTS,
      "dry-run": flag("Show what the process would ask for first; create and execute nothing."),
      "run-id": text("id", "ID for the new run."),
      "process-id": text("id", "Name of the process (default: its file name)."),
      concurrency: text("n", "Maximum number of tasks to run in parallel (default: 4)."),
      "agent-command": text("command", "Command that executes agent tasks (env BABYSITTER_AGENT_COMMAND)."),
      agent: text(
        "claude-code",
        "Start this agent host turn by turn until the loop ends; also works for a loop without a process. Runs claude from PATH, or the program in BABYSITTER_CLAUDE.",
      ),
      "permission-mode": text("mode", "With --agent: the host's permission mode, such as acceptEdits."),
      "agent-timeout": text(
        "time",
        "With --agent: stop a host that prints nothing for this long (default: 30m; 0s: never).",
      ),
      "agent-retries": text("n", "With --agent: how many times in a row to retry a failed turn (default: 12)."),
      "agent-retry-ms": { type: "string", help: "Delay before the first retry.", hidden: true },
      "max-iterations": text("n", "With --agent: pause after this many iterations (default: 256 for a new run)."),
      "budget-usd": text("amount", "With --agent: pause when this amount is spent."),
      "budget-tokens": text("n", "With --agent: pause after this many tokens, cache reads included."),
      "max-time": text("time", "With --agent: pause after this long: 90s, 30m, 12h, 2d."),
      "breakpoint-policy": text(
        "ask|approve|reject",
        "Answer questions without a human; the journal records each such answer.",
      ),
      wait: flag("Wait for input from outside and continue when it arrives (the default with --agent)."),
      "no-wait": flag("With --agent: exit with 3 when the run needs input from a person."),
      retry: flag("Retry the failed steps of a failed run, even if its code has not changed."),
      "no-retry": flag(
        "Do not retry: replay a failed run with its recorded failures, even though its code has changed.",
      ),
      fork: flag("Retry the failed step in a copy of the run."),
      plain: flag("Print plain lines instead of the live view."),
      logs: flag("Print all output of the tasks, each line with the name of its task; implies --plain."),
    },
    details:
      "Executes node and shell tasks (and agent tasks, if an agent command is set) and posts their results until the process returns, throws or needs input from a person. Questions appear on the terminal; without a terminal the command prints how to answer and exits with 3. With --agent it waits for answers and sleeps without calling a model. Ctrl-C stops the tasks cleanly; run the same command to resume. If a task failed and the process has been corrected since, resuming retries that task with the changed code: on a terminal it asks first, elsewhere it says so. `babysitter run --help <process>` shows the inputs of a process that exports an inputSchema.",
    examples: [
      "babysitter run build.mjs --inputs inputs.json",
      "babysitter run release --input version=2.1.0 --input dry=true",
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
      "no-hooks": flag("Do not call lifecycle hooks."),
      "process-id": text("id", "Name of the process, such as dev/build."),
      entry: text("path#export", "Process file and export (default export: process, else default)."),
      ...INPUTS,
      "run-id": text("id", "ID for the new run (default: generated from the date, the process and a random suffix)."),
      "process-revision": text("rev", "Revision of the process, for the record."),
      request: text("id", "Request this run belongs to, for the record."),
      prompt: text("text", "The user's prompt, for the record."),
      harness: text("name", "Agent host that drives the run, such as claude-code."),
      "session-id": text("id", "Session of the agent host."),
      "plugin-root": text("dir", "Root directory of the host's plugin."),
      "dry-run": flag("Check everything, create nothing."),
    },
    details:
      "Imports the process once to check that the export exists, but does not execute it. Refuses a run ID that already exists.",
    examples: [
      "babysitter run:create --process-id dev/build --entry .a5c/processes/build.js#build --inputs inputs.json",
    ],
  },
  {
    name: "run:iterate",
    summary: "Replay the process once and record what it asks for.",
    positionals: [RUN],
    options: {
      iteration: text("n", "The caller's own iteration number, echoed in the output."),
      retry: flag("Replay even if nothing changed; use it to continue a failed or blocked run."),
      wait: WAIT,
      "exit-code": flag(
        "Exit with the code of the run's state: 0 completed, 1 failed, 3 waiting, 8 blocked, 12 cancelled, 13 iterate again.",
      ),
      "no-hooks": flag("Replay only: do not call lifecycle hooks or execute tasks."),
      "code-hash": { type: "string", help: "Replay only if the process code has this hash.", hidden: true },
      "plugin-root": text("dir", "Plugin whose hooks run last, instead of the SDK's own."),
    },
    details:
      "status: executed (this call committed results), waiting, completed, failed or none; count: the number of results. Returns when the tasks that it started or found running have ended, and their hooks too. Does not touch a finished run. Without --exit-code, a failed run is a result like any other, and the exit code is 0.",
    examples: ["babysitter run:iterate run-20260120-example --json --iteration 1"],
  },
  {
    name: "run:execute",
    summary: "Execute the pending node and shell tasks of a run.",
    positionals: [RUN],
    options: {
      concurrency: text("n", "Maximum number of tasks to run in parallel (default: 4)."),
      wait: WAIT,
      payload: text("file", "JSON file that names the run as runId, such as the payload of a hook; - for stdin."),
    },
    details:
      "This is the step run:iterate takes between two replays. Tasks run in a program that survives this command, and results are posted as they arrive. Prints action, count and reason like an on-iteration-start hook.",
  },
  {
    name: "run:status",
    aliases: ["loop:status"],
    summary: "Show a run's state, the reason for it and the next command.",
    positionals: [RUN],
    options: {},
    examples: ["babysitter run:status", "babysitter run:status run-20260120-example --json"],
  },
  {
    name: "run:show",
    summary: "Show a run on one screen: steps, failures, what it waits for, next command.",
    positionals: [RUN],
    options: {},
    details:
      "Shows the last three failures with the end of their output, including failures that the process has handled.",
    examples: ["babysitter run:show", "babysitter run:show run-20260120-example --json"],
  },
  {
    name: "run:output",
    summary: "Print what a completed run has returned.",
    positionals: [RUN],
    options: {},
    details:
      "A string is printed as it is, with a line break at the end; everything else as JSON. With --json a string is JSON too. If the run has no output yet, prints nothing to stdout and exits with 3, or with 1 if it never will have any, because it failed or was cancelled.",
    examples: ["babysitter run:output run-20260120-example | jq .url"],
  },
  {
    name: "run:watch",
    summary: "Follow a run that another program drives, until it ends.",
    positionals: [RUN],
    options: {
      plain: flag("Print plain lines instead of the live view, as in CI or a pipe."),
      logs: flag("Print all output of its tasks, each line with the name of its task; implies --plain."),
    },
    details:
      "Only observes: Ctrl-C ends this command and leaves the run alone. Exits with the code of the run's final state.",
    examples: ["babysitter run:watch", "babysitter run:watch run-20260120-example --logs"],
  },
  {
    name: "run:list",
    summary: "List runs with state and age.",
    positionals: [],
    options: {
      open: flag("Only runs that have not finished."),
      archived: flag("Only archived runs."),
      ...LIST_FILTER,
    },
    details:
      "The run with the newest event comes first. @1, @2 … name runs by their position in the full list, even when only some are shown.",
    examples: ["babysitter run:list --state failed --since 3d", "babysitter run:status @2"],
  },
  {
    name: "run:events",
    summary: "Show the journal of a run.",
    positionals: [RUN],
    options: {
      limit: text("n", "Print at most this many events."),
      reverse: flag("Newest first; applied before --limit."),
      "filter-type": text("type", "Only events of this type, such as EFFECT_RESOLVED."),
      follow: { ...flag("Also print new events as they come, until the run ends."), short: "f" },
    },
    details: "With --follow and --json every event is one line of JSON.",
    examples: ["babysitter run:events run-20260120-example --limit 20 --reverse"],
  },
  {
    name: "run:export",
    summary: "Draw a run as a picture, or export all of it as one HTML file.",
    positionals: [RUN],
    options: {
      mermaid: flag(
        "A flowchart: each step, what it followed, and what came of it. GitHub draws it between ```mermaid and ```.",
      ),
      svg: flag("A waterfall: when each step was waiting and when it was being worked on."),
      html: flag("One file with the whole run, which any browser shows without a server and without a network."),
      redact: flag(
        "With --html: remove secrets, names of people and machines, and the contents of artifacts and transcripts.",
      ),
      preview: flag("With --html: print what would be in the file and what is redacted; write nothing."),
      out: text("file", "With --html: where to write it; - for stdout (default: <run-id>.html in this folder)."),
      force: flag("With --html: replace the file if there is one."),
    },
    details:
      "A picture goes to stdout. It contains titles of steps and times, no inputs, results or files. With --html, the file contains events with their values, logs, evidence, artifacts and transcripts as they are, each up to a size limit; what is left out is marked. With --redact, it replaces what looks like a secret, e-mail addresses, home folders, environment values, and names of users and machines. Artifacts and transcripts become their size and hash. Environment values of fewer than six characters, or of letters of one case only, are replaced only where they are declared; names of fewer than three characters, and common ones such as root or localhost, are not replaced in texts. Redaction goes by what names and values look like, so read the preview before you publish. The page comes with the inbox, a separate package (babysitter ui).",
    examples: [
      "babysitter run:export run-20260120-example --svg > run.svg",
      "babysitter run:export run-20260120-example --mermaid",
      "babysitter run:export run-20260120-example --html --redact --preview",
      "babysitter run:export run-20260120-example --html --redact --out run.html",
    ],
  },
  {
    name: "run:check",
    summary: "Check the whole journal of a run, file by file.",
    positionals: [RUN],
    options: {},
  },
  {
    name: "run:repair",
    summary: "Back up a journal, then move the files that break it aside.",
    positionals: [RUN],
    options: { "dry-run": flag("Only show what would be moved.") },
    details:
      "Crashes need no repair. Use this for files that were edited, damaged by a disk or copied in; they are moved to quarantine/.",
  },
  {
    name: "run:retry",
    summary: "Retry the failed steps of a run, or ask a rejected question again.",
    positionals: [RUN],
    options: {
      task: text("name", "The failed step: task ID, title or effect ID (default: those that made the run fail)."),
      effect: text("id", "The same as --task."),
    },
    details:
      "The current process code requests these steps again, possibly with different arguments; results of other steps are kept. The journal keeps the earlier requests and results. A step that the code no longer asks for is dropped. If the process has already used the failed result, run:fork --at-task retries the step in a copy. You can have a question asked again only if you are allowed to decide it.",
    examples: ["babysitter run:retry run-20260120-example", "babysitter run:retry run-20260120-example --task build"],
  },
  {
    name: "run:fork",
    summary: "Copy a run up to a step or an event and continue from there.",
    positionals: [RUN],
    options: {
      "at-task": text("name", "Repeat this step: task ID, title or effect ID."),
      at: text("seq", "Sequence number of the last event to keep."),
      "run-id": text("id", "ID for the copy."),
    },
    details:
      "The copy runs the current process code, which requests again whatever has no result in the copy. The original is not changed.",
    examples: [
      "babysitter run:fork run-20260120-example --at-task build",
      "babysitter run:fork run-20260120-example --at 12",
    ],
  },
  {
    name: "run:accept-code",
    summary: "Accept the changed code of a run's process (for people).",
    positionals: [RUN],
    options: {},
    details:
      "A run is blocked with GATES_CHANGED when a breakpoint is missing that was in the code that people agreed to: the code at run:create or, later, the code accepted last. This command agrees to the code as it is now and records who accepted it. If the code changed again after the block, the new change is shown first and nothing is accepted. It does not run the code.",
    examples: ["babysitter run:accept-code run-20260120-example"],
  },
  {
    name: "run:cancel",
    aliases: ["loop:cancel"],
    summary: "End a run for good.",
    positionals: [{ ...RUN, many: true }],
    options: { reason: text("text", "The reason, for the record."), ...ACTION_FILTER },
    details:
      "Named runs are ended immediately. With a filter, matching open runs are only listed; add --yes to end them. A running driver stops its own tasks. Tasks that a dead driver left on this machine are stopped here. The journal is kept; run:fork continues from it in a copy.",
    examples: [
      'babysitter run:cancel run-20260120-example --reason "wrong branch"',
      "babysitter run:cancel --state waiting --older-than 2w",
    ],
  },
  {
    name: "run:replay",
    aliases: ["run:verify"],
    summary: "Replay recorded runs against the current code and show where they differ.",
    positionals: [RUN_REPLAYED],
    options: {
      entry: text("path#export", "Replay against this file and export instead of the recorded ones."),
      here: { type: "boolean", help: "Replay inside this process.", hidden: true },
    },
    details:
      'Writes and executes nothing. "same" means that the replay reaches the recorded end or, for an open run, repeats all recorded requests. A run that "differs" gets the report that run:iterate gives. "cannot" means that the code is missing, or that the journal is damaged or was written by another tool. Exits with 0 when all runs are the same, else with 8.',
    examples: ["babysitter run:replay", "babysitter run:replay recorded-runs/ --entry src/process.js#build --json"],
  },
];
