/**
 * Exit codes of every command. One table, so that scripts can rely on a number meaning the same
 * thing everywhere.
 */
export const EXIT_CODES = {
  ok: { exit: 0, meaning: "done or approved" },
  failed: { exit: 1, meaning: "failed" },
  usage: { exit: 2, meaning: "usage error: flags, arguments or input files" },
  waiting: { exit: 3, meaning: "waiting for input from outside: a person's answer or review, or a result" },
  limit: { exit: 4, meaning: "a limit was reached" },
  stuck: { exit: 5, meaning: "stuck: no progress" },
  claim: { exit: 6, meaning: "ended by claim only, not verified" },
  refused: { exit: 7, meaning: "refused: not allowed in this state" },
  blocked: {
    exit: 8,
    meaning: "blocked: journal and code disagree, or the journal is damaged",
  },
  busy: { exit: 9, meaning: "busy: another program is working on it" },
  rejected: { exit: 10, meaning: "rejected by a human" },
  expired: { exit: 11, meaning: "expired: nobody decided in time" },
  cancelled: { exit: 12, meaning: "cancelled" },
  unfinished: { exit: 13, meaning: "not finished: give the same command again" },
  interrupted: { exit: 130, meaning: "interrupted" },
} as const;

/** Name of a row of {@link EXIT_CODES}. */
export type ExitName = keyof typeof EXIT_CODES;

interface ErrorRow {
  readonly exit: ExitName;
  readonly summary: string;
  /** A command that runs the process itself can only be killed; this is what a shell reports then. */
  readonly killed?: number;
}

const row = (exit: ExitName, summary: string): ErrorRow => ({ exit, summary });

/** Every error a user can see: its code, exit code and meaning. */
export const ERROR_CODES = {
  USAGE: row("usage", "The command line is invalid: unknown command or flag, missing or bad value."),
  INPUT_NOT_JSON: row("usage", "A file or stdin should contain JSON but does not."),
  INPUTS_INVALID: row("usage", "The inputs do not match the inputSchema of the process, or it is not a JSON Schema."),
  INPUT_NOT_FOUND: row("usage", "A file named on the command line does not exist or cannot be read."),
  STDIN_TIMEOUT: row("usage", "The command reads stdin, but stdin neither delivered data nor closed in time."),
  CONFIG_INVALID: row(
    "usage",
    "A configuration file or environment variable is invalid: unknown setting, bad value, not JSON, or unreadable file.",
  ),
  INVALID_ID: row("usage", "A run, effect or session ID contains invalid characters or is too long."),
  RUN_NOT_FOUND: row("usage", "No run has this ID or directory."),
  NO_OPEN_RUN: row("usage", "No run was given, and there is no open one to use by default."),
  RUN_AMBIGUOUS: row("usage", "No run was given and several are open, or a short name matches several runs."),
  RUN_EXISTS: row("refused", "A run with this ID already exists; nothing was changed."),
  RUN_OPEN: row("refused", "The run has not finished, so it cannot be archived."),
  ARCHIVE_OTHER_FILE_SYSTEM: row(
    "refused",
    "The archive is on a different file system from the runs, so a run cannot be moved there atomically.",
  ),
  FOREIGN_RUN: row("refused", "The directory was created by another tool; it can be listed but not used."),
  ENTRY_NOT_FOUND: row("usage", "The process file does not exist."),
  EXPORT_NOT_FOUND: row("usage", "The process file does not have this export, or the export is not a function."),
  PROCESS_LOAD_FAILED: row(
    "failed",
    "The process file could not be loaded: a syntax error, a missing import, or an error at its top level.",
  ),
  PROCESS_STALLED: row(
    "failed",
    "The process waits for something that will never happen, or for a timer beyond the limit: nothing is pending and no work is active.",
  ),
  PROCESS_SPINS: {
    ...row("failed", "The process blocked the thread beyond the watchdog's limit, probably in an endless loop."),
    killed: 137,
  },
  PROCESS_EXIT_CALLED: row("failed", "The process called process.exit(); a process ends by returning or throwing."),
  PROCESS_DIED: row(
    "failed",
    "The program that runs the process ended without a result: it crashed or ran out of memory.",
  ),
  REQUEST_NOT_REPLAYABLE: row(
    "failed",
    "The process asked for something because of an event that no replay can repeat; the request was not recorded.",
  ),
  EFFECT_NOT_AWAITED: row(
    "failed",
    "The process returned while something that it had asked for was still open, and it had never awaited or otherwise used the promise of the call.",
  ),
  RUN_BUSY: row("busy", "Another driver is working on this run."),
  VALUE_NOT_JSON: row("usage", "A value cannot be recorded as JSON: it is circular or contains a BigInt."),
  RUN_DIVERGED: row("blocked", "The process asked for something other than what the journal recorded."),
  GATES_CHANGED: row(
    "blocked",
    "Breakpoints that people agreed to are missing from the process. Restore them, or have a person accept the code with run:accept-code.",
  ),
  RUN_CONTENDED: row("busy", "Other writers kept changing the run; the command gave up after many attempts."),
  EFFECT_NOT_FOUND: row("usage", "The run does not have this effect."),
  EFFECT_AMBIGUOUS: row("usage", "A short name matches several effects of the run."),
  EFFECT_ALREADY_RESOLVED: row("refused", "The effect already has a different result, which stays."),
  EFFECT_NOT_REOPENABLE: row("refused", "Later steps already depend on this result, so it cannot be retried in place."),
  INVOCATION_KEY_MISMATCH: row("refused", "The effect's invocation key differs from the one given."),
  ATTEMPT_STALE: row("refused", "The result belongs to an attempt that a newer one has replaced."),
  RUN_FINISHED: row("refused", "The run has finished and accepts no more results."),
  OUTPUT_PENDING: row("waiting", "The run has not completed, so it has no output yet."),
  NO_OUTPUT: row("failed", "The run has ended without an output: it failed, was cancelled, or has no process."),
  NOTHING_TO_RETRY: row("refused", "The run has not failed, and no failed effect was given."),
  BREAKPOINT_ANSWER_UNCLEAR: row("usage", "The answer to a breakpoint does not say whether it approves or rejects."),
  BREAKPOINT_NOT_FOUND: row("usage", "No question has this ID, or more than one starts with it."),
  BREAKPOINT_REASON_MISSING: row("usage", "A rejection needs a reason."),
  BREAKPOINT_OPTION_UNKNOWN: row("usage", "The chosen answer is not one of the options."),
  FILE_NOT_SHOWN: row(
    "refused",
    "This is not a log, an artifact, evidence or a transcript of the run, or it is not a regular file inside the run.",
  ),
  SIGN_IN_REFUSED: row("refused", "The link to the inbox was used before, or is too old."),
  INBOX_MISSING: row("usage", "The inbox is not installed, or its recorded program is gone."),
  INBOX_NOT_STARTED: row("failed", "The inbox's server did not start; the message quotes its log."),
  CHANNEL_NOT_ENABLED: row(
    "usage",
    "No channel, or not this one, is enabled: `babysitter extension enable` does that.",
  ),
  CHANNEL_REFUSED: row("refused", "The service does not accept the token of a channel; nothing was changed."),
  BREAKPOINT_CHANGED: row("refused", "The question has changed since the decision; review it again."),
  DECISION_NOT_ALLOWED: row("refused", "This question cannot be decided this way; the hint names the allowed ways."),
  BREAKPOINT_REJECTED: row(
    "rejected",
    "A breakpoint was rejected and the process continued without checking the answer.",
  ),
  JOURNAL_BROKEN: row("blocked", "The journal's chain of events is damaged."),
  JOURNAL_UNWRITABLE: row("failed", "The run directory is not writable: read-only, full or no permission."),
  JOURNAL_UNREADABLE: row("failed", "A run directory cannot be read: no permission, or the disk reports an error."),
  PROJECT_UNWRITABLE: row(
    "failed",
    "A project file cannot be created: read-only, full, no permission, or something else is in its place.",
  ),
  HARD_LINKS_UNSUPPORTED: row(
    "failed",
    "The file system of the runs directory does not support hard links, which the journal needs.",
  ),
  ENGINE_TOO_OLD: row(
    "refused",
    "The journal was written by a newer version; this version can read it but not write it.",
  ),
  LIMIT_REACHED: row("limit", "The loop has reached a limit; raise the limit to continue."),
  NO_PROCESS: row("refused", "The run is a loop with only a prompt; it has no process to replay or drive."),
  NO_LOOP: row("usage", "The run has no loop, and so no contract that keeps an agent going."),
  STEP_NOT_FOUND: row("usage", "The loop does not have this step."),
  LOOP_SPEC_WEAK: row(
    "refused",
    "The task description is too weak for unattended work; the hint asks for what is missing.",
  ),
  CRITERION_INVALID: row("usage", "A criterion is not written as `name: command`, or its name is taken."),
  SESSION_BOUND: row("refused", "The session already works on another run, or another session works on this one."),
  SESSION_NOT_FOUND: row("usage", "No session file exists for this ID, or the session has never been seen here."),
  SESSION_FILE_CORRUPT: row("blocked", "The session file cannot be read; it was not changed."),
  SESSION_UNREACHABLE: row(
    "failed",
    "A session file or the list of projects cannot be read or written: read-only, full or no permission.",
  ),
  HOOKS_DISABLED: row("refused", "The agent host runs no hooks in this session, so a loop could not hold it."),
  ONLY_FOR_PEOPLE: row("refused", "Only a person may do this, not the agent concerned."),
  TASK_INVALID: row(
    "failed",
    "A task definition or an argument of a ctx call is wrong: not a task, a misspelt kind or field, a value of another type.",
  ),
  SYSTEM_REFUSED: row(
    "failed",
    "The operating system refused to read, write or start something: no permission, read-only, full, too many open files.",
  ),
  INTERNAL: row("failed", "A bug in babysitter itself."),
} as const satisfies Record<string, ErrorRow>;

/** Code of a {@link BabysitterError}. */
export type ErrorCode = keyof typeof ERROR_CODES;
