/** The commands about the effects of a run. */
import { type CommandSpec, flag, text } from "./command-spec.js";

const RUN = { name: "run", optional: true, help: "Run id or run directory (default: the only open run)." };

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
    positionals: [RUN, { name: "effect", help: "Effect id." }],
    options: {},
    details:
      "Fields that look like secrets are hidden unless BABYSITTER_ALLOW_SECRET_LOGS=true and --verbose are given.",
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
  },
];
