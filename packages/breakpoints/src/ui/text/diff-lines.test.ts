import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, diffWords, type LineRun } from "./diff-lines.js";

/** Both texts, put together again from the runs. */
function rebuild(runs: readonly LineRun[], before: readonly string[], after: readonly string[]): [string[], string[]] {
  const a = runs.flatMap((run) => (run.kind === "added" ? [] : before.slice(run.before, run.before + run.count)));
  const b = runs.flatMap((run) => (run.kind === "removed" ? [] : after.slice(run.after, run.after + run.count)));
  return [a, b];
}

describe("diffLines", () => {
  it("B2: says which lines were removed and added, removed ones first", () => {
    expect(diffLines(["a", "b", "c"], ["a", "x", "c", "d"])).toEqual([
      { kind: "same", before: 0, after: 0, count: 1 },
      { kind: "removed", before: 1, after: 1, count: 1 },
      { kind: "added", before: 2, after: 1, count: 1 },
      { kind: "same", before: 2, after: 2, count: 1 },
      { kind: "added", before: 3, after: 3, count: 1 },
    ]);
  });

  it("knows equal, new and deleted texts", () => {
    expect(diffLines(["a"], ["a"])).toEqual([{ kind: "same", before: 0, after: 0, count: 1 }]);
    expect(diffLines([], ["a", "b"])).toEqual([{ kind: "added", before: 0, after: 0, count: 2 }]);
    expect(diffLines(["a", "b"], [])).toEqual([{ kind: "removed", before: 0, after: 0, count: 2 }]);
    expect(diffLines([], [])).toEqual([]);
  });

  it("tells both texts, with every equal line called equal and nothing else", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const runs = diffLines(before, after) ?? [];
        expect(rebuild(runs, before, after)).toEqual([before, after]);
        for (const run of runs.filter(({ kind }) => kind === "same"))
          expect(before.slice(run.before, run.before + run.count)).toEqual(
            after.slice(run.after, run.after + run.count),
          );
        for (const [index, run] of runs.entries()) expect(run.kind).not.toBe(runs[index + 1]?.kind);
      }),
    );
  });

  it("finds the shortest difference although it looks only at lines that both have", () => {
    const before = ["x", "1", "2", "y", "3", "z"];
    const after = ["1", "p", "2", "q", "3"];
    const kept = (diffLines(before, after) ?? []).filter(({ kind }) => kind === "same");
    expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  it("compares a long file that was written anew, and gives up on one in disorder", () => {
    const before = Array.from({ length: 20_000 }, (_value, n) => `before ${n}`);
    const after = Array.from({ length: 20_000 }, (_value, n) => `after ${n}`);
    expect(diffLines(before, after)?.map(({ kind, count }) => [kind, count])).toEqual([
      ["removed", 20_000],
      ["added", 20_000],
    ]);
    expect(diffLines(before, before.toReversed())).toBeUndefined();
  });
});

describe("diffWords", () => {
  const marked = (before: string, after: string): [string[], string[]] | undefined => {
    const found = diffWords(before, after);
    if (found === undefined) return undefined;
    return [found.before.map(([a, b]) => before.slice(a, b)), found.after.map(([a, b]) => after.slice(a, b))];
  };

  it("finds the words that differ", () => {
    expect(marked("const retries = 3;", "const retries = 5;")).toEqual([["3"], ["5"]]);
    expect(marked("call(a)", "call(a, b)")).toEqual([[], [", b"]]);
  });

  it("marks nothing where little has stayed, and in very long lines", () => {
    expect(marked("one two three", "entirely other words")).toBeUndefined();
    expect(marked("a".repeat(2_000), "b")).toBeUndefined();
  });
});
