/** Finds words in a log, as its reader sees it: without the codes that colour it. */
import { withoutEscapes } from "../text/ansi.js";

export interface Match {
  row: number;
  from: number;
  to: number;
}

export interface Matches {
  all: readonly Match[];
  /** There are more than anybody looks at. */
  isCut: boolean;
}

const MOST = 10_000;

/** Upper and lower case are the same. */
export function findMatches(lines: readonly string[], words: string, most = MOST): Matches {
  const all: Match[] = [];
  if (words === "") return { all, isCut: false };
  const pattern = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"), "giu");
  const small = words.toLowerCase();
  for (const [row, line] of lines.entries()) {
    const text = withoutEscapes(line);
    // Most lines have nothing, and this tells it faster.
    if (!text.toLowerCase().includes(small)) continue;
    for (const { index, 0: found } of text.matchAll(pattern)) {
      if (all.length === most) return { all, isCut: true };
      all.push({ row, from: index, to: index + found.length });
    }
  }
  return { all, isCut: false };
}

/** Those of one row; they are in order. */
export function matchesIn(all: readonly Match[], row: number): Match[] {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.row ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  const found: Match[] = [];
  for (let at = low; all[at]?.row === row; at += 1) found.push(all[at] as Match);
  return found;
}
