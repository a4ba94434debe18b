/** The commands about the effects of a run. */
import { type CommandSpec, flag, text } from "./command-spec.js";

const RUN = { name: "run", optional: true, help: "Run ID or run directory (default: the only open run)." };

export const TASK_COMMANDS: readonly CommandSpec[] = [
  {
    name: "task:list",
    summary: "List the effects of a run.",
    positionals: [RUN],
    options: {
      pending: flag("Only effects without a result."),
      kind: text("kind", "Only this kind, such as node, agent or breakpoint."),
    },
  },
  {
    name: "task:show",
    summary: "Show one effect: task, inputs, result, attempts, logs.",
    positionals: [RUN, { name: "effect", help: "Effect ID." }],
    options: {},
    details:
      "Fields that look like secrets are hidden unless both BABYSITTER_ALLOW_SECRET_LOGS=1 and --verbose are set.",
  },
  {
    name: "task:logs",
    summary: "Print what a task has printed.",
    positionals: [RUN, { name: "effect", help: "Effect ID." }],
    options: {
      follow: { ...flag("Also print new output as it arrives, until the task ends."), short: "f" },
      lines: text("n", "Only the last n lines of each stream."),
    },
    details:
      "Standard output goes to stdout and standard error to stderr. On a terminal only the end of a long log is printed.",
    examples: ["babysitter task:logs run-20260120-example effect-abc123 -f"],
  },
  {
    name: "task:post",
    summary: "Record the result of an effect.",
    positionals: [RUN, { name: "effect", help: "Effect ID." }],
    options: {
      "no-hooks": flag("Do not call lifecycle hooks."),
      status: text("ok|error", "Outcome of the task."),
      value: text("file", "JSON file with the result; - for stdin (default: null)."),
      error: text("file", "JSON file with the error; - for stdin."),
      "stdout-ref": text("ref", "Where its standard output is stored."),
      "stderr-ref": text("ref", "Where its standard error is stored."),
      "stdout-file": text("file", "File with its standard output, copied to the effect's folder."),
      "stderr-file": text("file", "File with its standard error, copied to the effect's folder."),
      "started-at": text("iso8601", "When it started."),
      "finished-at": text("iso8601", "When it ended."),
      metadata: text("file", "JSON file with additional data to keep."),
      "invocation-key": text("key", "Refuse unless the effect has this key."),
      attempt: text("n", "Refuse unless this attempt is open."),
      "dry-run": flag("Check everything, record nothing."),
    },
    details:
      "outcome: committed, or duplicate when the same result is already recorded. A different result is refused, and the recorded one stays.",
    examples: [
      "babysitter task:post run-20260120-example effect-abc123 --status ok --value result.json",
      "echo '{\"score\":85}' | babysitter task:post effect-abc123 --status ok --value -",
    ],
  },
];
