import { quietLimitOf } from "../../machine/local-ports.js";
import { runName } from "../../machine/run-name.js";
import { BabysitterError } from "../../model/errors.js";
import { advanceOneQuestion, isOneQuestion } from "../../runs/one-question.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";

/** Ends a run that was nothing but this question; returns the command that continues any other run. */
export async function nextAfterDecision(invocation: Invocation, journal: RunJournal): Promise<string | undefined> {
  if (isOneQuestion(journal.summary)) {
    try {
      await advanceOneQuestion(journal.ports, journal.runId, quietLimitOf(invocation.env));
      return undefined;
    } catch (error) {
      // The decision is recorded; that its run cannot end by itself is for the next command to say.
      if (!BabysitterError.is(error)) throw error;
    }
  }
  const name = runName(invocation, journal);
  return journal.summary.created.session === undefined ? `babysitter run ${name}` : `babysitter run:iterate ${name}`;
}
