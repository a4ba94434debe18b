/** What the agent says about being done. Saying so ends nothing where the engine can check. */
import { requiredCriteria } from "./criteria-standing.js";
import { findTags, normalised, promiseMatches } from "./promise-grammar.js";
import type { Situation } from "./situation.js";

export interface Claim {
  /** The completion proof of the run. */
  proof: boolean;
  /** The promise that was agreed. */
  promise: boolean;
  /** A `<loop-complete>` block. */
  complete: boolean;
}

/** Most rules ask for it, and a turn may have said a lot: it is read once. */
const readClaims = new WeakMap<Situation, Claim>();

export function claimOf(situation: Situation): Claim {
  const claim = readClaims.get(situation) ?? readClaim(situation);
  readClaims.set(situation, claim);
  return claim;
}

function readClaim({ state, run, probes }: Situation): Claim {
  return {
    proof: run.proof !== undefined && promiseMatches(probes.blocks, run.proof),
    promise: promiseMatches(probes.blocks, state.contract.promise.text),
    complete: probes.blocks.some((block) => findTags(block, "loop-complete").length > 0),
  };
}

/** True when the agent says that it is done in a way that this loop takes for an answer. */
export function isClaim(situation: Situation): boolean {
  const { proof, promise, complete } = claimOf(situation);
  if (situation.run.hasProcess) return proof;
  return promise || (complete && takesComplete(situation));
}

/** Words of being done that do not count here, such as a promise before the run has completed. */
export function isVainClaim(situation: Situation): boolean {
  const { promise, complete } = claimOf(situation);
  return situation.run.hasProcess && !isClaim(situation) && (promise || complete || hasPromiseTag(situation));
}

export function hasPromiseTag({ probes }: Situation): boolean {
  return probes.blocks.some((block) => findTags(block, "promise").length > 0);
}

/** Why the agent says it cannot continue. */
export function blockedReason({ probes }: Situation): string | undefined {
  const reasons = probes.blocks.flatMap((block) => findTags(block, "loop-blocked"));
  return reasons.map(normalised).findLast((reason) => reason !== "");
}

function takesComplete({ state: { contract } }: Situation): boolean {
  return contract.mode !== "prompt" || contract.criteria.length > 0;
}

/** True when nothing but the agent's word says that the goal is reached. */
export function isWordOnly({ state: { contract } }: Situation): boolean {
  return requiredCriteria(contract.criteria).length === 0;
}
