import { useEffect, useState } from "preact/hooks";
import type { Comparison } from "../../wire/inbox-wire.js";
import type { LineRun } from "../text/diff-lines.js";
import type { Range } from "../text/spans.js";
import { endsWithBreak } from "./line-store.js";
import type { Pages } from "./use-pages.js";

/** How two texts differ, as far as that is known. */
export type Difference =
  | { state: "loading" }
  | { state: "failed"; problem: string }
  | { state: "too-large" }
  | { state: "ready"; runs: readonly LineRun[]; words: WordFinder; note: string | undefined };

/** Which words differ between a line before and after. */
type WordFinder = (before: string, after: string) => { before: Range[]; after: Range[] } | undefined;

/** Undefined while nobody knows. */
export function hasChanges(difference: Difference, against: Comparison | undefined): boolean | undefined {
  if (against?.unchanged === true) return false;
  if (difference.state !== "ready") return undefined;
  return difference.note !== undefined || difference.runs.some(({ kind }) => kind !== "same");
}

/** Compares what both have, once all of it is there. `file` is missing when the file is gone. */
export function useDifference(base: Pages | undefined, file: Pages | undefined): Difference {
  const [found, setFound] = useState<{ of: unknown; with: unknown; is: Difference }>();
  const problem = base?.problem ?? file?.problem;
  const isComplete = base?.store.next === null && (file === undefined || file.store.next === null);
  useEffect(() => {
    if (base === undefined || !isComplete) return undefined;
    let gone = false;
    compare(base, file).then(
      (is) => !gone && setFound({ of: base, with: file, is }),
      (error: unknown) => !gone && setFound({ of: base, with: file, is: { state: "failed", problem: String(error) } }),
    );
    return () => {
      gone = true;
    };
  }, [base, file, isComplete]);
  if (found !== undefined && found.of === base && found.with === file) return found.is;
  return problem === undefined ? { state: "loading" } : { state: "failed", problem };
}

async function compare(base: Pages, file: Pages | undefined): Promise<Difference> {
  const { diffLines, diffWords } = await import("../text/diff-lines.js");
  const runs = diffLines(base.store.lines, file?.store.lines ?? []);
  if (runs === undefined) return { state: "too-large" };
  return { state: "ready", runs, words: remembering(diffWords), note: noteOnEnd(base, file) };
}

function noteOnEnd(base: Pages, file: Pages | undefined): string | undefined {
  if (file === undefined || file.store.lines.length === 0 || base.store.lines.length === 0) return undefined;
  const [was, is] = [endsWithBreak(base.store), endsWithBreak(file.store)];
  if (was === is) return undefined;
  return is ? "The last line now ends with a line break." : "The last line no longer ends with a line break.";
}

/** A row is drawn many times while one scrolls. */
function remembering(find: WordFinder): WordFinder {
  const known = new Map<string, ReturnType<WordFinder>>();
  return (before, after) => {
    const key = `${before}\n${after}`;
    if (!known.has(key)) known.set(key, find(before, after));
    return known.get(key);
  };
}
