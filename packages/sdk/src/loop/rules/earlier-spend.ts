import type { LoopContract } from "../../model/loop-contract.js";
import type { Spend } from "../../model/loop-events.js";

/** What a loop has used, with what it had cost in the tool that began it: a budget is for the whole task. */
export function withEarlierSpend(spend: Spend, { origin }: Pick<LoopContract, "origin">): Spend {
  const earlier = origin?.usd ?? 0;
  if (earlier === 0) return spend;
  const usd = spend.usd === null ? null : spend.usd + earlier;
  return { ...spend, usd, knownUsd: spend.knownUsd + earlier };
}
