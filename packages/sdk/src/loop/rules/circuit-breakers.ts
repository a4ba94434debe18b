/** Stuck or not, from what the last turns have achieved. Never from the agent's words. */
import type { ProgressSample } from "../../model/loop-events.js";
import { type LoopState, nextIterationTimes } from "../../model/loop-state.js";

/** In the order in which they are looked at; each is the end of a reason code `stuck_…`, except the last. */
export type Breaker = "oscillation" | "same_failure" | "too_fast" | "no_progress" | "plateau";

/** So many equal turns are one too many. */
const SAME_TURNS = 3;
const PLATEAU_TURNS = 5;
const RETURNS = 2;
/** The seed's guard against a runaway loop: from this iteration on, three turns, this average. */
const FAST_FROM_ITERATION = 5;
const FAST_SECONDS = 15;

/** The first breaker that trips when this turn is added to the ones before. */
export function trippedBreaker(state: LoopState, sample: ProgressSample): Breaker | undefined {
  const samples = [...state.progress, sample];
  if (returnsToOldTrees(samples) >= RETURNS) return "oscillation";
  if (isSameFailure(samples.slice(-SAME_TURNS))) return "same_failure";
  const stands = isSame(samples.slice(-SAME_TURNS), SAME_TURNS, progressKey);
  if (stands) return isTooFast(state, sample) ? "too_fast" : "no_progress";
  return isPlateau(samples.slice(-PLATEAU_TURNS)) ? "plateau" : undefined;
}

/** Average length of the last three turns where that is suspiciously short; only standing still makes it a reason. */
function isTooFast(state: LoopState, sample: ProgressSample): boolean {
  const times = nextIterationTimes(state.iterationTimes, sample.seconds);
  if (state.iteration < FAST_FROM_ITERATION || times.length < 3) return false;
  return times.reduce((sum, seconds) => sum + seconds, 0) / times.length <= FAST_SECONDS;
}

/** Equal keys mean that nothing happened; undefined when too little is known to say so. */
function progressKey({ tree, work, failing, stepsDone }: ProgressSample): string | undefined {
  return tree === undefined ? undefined : JSON.stringify([tree, work, failing ?? null, stepsDone]);
}

function isSame(
  samples: readonly ProgressSample[],
  turns: number,
  keyOf: (sample: ProgressSample) => string | undefined,
): boolean {
  const [first, ...rest] = samples.map(keyOf);
  return samples.length >= turns && first !== undefined && rest.every((key) => key === first);
}

/** The same failures although something was changed. */
function isSameFailure(samples: readonly ProgressSample[]): boolean {
  const trees = new Set(samples.map(({ tree }) => tree));
  return trees.size > 1 && isSame(samples, SAME_TURNS, failureKey);
}

function failureKey({ signatures = [] }: ProgressSample): string | undefined {
  return signatures.length === 0 ? undefined : JSON.stringify(signatures);
}

/** No criterion met, no step done and no fewer failures for this many turns. */
function isPlateau(samples: readonly ProgressSample[]): boolean {
  return isSame(samples, PLATEAU_TURNS, goalKey) && !isFalling(samples.map(({ failures }) => failures));
}

function goalKey({ failing = [], stepsDone }: ProgressSample): string | undefined {
  return failing.length === 0 ? undefined : JSON.stringify([failing, stepsDone]);
}

function isFalling(counts: readonly (number | undefined)[]): boolean {
  const [first] = counts;
  const last = counts.at(-1);
  return first !== undefined && last !== undefined && last < first;
}

/** How often the tree became one that it had been before, with another in between; 0 unless it just did again. */
function returnsToOldTrees(samples: readonly ProgressSample[]): number {
  const trees = samples.flatMap(({ tree }) => (tree === undefined ? [] : [tree]));
  const isReturn = (index: number): boolean =>
    trees[index] !== trees[index - 1] && trees.slice(0, index).includes(trees[index] as string);
  const returns = trees.flatMap((_, index) => (isReturn(index) ? [index] : []));
  return returns.at(-1) === trees.length - 1 ? returns.length : 0;
}
