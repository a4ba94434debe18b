import { openChosen } from "../../machine/choose-run.js";
import { runName } from "../../machine/run-name.js";
import { line } from "../../model/terminal-text.js";
import { retryRun } from "../../runs/retry-run.js";
import { deciderOf } from "../arguments/decider.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const { options } = invocation;
  const journal = await openChosen(invocation, invocation.positionals[0]);
  const name = runName(invocation, journal);
  const step = options.text("task") ?? options.text("effect");
  const { reopened } = await retryRun(journal, { step, name, decider: deciderOf(invocation, journal) });
  const list = reopened.map(
    ({ effectId, invocationKey, attempt }) => line`  ${effectId} ${invocationKey} (attempt ${attempt})`,
  );
  const text = [
    reopened.length === 0
      ? `${journal.runId} is reopened. None of its steps failed, so the next iteration replays its process.`
      : "The current process code will request again:",
    ...list,
    `next: babysitter run:iterate ${name}    (or, to drive it to its end: babysitter run ${name})`,
  ].join("\n");
  return { document: { runId: journal.runId, reopened }, text };
};
