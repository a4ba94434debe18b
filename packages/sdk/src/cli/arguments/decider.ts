import { answersOf, changeSource, decisionSource } from "../../machine/decision-source.js";
import type { RetryRequest } from "../../runs/retry-run.js";
import type { RunJournal } from "../../runs/run-journal.js";
import type { Invocation } from "../grammar/invocation.js";

/** Who gives this command, for what only someone who may decide can do. */
export function deciderOf(invocation: Invocation, journal: RunJournal): RetryRequest["decider"] {
  const source = invocation.typed?.source ?? decisionSource(invocation);
  return { source, answers: answersOf(invocation, journal), by: changeSource(source) };
}
