/** What lifts the limit that has paused a loop, by the code of the pause. */
import type { LoopLimits } from "./loop-contract.js";

interface LiftedLimit {
  flag: string;
  /** What stands behind the flag, for people. */
  value: string;
  limit: "iterations" | "usd" | "tokens" | "wallMs";
}

/** A pause, as far as it says which limit is in the way. */
export interface PauseAtLimit {
  code?: string | undefined;
  /** What it was paused for was lifted during the pause. */
  lifted?: boolean | undefined;
}

const LIFTED_BY: Readonly<Record<string, LiftedLimit>> = {
  max_iterations_reached: { flag: "max-iterations", value: "<n>", limit: "iterations" },
  budget_cost: { flag: "budget-usd", value: "<amount>", limit: "usd" },
  budget_tokens: { flag: "budget-tokens", value: "<n>", limit: "tokens" },
  budget_time: { flag: "max-time", value: "<time>", limit: "wallMs" },
};

/** The limit without which the loop would be paused again at once. */
export function limitToLift({ code, lifted }: PauseAtLimit = {}): LiftedLimit | undefined {
  return lifted === true ? undefined : LIFTED_BY[code ?? ""];
}

/** The option that a command to resume needs; empty where it needs none. */
export function liftingOption(paused?: PauseAtLimit): string {
  const lifted = limitToLift(paused);
  return lifted === undefined ? "" : ` --${lifted.flag} ${lifted.value}`;
}

/** True when a changed contract raises the limit that has paused the loop, or takes it away. */
export function raisesLimit(paused: PauseAtLimit, before: LoopLimits, after: LoopLimits): boolean {
  const { limit } = limitToLift(paused) ?? {};
  return limit !== undefined && room(after[limit]) > room(before[limit]);
}

/** 0 and nothing mean that there is no limit. */
function room(limit: number | undefined): number {
  return limit === undefined || limit === 0 ? Number.POSITIVE_INFINITY : limit;
}
