/** How far a loop was when it was cancelled. */
import type { LoopState } from "../../model/loop-state.js";
import { shownLine } from "../../model/shown-text.js";
import { goalCriteria, type LoopNow, remainingSteps, viewOf } from "../rules/loop-now.js";
import { standingWords } from "./unmet-criteria.js";

export interface CancelledWork {
  completedSteps: string[];
  remainingSteps: string[];
  metCriteria: string[];
  /** With what is known about each. */
  unmetCriteria: string[];
}

export function cancelledWork(state: LoopState, now: LoopNow = {}): CancelledWork {
  const criteria = goalCriteria(state);
  const isMet = (criterion: (typeof criteria)[number]): boolean => viewOf(state, criterion, now) === "met";
  return {
    completedSteps: state.steps.filter(({ status }) => status === "done").map(({ title }) => title),
    remainingSteps: remainingSteps(state).map(({ title }) => title),
    metCriteria: criteria.filter(isMet).map(({ id }) => id),
    unmetCriteria: criteria
      .filter((criterion) => !isMet(criterion))
      .map((criterion) => standingWords(state, criterion, now)),
  };
}

export function cancelledWorkLines(work: CancelledWork): string[] {
  const rows: [string, string[]][] = [
    ["Done:", work.completedSteps],
    ["Remaining:", work.remainingSteps],
    ["Criteria met when last checked:", work.metCriteria],
    ["Criteria not met when last checked:", work.unmetCriteria],
  ];
  return rows.flatMap(([title, items]) =>
    items.length === 0 ? [] : [`${title} ${items.map((item) => shownLine(item)).join(", ")}`],
  );
}
