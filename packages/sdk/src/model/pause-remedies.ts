/** What a paused loop needs before it is resumed, where it would only be paused again for the same reason. */
import { type PauseAtLimit, raisesLimit } from "./lifted-limits.js";
import type { LoopContract } from "./loop-contract.js";

interface Remedy {
  /** The options of `loop:amend` that help, and when they are what to type. */
  amend?: { options: string; when: string };
  /** When to resume. */
  resume: string;
  /** True when a change of the contract has helped. */
  isDone?: (before: LoopContract, after: LoopContract) => boolean;
}

const REMEDIES: Readonly<Record<string, Remedy>> = {
  contract_tampered: {
    amend: { options: "--accept-changes", when: "to accept the changes, once you have looked at them" },
    resume: "then, or after undoing the changes",
    isDone: (before, { protectedThings }) =>
      before.protectedThings.some((was) => !protectedThings.some((is) => JSON.stringify(is) === JSON.stringify(was))),
  },
  no_criteria: {
    amend: { options: "--criteria 'name: command'", when: "to add a criterion" },
    resume: "then",
    isDone: (_, { criteria }) => criteria.length > 0,
  },
  cost_unknown: {
    amend: { options: "--budget-usd 0", when: "to do without the cost limit" },
    resume: "then",
    isDone: (_, { limits }) => (limits.usd ?? 0) === 0,
  },
  must_not_violated: { resume: "after undoing what the check has found" },
  verification_unsettled: { resume: "after making its checks write to ignored paths only" },
  error_blocking: { resume: "after fixing the error" },
  stuck_permissions: { resume: "after allowing it" },
  blocked_confirmed: { resume: "after removing what is in its way" },
};

export function remedyOf({ code = "", lifted }: PauseAtLimit = {}): Remedy | undefined {
  return lifted !== true && Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;
}

/** True when a changed contract takes away what has paused the loop. */
export function liftsPause(paused: PauseAtLimit, before: LoopContract, after: LoopContract): boolean {
  return raisesLimit(paused, before.limits, after.limits) || (remedyOf(paused)?.isDone?.(before, after) ?? false);
}
