import { openToLook } from "../../machine/choose-run.js";
import { runName } from "../../machine/run-name.js";
import { BabysitterError } from "../../model/errors.js";
import { hasProcess } from "../../model/run-state.js";
import { describeRun } from "../../runs/describe-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Command } from "../grammar/invocation.js";
import { forScreen, screenHere } from "../output/for-screen.js";
import { isTerminal } from "../output/is-terminal.js";

/** The value that a run has returned, for pipes: a string as it is, everything else as JSON. */
export const command: Command = async (invocation) => {
  const journal = await openToLook(invocation, invocation.positionals[0]);
  const name = runName(invocation, journal);
  const { completed } = journal.summary;
  if (completed === undefined) throw await noOutput(journal, name);
  const output = await journal.valueOf(completed.output);
  const { json } = invocation;
  const text = typeof output === "string" && !json ? output : JSON.stringify(output, null, 2);
  const raw = text.endsWith("\n") ? text : `${text}\n`;
  if (json || !isTerminal(1)) return { document: output, text: "", raw };
  const whole = `babysitter run:output ${name} > output.${typeof output === "string" ? "txt" : "json"}`;
  return { document: output, text: forScreen(raw, screenHere(), whole) };
};

/** Scripts can tell "not yet" from "never" by the exit code. */
async function noOutput(journal: RunJournal, name: string): Promise<BabysitterError> {
  const { summary, runId } = journal;
  const { state, why, next } = await describeRun(journal, name);
  const isOver = state === "failed" || state === "cancelled" || !hasProcess(summary.created);
  const message = `Run ${runId} is ${state} and has no output${isOver ? "" : " yet"}. ${why}`;
  return new BabysitterError(isOver ? "NO_OUTPUT" : "OUTPUT_PENDING", message, {
    ...(next === undefined ? {} : { hint: `Next: ${next}` }),
    details: { runId, state },
  });
}
