/** What is still missing, for an agent that stops without saying that it is done. */
import { defined } from "../../model/json.js";
import type { Criterion } from "../../model/loop-contract.js";
import type { LoopState } from "../../model/loop-state.js";
import { shownLine } from "../../model/shown-text.js";
import { isClaimOnly } from "../rules/criterion-kinds.js";
import { decisiveResult, goalCriteria, type LoopNow, viewOf } from "../rules/loop-now.js";
import type { Situation } from "../rules/situation.js";
import { outcomeWords } from "./outcome-words.js";

const TEXT_LENGTH = 120;

/** Empty when there are no criteria, or all are met; those of a run count when its process has completed. */
export function unmetLine({ state, run, probes }: Situation): string {
  const now = defined({ tree: probes.tree });
  const unmet = goalCriteria(state).filter((criterion) => viewOf(state, criterion, now) !== "met");
  if (run.hasProcess || unmet.length === 0) return "";
  return `Unmet criteria: ${unmet.map((criterion) => standingWords(state, criterion, now, probes.verifying)).join(", ")}`;
}

/** A criterion by its name, or in its own words, and where it stands. */
export function standingWords(state: LoopState, criterion: Criterion, now: LoopNow, isChecking = false): string {
  const { id, text } = criterion;
  if (isClaimOnly(criterion)) return shownLine(text, TEXT_LENGTH);
  const result = decisiveResult(state, id, now);
  const unknown = isChecking ? "being checked" : "not checked on these files";
  return `${id} (${result === undefined ? unknown : outcomeWords(result)})`;
}
