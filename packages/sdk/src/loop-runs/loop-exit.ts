import type { ExitName } from "../model/error-codes.js";
import type { LoopState } from "../model/loop-state.js";

/** Scripts learn from the exit code what a person reads in the first line. */
export function loopExit({ ended, paused }: LoopState, isCancelled: boolean): ExitName {
  if (ended !== undefined) return ended.attestation === "claim" ? "claim" : "ok";
  if (isCancelled) return "cancelled";
  if (paused === undefined) return "ok";
  if (/^(?:budget_|max_iterations|cost_unknown)/u.test(paused.code)) return "limit";
  if (/^(?:stuck_|iteration_too_fast|claims_exhausted|blocked_confirmed|harness_block_cap)/u.test(paused.code))
    return "stuck";
  return "waiting";
}
