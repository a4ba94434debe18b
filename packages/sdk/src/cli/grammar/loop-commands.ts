/** The commands about loops: runs that keep an agent going until its work is done. */
import { LOOP_FLAGS, type LoopFlag, type LoopFlagName } from "../../loop/formats/loop-flags.js";
import { type CommandSpec, flag, SESSION_PLACE, text } from "./command-spec.js";

const RUN = {
  name: "run",
  optional: true,
  help: "Run ID or run directory (default: the session's run, or the only open run).",
};
const many = (value: string, help: string): CommandSpec["options"][string] => ({ ...text(value, help), many: true });

/** Options of a loop, from the table that `/babysit` reads too. */
function loopOptions(...names: LoopFlagName[]): CommandSpec["options"] {
  return Object.fromEntries(
    names.map((name) => {
      const { value, help, ...rest }: LoopFlag = LOOP_FLAGS[name];
      return [name, { ...text(value, help), ...(rest.many === undefined ? {} : { many: true }) }];
    }),
  );
}

const LIMITS = loopOptions("max-iterations", "budget-usd", "budget-tokens", "max-time", "review-every");
const CRITERIA = loopOptions("criteria", "fast-criteria", "must-not", "claim", "step", "protect");
const PROMISE = loopOptions("completion-promise");

const SESSION = {
  "session-id": text("id", "Session of the agent host (default: the session this shell belongs to)."),
  harness: text("name", "Agent host, such as claude-code (default: detected)."),
  ...SESSION_PLACE,
};

export const LOOP_COMMANDS: readonly CommandSpec[] = [
  {
    name: "loop:start",
    summary: "Start a loop: a task, how it ends, and its limits.",
    positionals: [{ name: "task", optional: true, many: true, help: "The task for the agent." }],
    options: {
      prompt: text("text", "The task."),
      "prompt-file": text("file", "File with the task; - for stdin."),
      ...CRITERIA,
      ...LIMITS,
      "completion-promise": text("text", "What the agent says in <promise> tags when it is done (default: generated)."),
      "criteria-timeout": text("time", "Time limit for each command (default: 10m)."),
      shape: text("tool|colleague", "Unattended, or with your review every few turns."),
      "run-id": text("id", "ID for the new run."),
      ...SESSION,
    },
    details:
      "The agent continues until it claims to be done and the engine has found every criterion met on the files as they are then. Without criteria the agent's word counts, and the report says so. In an agent's session the loop starts immediately; elsewhere, run `loop:resume` in a session to start it.",
    examples: [
      "babysitter loop:start --prompt-file task.md --criteria 'tests: npm test' --criteria 'types: npx tsc --noEmit' --max-iterations 20 --budget-usd 5",
    ],
  },
  {
    name: "loop:verify",
    summary: "Check the criteria now and show the results.",
    positionals: [RUN],
    options: {
      criterion: many("name", "Check only this criterion."),
      again: flag("Repeat checks already made on the same files."),
      wait: flag("Wait as long as it takes (default: 90 seconds)."),
      "no-wait": flag("Start the checks and return immediately."),
      timeout: text("time", "Wait this long: 90s, 30m, …"),
    },
    details:
      "Exit codes: 0 all met, 1 something not met, 9 still checking. Each command runs in its own process group; processes it leaves behind are stopped.",
  },
  {
    name: "loop:check",
    summary: "Print whether the agent may stop, as {ok, reason}, for scripts.",
    positionals: [RUN],
    options: SESSION,
    details: "Decides nothing and writes nothing. Agent hosts use hook:run instead.",
  },
  {
    name: "loop:step",
    summary: "Show the steps of a loop, or update one.",
    positionals: [
      {
        name: "run",
        optional: true,
        help: "Run ID or run directory (default: the session's run, or the only open run).",
      },
      { name: "step", optional: true, help: "ID of the step." },
    ],
    options: {
      done: flag("Mark the step as done."),
      failed: flag("Mark the step as failed."),
      open: flag("Reopen the step."),
      title: text("text", "Title of a new step."),
      "error-class": text("transient|logic|blocking|unknown", "Kind of error (default: unknown)."),
      note: text("text", "What happened."),
    },
    details:
      "transient: retried once, then the loop is paused. logic: the agent has to fix it. blocking and unknown: the loop is paused at the end of the turn and waits for you.",
    examples: ["babysitter loop:step write-tests --done"],
  },
  {
    name: "loop:amend",
    summary: "Change the contract of a loop. For people only.",
    positionals: [RUN],
    options: {
      ...CRITERIA,
      "drop-criterion": many("name", "Remove this criterion."),
      ...LIMITS,
      ...PROMISE,
      "accept-changes": flag("Accept the protected files as they are now."),
    },
  },
  {
    name: "loop:import",
    summary: "Import a loop from .loop/state.json, a task record or a session file.",
    positionals: [{ name: "file", optional: true, help: "The file (default: .loop/state.json)." }],
    options: {
      "run-id": text("id", "ID for the new run."),
      ...CRITERIA,
      ...LIMITS,
      ...PROMISE,
      ...SESSION,
    },
    details:
      "Criteria that the file marks as met count as claims. Criteria in words cannot be checked; add commands with --criteria.",
  },
];

/** What a person can do with any run that has a loop. */
export const RUN_CONTROL_COMMANDS: readonly CommandSpec[] = [
  {
    name: "run:pause",
    aliases: ["loop:pause"],
    summary: "Pause a loop: the agent may stop after its turn, and nothing is lost.",
    positionals: [RUN],
    options: { reason: text("text", "The reason, for the record."), ...SESSION_PLACE },
  },
  {
    name: "run:resume",
    aliases: ["loop:resume"],
    summary: "Resume a paused loop, or take a run into this session.",
    positionals: [RUN],
    options: {
      take: flag("Take the run from another session, even if that seems to be working on it."),
      ...LIMITS,
      ...PROMISE,
      ...SESSION,
    },
    details:
      "In an agent's session, a run that has a process but no loop yet gets one: 256 turns, unless you say otherwise. Elsewhere --take only ends the work of its session, so that `babysitter run <run> --agent claude-code` or another session can continue it.",
  },
  {
    name: "run:report",
    aliases: ["loop:report"],
    summary: "Report on a loop: how it ended, what was checked, what it cost.",
    positionals: [RUN],
    options: {},
  },
];
