/** What has changed between two texts, and between two lines. Loaded when the first difference is shown. */
import { diffArrays } from "diff/lib/diff/array.js";
import type { Range } from "./spans.js";

/** Lines that belong together; `before` and `after` count from 0. */
export interface LineRun {
  kind: "same" | "removed" | "added";
  before: number;
  after: number;
  count: number;
}

/** Beyond this nobody reads a difference, and finding the shortest one takes too long. */
const MAX_EDITS = 20_000;
const MAX_MS = 1_000;

/** Nothing when the texts differ so much that comparing them takes too long. */
export function diffLines(before: readonly string[], after: readonly string[]): LineRun[] | undefined {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [old, young] = numbered(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const pairs = pairsOf(old, young);
  if (pairs === undefined) return undefined;
  const runs = new Runs();
  runs.add("same", start);
  for (const [a, b] of [...pairs, [old.length, young.length] as const]) {
    runs.add("removed", start + a - runs.before);
    runs.add("added", start + b - runs.after);
    if (a < old.length) runs.add("same", 1);
  }
  runs.add("same", end);
  return runs.all;
}

/** Collects runs; neighbours of one kind become one. */
class Runs {
  readonly all: LineRun[] = [];
  before = 0;
  after = 0;

  add(kind: LineRun["kind"], count: number): void {
    if (count === 0) return;
    const last = this.all.at(-1);
    if (last?.kind === kind) last.count += count;
    else this.all.push({ kind, before: this.before, after: this.after, count });
    if (kind !== "added") this.before += count;
    if (kind !== "removed") this.after += count;
  }
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before[count] === after[count]) count += 1;
  return count;
}

function commonEnd(before: readonly string[], after: readonly string[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before.at(-1 - count) === after.at(-1 - count)) count += 1;
  return count;
}

/** Equal lines get equal numbers, which are quicker to compare. */
function numbered(before: readonly string[], after: readonly string[]): [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  return [before.map(numberOf), after.map(numberOf)];
}

/**
 * Which lines of the one are which of the other. Lines that only one of them has cannot be any of these, and need not
 * be looked at: a file that was written anew would else take longest, although there is nothing to find.
 */
function pairsOf(before: readonly number[], after: readonly number[]): [number, number][] | undefined {
  const inBefore = new Set(before);
  const inAfter = new Set(after);
  const old = [...before.keys()].filter((at) => inAfter.has(before[at] ?? -1));
  const young = [...after.keys()].filter((at) => inBefore.has(after[at] ?? -1));
  const changes = diffArrays(
    old.map((at) => before[at]),
    young.map((at) => after[at]),
    { maxEditLength: MAX_EDITS, timeout: MAX_MS },
  );
  if (changes === undefined) return undefined;
  const pairs: [number, number][] = [];
  let a = 0;
  let b = 0;
  for (const { added, removed, count } of changes) {
    if (added) b += count;
    else if (removed) a += count;
    else for (let n = 0; n < count; n += 1) pairs.push([old[a++] ?? 0, young[b++] ?? 0]);
  }
  return pairs;
}

/** Longer lines are seldom read word by word. */
const MAX_WORDS_IN = 1_000;
const MAX_WORD_EDITS = 100;

/** The words that differ between two versions of a line; nothing when little of it has stayed. */
export function diffWords(before: string, after: string): { before: Range[]; after: Range[] } | undefined {
  if (before.length > MAX_WORDS_IN || after.length > MAX_WORDS_IN) return undefined;
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_WORD_EDITS });
  if (changes === undefined) return undefined;
  const ranges: { before: Range[]; after: Range[] } = { before: [], after: [] };
  let a = 0;
  let b = 0;
  let kept = 0;
  for (const { added, removed, value } of changes) {
    const { length } = value.join("");
    if (removed) ranges.before.push([a, a + length]);
    else if (added) ranges.after.push([b, b + length]);
    else kept += value.join("").trim().length;
    if (!added) a += length;
    if (!removed) b += length;
  }
  return kept * 3 < Math.max(before.trim().length, after.trim().length) ? undefined : ranges;
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
}
