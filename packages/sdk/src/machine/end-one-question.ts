import { BabysitterError } from "../model/errors.js";
import { advanceOneQuestion, isOneQuestion } from "../runs/one-question.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { Environment } from "./caller.js";
import { quietLimitOf } from "./local-ports.js";

/** Ends a run that was nothing but the question that has been decided; false for any other, and where it cannot end. */
export async function endOneQuestion({ summary, ports, runId }: RunJournal, env: Environment): Promise<boolean> {
  if (!isOneQuestion(summary)) return false;
  try {
    await advanceOneQuestion(ports, runId, quietLimitOf(env));
    return true;
  } catch (error) {
    // The decision is recorded; that its run cannot end by itself is for the next command to say.
    if (!BabysitterError.is(error)) throw error;
    return false;
  }
}
