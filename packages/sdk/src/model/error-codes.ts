/**
 * Exit codes of every command. One table, so that scripts can rely on a number meaning the same
 * thing everywhere.
 */
export const EXIT_CODES = {
  ok: { exit: 0, meaning: "done or approved" },
  failed: { exit: 1, meaning: "failed" },
  usage: { exit: 2, meaning: "wrong usage: flags, arguments or input files" },
  waiting: { exit: 3, meaning: "waiting for a human" },
  limit: { exit: 4, meaning: "a limit was reached" },
  stuck: { exit: 5, meaning: "stuck: no progress" },
  claim: { exit: 6, meaning: "ended by claim only, not verified" },
  refused: { exit: 7, meaning: "refused: not allowed in this state" },
  blocked: { exit: 8, meaning: "blocked: journal and code disagree, or the journal is damaged" },
  busy: { exit: 9, meaning: "busy: somebody else is at work" },
  rejected: { exit: 10, meaning: "rejected by a human" },
  expired: { exit: 11, meaning: "expired" },
  cancelled: { exit: 12, meaning: "cancelled" },
  interrupted: { exit: 130, meaning: "interrupted" },
} as const;

/** Name of a row of {@link EXIT_CODES}. */
export type ExitName = keyof typeof EXIT_CODES;

type ErrorRow = { readonly exit: ExitName; readonly summary: string };

const row = (exit: ExitName, summary: string): ErrorRow => ({ exit, summary });

/** Every error a user can meet: its code, its exit code and what it means. */
export const ERROR_CODES = {
  USAGE: row("usage", "The command line is wrong: unknown command or flag, missing or bad value."),
  INPUT_NOT_JSON: row("usage", "A file or stdin that must hold JSON does not."),
  INPUT_NOT_FOUND: row("usage", "A file named on the command line does not exist or cannot be read."),
  STDIN_TIMEOUT: row("usage", "Input was asked from stdin, but stdin neither delivered data nor closed in time."),
  CONFIG_INVALID: row(
    "usage",
    "A configuration file or an environment variable is wrong: an unknown setting, a bad value, no JSON, or no readable file.",
  ),
  INVALID_ID: row("usage", "A run, effect or session id contains characters that are not allowed, or is too long."),
  RUN_NOT_FOUND: row("usage", "There is no run with this id or directory."),
  RUN_AMBIGUOUS: row("usage", "No run was named and there is not exactly one open run to take as default."),
  RUN_EXISTS: row("refused", "A run with this id exists already; nothing was changed."),
  RUN_OPEN: row("refused", "The run has not finished; it cannot be put aside."),
  ARCHIVE_OTHER_FILE_SYSTEM: row(
    "refused",
    "The archive is on another file system than the runs, so a run cannot be moved there in one step.",
  ),
  FOREIGN_RUN: row("refused", "The directory was made by another tool; it can be listed, not used."),
  ENTRY_NOT_FOUND: row("usage", "The process file does not exist."),
  EXPORT_NOT_FOUND: row("usage", "The process file has no such export, or the export is not a function."),
  PROCESS_LOAD_FAILED: row(
    "failed",
    "The process file could not be loaded: a syntax error, a missing import, or an error at its top level.",
  ),
  PROCESS_STALLED: row(
    "failed",
    "The process waits for something that can never come: nothing is pending and no work is active.",
  ),
  PROCESS_SPINS: row(
    "failed",
    "The process kept the thread busy past the watchdog's limit, probably an endless loop. The command is ended by SIGKILL, which a shell reports as 137.",
  ),
  PROCESS_EXIT_CALLED: row("failed", "The process called process.exit(); a process ends by returning or throwing."),
  PROCESS_DIED: row("failed", "The program that runs the process ended without an answer: a crash, or memory ran out."),
  RUN_BUSY: row("busy", "Another driver is at work on this run."),
  VALUE_NOT_JSON: row("usage", "A value cannot be recorded as JSON: it is circular or holds a BigInt."),
  RUN_DIVERGED: row("blocked", "The process asked for something else than the journal says it asked before."),
  RUN_CONTENDED: row("busy", "Other writers kept changing the run; the command gave up after many attempts."),
  EFFECT_NOT_FOUND: row("usage", "The run has no such effect."),
  EFFECT_ALREADY_RESOLVED: row("refused", "The effect already has another result; the recorded one stays."),
  EFFECT_NOT_REOPENABLE: row("refused", "Later steps already build on this result; it cannot be tried again in place."),
  INVOCATION_KEY_MISMATCH: row("refused", "The effect has another invocation key than the one given."),
  ATTEMPT_STALE: row("refused", "The result belongs to an attempt that has been replaced by a newer one."),
  RUN_FINISHED: row("refused", "The run has finished; it takes no more results."),
  NOTHING_TO_RETRY: row("refused", "The run has not failed and no failed effect was named."),
  BREAKPOINT_ANSWER_UNCLEAR: row("usage", "The answer to a breakpoint does not say whether it approves or rejects."),
  BREAKPOINT_NOT_FOUND: row("usage", "There is no question with this id, or more than one begins with it."),
  BREAKPOINT_REASON_MISSING: row("usage", "A rejection needs a reason."),
  BREAKPOINT_OPTION_UNKNOWN: row("usage", "The chosen answer is none of those that were offered."),
  BREAKPOINT_CHANGED: row("refused", "What the question shows is not what was decided about; look again."),
  DECISION_NOT_ALLOWED: row("refused", "This question must not be decided this way; the hint names the right ones."),
  BREAKPOINT_REJECTED: row(
    "rejected",
    "A breakpoint was rejected and the process went on without looking at the answer.",
  ),
  JOURNAL_BROKEN: row("blocked", "The journal's chain of events is damaged."),
  JOURNAL_UNWRITABLE: row("failed", "The run's directory cannot be written: read-only, full, or without permission."),
  PROJECT_UNWRITABLE: row(
    "failed",
    "A file of the project cannot be made: read-only, full, without permission, or something else is in its place.",
  ),
  HARD_LINKS_UNSUPPORTED: row(
    "failed",
    "The file system of the runs directory has no hard links, which the journal needs.",
  ),
  ENGINE_TOO_OLD: row("refused", "The journal was written by a newer version; this one can read but not write it."),
  LIMIT_REACHED: row("limit", "The loop has reached a limit; it goes on when the limit is raised."),
  NO_PROCESS: row("refused", "The run is a loop that has only a prompt; there is no process to replay or drive."),
  NO_LOOP: row("usage", "The run has no loop: no contract says what keeps its agent going."),
  STEP_NOT_FOUND: row("usage", "The loop has no such step."),
  LOOP_SPEC_WEAK: row(
    "refused",
    "The task is not described well enough to be left alone; the hint asks what is missing.",
  ),
  CRITERION_INVALID: row("usage", "A criterion is not written as `name: command`, or its name is taken."),
  SESSION_BOUND: row("refused", "The session already works on another run."),
  SESSION_NOT_FOUND: row("usage", "There is no session file for this id."),
  SESSION_FILE_CORRUPT: row("blocked", "The session file cannot be read; it was left as it is."),
  SESSION_UNREACHABLE: row(
    "failed",
    "A session file or the list of projects cannot be read or written: read-only, full, or without permission.",
  ),
  ONLY_FOR_PEOPLE: row("refused", "Only a person may do this, not the agent that it is about."),
  TASK_INVALID: row("failed", "ctx.task was called with something that is no task definition."),
  INTERNAL: row("failed", "A defect in babysitter itself."),
} as const satisfies Record<string, ErrorRow>;

/** Code of a {@link BabysitterError}. */
export type ErrorCode = keyof typeof ERROR_CODES;
