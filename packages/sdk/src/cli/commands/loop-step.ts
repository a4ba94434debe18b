import { changeStep } from "../../loop-runs/change-loop.js";
import { writeLoopViews } from "../../machine/loops/loop-views.js";
import type { ErrorClass } from "../../model/loop-events.js";
import type { LoopState } from "../../model/loop-state.js";
import { line } from "../../model/terminal-text.js";
import { chooseLoop, giverOf } from "../arguments/choose-loop.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";
import { alignColumns } from "../output/output.js";

const ERROR_CLASSES: readonly ErrorClass[] = ["transient", "logic", "blocking", "unknown"];

export const command: Command = async (invocation) => {
  const { run, step } = runAndStep(invocation);
  // Without a name it must not take the first argument for one.
  const { journal } = await chooseLoop(invocation, run ?? "");
  if (step !== undefined) {
    const { options } = invocation;
    const [title, note, errorClass] = [options.text("title"), options.text("note"), errorClassOf(invocation)];
    await changeStep(journal, {
      step,
      status: statusOf(invocation),
      by: giverOf(invocation),
      ...(title === undefined ? {} : { title }),
      ...(note === undefined ? {} : { note }),
      ...(errorClass === undefined ? {} : { errorClass }),
    });
    await writeLoopViews(journal);
  }
  const { steps } = journal.summary.loop as LoopState;
  const next = steps.find(({ status }) => status !== "done");
  return {
    document: { runId: journal.runId, runDir: journal.runDir, steps, next: next?.id ?? null },
    text: [
      alignColumns(steps.map(({ id, title, status }) => [MARKS[status], id, title])),
      steps.length === 0
        ? "This loop has no steps."
        : next === undefined
          ? "All steps are done."
          : line`next step: ${next.title}`,
    ].join("\n"),
  };
};

const MARKS = { done: "✓", failed: "✗", open: "·" } as const;

/** `[run] step`: one argument is the step when something is said about it, else the run whose steps are to be shown. */
function runAndStep({ positionals, options }: Invocation): { run: string | undefined; step: string | undefined } {
  const [first, second] = positionals;
  if (second !== undefined) return { run: first, step: second };
  const isReport =
    ["done", "failed", "open"].some((word) => options.flag(word)) ||
    ["title", "note", "error-class"].some((word) => options.text(word) !== undefined);
  return isReport ? { run: undefined, step: first } : { run: first, step: undefined };
}

function statusOf(invocation: Invocation): "open" | "done" | "failed" {
  const { options } = invocation;
  const given = (["done", "failed", "open"] as const).filter((word) => options.flag(word));
  const [status, ...others] = given;
  if (others.length > 0) throw usageError(invocation, "Use only one of --done, --failed and --open.");
  if (status !== undefined) return status;
  if (options.text("title") !== undefined) return "open";
  throw usageError(invocation, "Specify the outcome of the step: --done, --failed or --open.");
}

function errorClassOf(invocation: Invocation): ErrorClass | undefined {
  const given = invocation.options.text("error-class");
  if (given === undefined) return invocation.options.flag("failed") ? "unknown" : undefined;
  const found = ERROR_CLASSES.find((name) => name === given);
  if (found === undefined) throw usageError(invocation, `--error-class must be one of ${ERROR_CLASSES.join(", ")}.`);
  return found;
}
