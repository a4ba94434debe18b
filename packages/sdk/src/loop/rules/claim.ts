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

/** The last promise counts, since it may take an earlier one back; and whoever is blocked then is not done. */
function wordsOfDone(tags: readonly SaidTag[], promise: string): Omit<Claim, "proof"> {
  const last = tags.slice(tags.findLastIndex(({ name }) => name === "loop-blocked") + 1);
  return {
    promise: promise !== "" && last.findLast(({ name }) => name === "promise")?.content === promise,
    complete: last.some(({ name }) => name === "loop-complete"),
  };
}

/** Words of being done that were meant, and do not count: `early` before a tool call, `inexact` not to the letter. */
export type NearClaim = "early" | "inexact";

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
  return isMeantIn(probes.blocks) ? "early" : undefined;
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
