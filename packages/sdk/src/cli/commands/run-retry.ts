import { openChosen } from "../../machine/choose-run.js";
import { retryRun } from "../../runs/retry-run.js";
import type { Command } from "../grammar/invocation.js";

export const command: Command = async (invocation) => {
  const journal = await openChosen(invocation, invocation.positionals[0]);
  const { reopened } = await retryRun(journal, invocation.options.text("effect"));
  const list = reopened.map(
    ({ effectId, invocationKey, attempt }) => `  ${effectId} ${invocationKey} (attempt ${attempt})`,
  );
  const text = [
    reopened.length === 0 ? `${journal.runId} is reopened.` : "Reopened:",
    ...list,
    `next: babysitter run:iterate ${journal.runId}`,
  ].join("\n");
  return { document: { runId: journal.runId, reopened }, text };
};
