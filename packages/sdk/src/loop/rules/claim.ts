/** What the agent says about being done. Saying so ends nothing where the engine can check. */
import { requiredCriteria } from "./criteria-standing.js";
import { findTags, normalised, promiseMatches, type SaidTag, saidTags, withExactTags } from "./promise-grammar.js";
import type { Situation } from "./situation.js";

export interface Claim {
  /** The completion proof of the run, said anywhere in the turn. */
  proof: boolean;
  /** The promise that was agreed, as the last one of the turn's last words: what a tool shows may take it back. */
  promise: boolean;
  /** A `<loop-complete>` block, in the same place. */
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
    ...wordsOfDone(
      probes.lastWords.flatMap((block) => saidTags(block)),
      normalised(state.contract.promise.text),
    ),
  };
}

/** Whoever is blocked after words of being done is not done. */
function notTakenBack(tags: readonly SaidTag[]): readonly SaidTag[] {
  return tags.slice(tags.findLastIndex(({ name }) => name === "loop-blocked") + 1);
}

/** The last promise counts, since it may take an earlier one back. */
function wordsOfDone(tags: readonly SaidTag[], promise: string): Omit<Claim, "proof"> {
  const last = notTakenBack(tags);
  return {
    promise: promise !== "" && last.findLast(({ name }) => name === "promise")?.content === promise,
    complete: last.some(({ name }) => name === "loop-complete"),
  };
}

/**
 * Words of being done that do not count: `early` before a tool call, `inexact` not to the letter, `other` a promise that
 * was never agreed here, such as that of an earlier loop.
 */
export type NearClaim = "early" | "inexact" | "other";

export function nearClaim(situation: Situation): NearClaim | undefined {
  const { state, run, probes } = situation;
  if (run.hasProcess || isClaim(situation)) return undefined;
  const isMeantIn = (blocks: readonly string[]): boolean => {
    const tags = blocks.flatMap((block) => saidTags(withExactTags(block)));
    const letters = tags.map(({ name, content }) => ({ name, content: lettersOf(content) }));
    const { promise, complete } = wordsOfDone(letters, lettersOf(state.contract.promise.text));
    return promise || (complete && takesComplete(situation));
  };
  if (isMeantIn(probes.lastWords)) return "inexact";
  if (isMeantIn(probes.blocks)) return "early";
  return isOtherPromise(situation) ? "other" : undefined;
}

/** True for a promise of something else; after the agreed one it takes that back. */
function isOtherPromise({ state, probes }: Situation): boolean {
  const tags = notTakenBack(probes.lastWords.flatMap((block) => saidTags(block)));
  const promises = tags.filter(({ name, content }) => name === "promise" && content !== "");
  const agreed = normalised(state.contract.promise.text);
  return promises.length > 0 && promises.every(({ content }) => content !== agreed);
}

/** What is left without case, white space and punctuation. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
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
