import { endOneQuestion } from "../../machine/end-one-question.js";
import { runName } from "../../machine/run-name.js";
import { isFinished } from "../../model/run-state.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";

/** Ends a run that was nothing but this question; returns the command that continues any other run that can continue. */
export async function nextAfterDecision(invocation: Invocation, journal: RunJournal): Promise<string | undefined> {
  if (await endOneQuestion(journal, invocation.env)) return undefined;
  if (isFinished(journal.summary)) return undefined;
  const name = runName(invocation, journal);
  return journal.summary.created.session === undefined ? `babysitter run ${name}` : `babysitter run:iterate ${name}`;
}
