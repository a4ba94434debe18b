/** The commands about loops: runs that keep an agent going until its work is done. */
import { type CommandSpec, flag, text } from "./command-spec.js";

const RUN = {
  name: "run",
  optional: true,
  help: "Run id or run directory (default: the session's, or the only open run).",
};
const many = (value: string, help: string): CommandSpec["options"][string] => ({ ...text(value, help), many: true });

/** Where session files are, for scripts that keep them elsewhere. */
export const SESSION_PLACE = {
  "state-dir": text("dir", "Where session files are (default: ~/.a5c/state)."),
  "plugin-root": text("dir", "Root of a plugin that keeps session files in skills/babysit/state."),
};

const LIMITS = {
  "max-iterations": text("n", "After so many turns the loop is paused (default: 50; 0: no limit)."),
  "budget-usd": text("amount", "After so many US dollars, at list prices, the loop is paused."),
  "budget-tokens": text("n", "After so many tokens, cache reads included, the loop is paused."),
  "max-time": text("time", "After 90s, 30m, 12h or 2d the loop is paused."),
  "review-every": text("n", "The loop is paused for a look of yours after every n turns."),
};

const CRITERIA = {
  criteria: many(
    "name: command",
    "The engine runs the command when the agent says that it is done; it must exit with 0.",
  ),
  "fast-criteria": many("name: command", "The same, and it is run after every turn."),
  "must-not": many("name: command", "When this command succeeds the loop is paused."),
  claim: many("text", "What no command can check; the agent's word has to do."),
  step: many("title", "A unit of work; all of them must be done."),
  protect: many("glob", "Files that must stay as they are."),
};

const SESSION = {
  "session-id": text("id", "Session of the agent host (default: the one in whose shell this runs)."),
  harness: text("name", "Agent host, such as claude-code (default: found out)."),
  ...SESSION_PLACE,
};

export const LOOP_COMMANDS: readonly CommandSpec[] = [
  {
    name: "loop:start",
    summary: "Begin a loop: a task, how it ends, and its limits.",
    positionals: [{ name: "task", optional: true, many: true, help: "What the agent is to do." }],
    options: {
      prompt: text("text", "The task."),
      "prompt-file": text("file", "File with the task; - for stdin."),
      ...CRITERIA,
      ...LIMITS,
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done (default: made up)."),
      "criteria-timeout": text("time", "How long each command may take (default: 10m)."),
      shape: text("tool|colleague", "Left alone, or with a look of yours every few turns."),
      "run-id": text("id", "Id of the new run."),
      ...SESSION,
    },
    details:
      "The agent goes on until it says that it is done and the engine itself has found every criterion met, on the files as they are then. Without criteria its word has to do, and the report says so. In a session of an agent the loop begins at once; elsewhere `loop:resume` in a session takes it up.",
    examples: [
      "babysitter loop:start --prompt-file task.md --criteria 'tests: npm test' --criteria 'types: npx tsc --noEmit' --max-iterations 20 --budget-usd 5",
    ],
  },
  {
    name: "loop:verify",
    summary: "Have the engine check the criteria, and see what it finds.",
    positionals: [RUN],
    options: {
      criterion: many("name", "Only this one."),
      again: flag("Also what was checked on these very files."),
      wait: flag("Wait however long it takes (default: 90 seconds)."),
      "no-wait": flag("Begin and come back at once."),
      timeout: text("time", "Wait for 90s, 30m, …"),
    },
    details:
      "Exit 0 everything met, 1 something not met, 9 still checking. Commands run in a process group of their own; what they leave behind is ended.",
  },
  {
    name: "loop:check",
    summary: "Say whether the agent may stop, as {ok, reason}, for scripts.",
    positionals: [RUN],
    options: SESSION,
    details: "Decides nothing and writes nothing. This is not what agent hosts read: that is hook:run.",
  },
  {
    name: "loop:step",
    summary: "Show the steps of a loop, or say what became of one.",
    positionals: [
      { name: "run", optional: true, help: "Run id or run directory (default: the session's, or the only open run)." },
      { name: "step", optional: true, help: "Id of the step." },
    ],
    options: {
      done: flag("It is done."),
      failed: flag("It failed."),
      open: flag("It is to be done again."),
      title: text("text", "Title of a new step."),
      "error-class": text("transient|logic|blocking|unknown", "What kind of error it met (default: unknown)."),
      note: text("text", "What happened."),
    },
    details:
      "transient: tried once more, then the loop is paused. logic: the agent has to mend it. blocking and unknown: the loop is paused at once and asks for you.",
    examples: ["babysitter loop:step write-tests --done"],
  },
  {
    name: "loop:amend",
    summary: "Change the contract of a loop. For people only.",
    positionals: [RUN],
    options: {
      ...CRITERIA,
      "drop-criterion": many("name", "Without this one from now on."),
      ...LIMITS,
      "completion-promise": text("text", "What the agent says when it is done."),
      "accept-changes": flag("Protected files are right as they are now."),
    },
  },
  {
    name: "loop:import",
    summary: "Take over a loop from .loop/state.json, a task record or a session file.",
    positionals: [{ name: "file", optional: true, help: "The file (default: .loop/state.json)." }],
    options: {
      "run-id": text("id", "Id of the new run."),
      ...CRITERIA,
      ...LIMITS,
      "completion-promise": text("text", "What the agent says when it is done."),
      ...SESSION,
    },
    details:
      "What the file says is met counts as a claim. Criteria in words can be checked by nobody; give commands with --criteria.",
  },
];

/** What can be done to any run that has a loop. */
export const RUN_CONTROL_COMMANDS: readonly CommandSpec[] = [
  {
    name: "run:pause",
    aliases: ["loop:pause"],
    summary: "Let the agent stop at the end of its turn; nothing is lost.",
    positionals: [RUN],
    options: { reason: text("text", "Why, for the record."), ...SESSION_PLACE },
  },
  {
    name: "run:resume",
    aliases: ["loop:resume"],
    summary: "Go on with a paused loop, or take it into this session.",
    positionals: [RUN],
    options: { take: flag("Also when another session seems to be at work on it."), ...LIMITS, ...SESSION },
  },
  {
    name: "run:report",
    aliases: ["loop:report"],
    summary: "What became of a loop: how it ended, what was checked, what it cost.",
    positionals: [RUN],
    options: {},
  },
];
