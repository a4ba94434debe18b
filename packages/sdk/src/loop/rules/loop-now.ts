/** Where a loop stands and what comes next, in the words that every view of it uses. */

import type { Criterion } from "../../model/loop-contract.js";
import type { CriterionChecked } from "../../model/loop-events.js";
import type { LoopState, StepState } from "../../model/loop-state.js";
import { shownLine } from "../../model/shown-text.js";
import { resultOn, resultsOf } from "./criteria-standing.js";
import { traitsOf } from "./criterion-kinds.js";

/** What the events of a loop alone do not tell. */
export interface LoopNow {
  /** The working tree as it is now. Without it the newest result of a criterion counts. */
  tree?: string;
  /** The run was cancelled. */
  cancelled?: { at: string; reason?: string };
}

/** `claimed`: the loop has ended by the agent's word. `unchecked`: nothing is known about the tree as it is. */
export type CriterionView = "met" | "unmet" | "unchecked" | "claimed";

/** The result that tells where a criterion stands. What held when the loop ended is not touched by later changes. */
export function decisiveResult(state: LoopState, id: string, { tree }: LoopNow): CriterionChecked | undefined {
  const results = resultsOf(state, id);
  return tree === undefined || state.ended !== undefined ? results.at(-1) : resultOn(results, tree);
}

export function viewOf(state: LoopState, criterion: Criterion, now: LoopNow): CriterionView {
  if (!traitsOf(criterion).isCheckable) return state.ended === undefined ? "unchecked" : "claimed";
  const result = decisiveResult(state, criterion.id, now);
  if (result === undefined) return "unchecked";
  return result.ok ? "met" : "unmet";
}

/** Everything that has to be met; what must not happen is no goal. */
export function goalCriteria({ contract }: LoopState): Criterion[] {
  return contract.criteria.filter((criterion) => traitsOf(criterion).role === "required");
}

export function isOpen(state: LoopState, { cancelled }: LoopNow): boolean {
  return state.ended === undefined && cancelled === undefined;
}

/** Labels of what is not met as far as anyone knows. */
export function unmetLabels(state: LoopState, now: LoopNow): string[] {
  return goalCriteria(state)
    .filter((criterion) => ["unmet", "unchecked"].includes(viewOf(state, criterion, now)))
    .map((criterion) => traitsOf(criterion).label);
}

export function remainingSteps({ steps }: LoopState): StepState[] {
  return steps.filter(({ status }) => status !== "done");
}

/** When the work began, also where another tool began it; nobody can have begun it after it was taken over. */
export function beganAt({ contract, startedAt }: Pick<LoopState, "contract" | "startedAt">): string {
  const earlier = contract.origin?.startedAt ?? "";
  return Date.parse(earlier) <= Date.parse(startedAt) ? earlier : startedAt;
}

/** What to do next, in one line. */
export function nextAction(state: LoopState, now: LoopNow = {}): string {
  const [step] = remainingSteps(state);
  if (step !== undefined) return shownLine(step.title);
  if (state.contract.mode === "run") return "continue the run (run:iterate)";
  const checkable = goalCriteria(state).filter((criterion) => traitsOf(criterion).isCheckable);
  const views = checkable.map((criterion) => ({ criterion, view: viewOf(state, criterion, now) }));
  const red = views.find(({ view }) => view === "unmet")?.criterion;
  if (red !== undefined) return `meet the criterion ${shownLine(traitsOf(red).label)}`;
  if (views.some(({ view }) => view === "unchecked")) return "continue with the task, and check it (loop:verify)";
  const promise = `<promise>${shownLine(state.contract.promise.text)}</promise>`;
  return checkable.length > 0
    ? `every check is met; if all is done, the agent ends the loop with ${promise}`
    : `continue with the task; when all is done, the agent ends the loop with ${promise}`;
}
