/** Checks criteria one after the other: side by side they would disturb each other. */
import { traitsOf } from "../loop/rules/criterion-kinds.js";
import type { Criterion } from "../model/loop-contract.js";
import type { CriterionChecked } from "../model/loop-events.js";
import { type CheckedCriterion, type CheckPlace, type CheckResult, checkCriterion } from "./check-criterion.js";
import { isTouchedSince, momentNow } from "./touched-since.js";

/** A result as it is reported: the caller adds whose it is. */
export type VerifiedCriterion = CheckResult & Pick<CriterionChecked, "flaky">;

export interface VerifyRequest extends CheckPlace {
  /** What the engine cannot check is passed over. */
  criteria: readonly Criterion[];
  /** Earlier results of each criterion, in any order. */
  earlier: Readonly<Record<string, readonly Pick<CriterionChecked, "ok" | "before" | "after">[]>>;
  /** Called with each result before the next criterion is begun. */
  report: (result: VerifiedCriterion) => void | Promise<void>;
}

/** `stopped`: it was cancelled before all criteria were checked. */
export async function verifyCriteria(request: VerifyRequest): Promise<"done" | "stopped"> {
  for (const criterion of request.criteria) {
    if (criterion.kind === "claim") continue;
    const result = await verified(criterion, request);
    if (result === undefined) return "stopped";
    await request.report(result);
  }
  return "done";
}

/**
 * Success on a tree on which the same check has failed must be seen twice. So must one during which someone was at the
 * files, as when an agent puts its changes away and takes them back: the check may have seen another tree.
 */
async function verified(criterion: CheckedCriterion, request: VerifyRequest): Promise<VerifiedCriterion | undefined> {
  const { projectRoot, cacheDir } = request;
  const begun = momentNow(cacheDir);
  const first = await checkCriterion(criterion, request);
  if (first === undefined) return undefined;
  const flaky = wasOtherwise(first, request.earlier);
  const isDoubtful =
    flaky || (first.ok && traitsOf(criterion).takesTime && isTouchedSince(begun, projectRoot, cacheDir));
  if (!first.ok || !isDoubtful) return { ...first, flaky };
  const second = await checkCriterion(criterion, request);
  return second === undefined ? undefined : { ...second, flaky };
}

/** On the same tree it came to the other result. A check that changes the tree is never on the same one. */
function wasOtherwise({ criterion, ok, before }: CheckResult, earlier: VerifyRequest["earlier"]): boolean {
  const results = Object.hasOwn(earlier, criterion) ? (earlier[criterion] ?? []) : [];
  return results.some((result) => result.ok !== ok && result.after === before && before !== "");
}
