/** What people read of a contract when a loop starts. */
import type { LoopContract, LoopLimits } from "../../model/loop-contract.js";
import { counted, shownCount, shownDuration, shownUsd } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";
import { isClaimOnly } from "../rules/criterion-kinds.js";

const MAX_PROMISE = 200;

export function endsWhen({ criteria, promise, steps }: LoopContract): string {
  const checked = criteria.filter((criterion) => !isClaimOnly(criterion)).map(({ id }) => id);
  const said = `the agent says <promise>${shownLine(promise.text, MAX_PROMISE)}</promise>`;
  const all = steps.length === 1 ? "the step is" : `all ${steps.length} steps are`;
  const done = steps.length === 0 ? "" : `, ${all} done`;
  return checked.length === 0
    ? `${said}${done}; the agent's word is all that counts, because the engine has nothing to check`
    : `${said}${done}, and the engine has verified: ${checked.join(", ")}`;
}

/** A limit of 0 is one that somebody has lifted. */
export function limitsText({ iterations, usd = 0, tokens = 0, wallMs = 0, reviewEvery = 0 }: LoopLimits): string {
  return [
    iterations === 0 ? "no iteration limit" : counted(iterations, "iteration"),
    ...(usd === 0 ? [] : [shownUsd(usd)]),
    ...(tokens === 0 ? [] : [`${shownCount(tokens)} tokens`]),
    ...(wallMs === 0 ? [] : [shownDuration(wallMs)]),
    ...(reviewEvery === 0 ? [] : [`your review every ${counted(reviewEvery, "iteration")}`]),
  ].join(", ");
}
