/** Which criteria are met on the tree as it is now. Only what the engine has seen itself counts. */

import type { Criterion } from "../../model/loop-contract.js";
import type { CriterionChecked } from "../../model/loop-events.js";
import type { LoopState } from "../../model/loop-state.js";
import { traitsOf } from "./criterion-kinds.js";

/** `green`: met, or what must not happen has not; `unknown`: not checked on this tree. */
export type CriterionStanding = "green" | "red" | "unknown";

/**
 * The newest result that says something about this tree. A check that began on it, failed, and left other files behind
 * says at least that an older success is none: what it left may have been removed since.
 */
export function resultOn(results: readonly CriterionChecked[], tree: string | undefined): CriterionChecked | undefined {
  if (tree === undefined) return undefined;
  const newest = results.findLast((result) => countsOn(result, tree) || (!result.ok && result.before === tree));
  return newest !== undefined && countsOn(newest, tree) ? newest : undefined;
}

/**
 * A result counts when the tree is as the check left it. A check that changed the tree itself counts only when
 * no agent was at work meanwhile: otherwise nobody can say which of the two trees it was about.
 */
function countsOn({ before, after, alone }: CriterionChecked, tree: string): boolean {
  return after === tree && (before === after || alone);
}

export function resultsOf(state: Pick<LoopState, "results">, criterion: string): readonly CriterionChecked[] {
  return Object.hasOwn(state.results, criterion) ? (state.results[criterion] as CriterionChecked[]) : [];
}

export function criterionStanding(state: LoopState, criterion: Criterion, tree: string | undefined): CriterionStanding {
  const result = resultOn(resultsOf(state, criterion.id), tree);
  if (result === undefined) return "unknown";
  if (traitsOf(criterion).role === "required") return result.ok ? "green" : "red";
  // A command that took too long or could not be started has said neither yes nor no.
  if (!result.ok && result.outcome !== "unmet") return "unknown";
  return result.ok ? "red" : "green";
}

/** Criteria that the engine checks and that must be met. */
export function requiredCriteria(criteria: readonly Criterion[]): Criterion[] {
  return criteria.filter((criterion) => hasRole(criterion, "required"));
}

export function mustNotCriteria(criteria: readonly Criterion[]): Criterion[] {
  return criteria.filter((criterion) => hasRole(criterion, "must-not"));
}

/** What is checked after every turn, not only when the agent says that it is done. */
export function everyTurnCriteria(criteria: readonly Criterion[]): Criterion[] {
  return criteria.filter((criterion) => traitsOf(criterion).isEveryTurn);
}

function hasRole(criterion: Criterion, wanted: "required" | "must-not"): boolean {
  const { isCheckable, role } = traitsOf(criterion);
  return isCheckable && role === wanted;
}

/** What the engine has yet to look at before it can believe a claim about this tree; what must not happen is among it. */
export function uncheckedCriteria(state: LoopState, tree: string | undefined): Criterion[] {
  return state.contract.criteria.filter(
    (criterion) => traitsOf(criterion).isCheckable && criterionStanding(state, criterion, tree) === "unknown",
  );
}

/** Required criteria by where they stand. */
export function sortCriteria(state: LoopState, tree: string | undefined): Record<CriterionStanding, Criterion[]> {
  const sorted: Record<CriterionStanding, Criterion[]> = { green: [], red: [], unknown: [] };
  for (const criterion of requiredCriteria(state.contract.criteria))
    sorted[criterionStanding(state, criterion, tree)].push(criterion);
  return sorted;
}
