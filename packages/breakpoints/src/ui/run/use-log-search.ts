/** What was found in a log, and which of it is being looked at. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { LogReader } from "./log-reader.js";
import { findMatches, type Match } from "./log-search.js";

interface LogSearch {
  matches: readonly Match[];
  current: Match | undefined;
  /** How many, in words; nothing when nobody searches. */
  found: string;
  step: (by: 1 | -1) => void;
}

const NO_LINES: readonly string[] = [];

export function useLogSearch({ text }: LogReader, words: string, show: (row: number) => void): LogSearch {
  const [chosen, choose] = useState(0);
  const lines = text?.lines ?? NO_LINES;
  // The lines grow in place: how far they reach tells that there is something new.
  const { all: matches, isCut } = useMemo(() => findMatches(lines, words), [lines, text?.to, words]);
  const at = Math.min(chosen, Math.max(0, matches.length - 1));
  const go = (index: number): void => {
    choose(index);
    const row = matches[index]?.row;
    if (row !== undefined) show(row);
  };
  useEffect(() => {
    if (words !== "") go(0);
    // What comes later does not take the reader back to the first one.
    // oxlint-disable-next-line exhaustive-deps
  }, [words, text === undefined]);
  return {
    matches,
    current: matches[at],
    found: foundWords(words, { at, count: matches.length, isCut }),
    step: (by) => go((at + by + matches.length) % Math.max(1, matches.length)),
  };
}

function foundWords(words: string, { at, count, isCut }: { at: number; count: number; isCut: boolean }): string {
  if (words === "") return "";
  return count === 0 ? "Not found" : `${at + 1} of ${count.toLocaleString("en")}${isCut ? "+" : ""}`;
}
