import { describe, expect, it } from "vitest";
import { diffLines } from "../text/diff-lines.js";
import { type CodeRow, diffRows, lineRows, listRows, placeOf, stepFrom } from "./code-rows.js";

const before = Array.from({ length: 60 }, (_value, n) => `line ${n + 1}`);
const after = before.with(29, "changed 30").toSpliced(39, 1);
const runs = diffLines(before, after) ?? [];

const shown = (rows: readonly CodeRow[]): string[] =>
  rows.map((row) => {
    if (row.kind === "gap") return `gap ${row.file}+${row.count}`;
    if (row.kind === "removed") return `-${row.base}`;
    return row.kind === "same" ? `${row.base}/${row.file}` : `+${row.file}`;
  });

describe("diffRows", () => {
  it("B2: shows changes with three lines around them, and gaps for all others", () => {
    expect(shown(diffRows(runs, [])).join(" ")).toBe(
      "gap 1+26 27/27 28/28 29/29 -30 +30 31/31 32/32 33/33 gap 34+3 37/37 38/38 39/39 -40 41/40 42/41 43/42 gap 43+17",
    );
  });

  it("opens what is asked for; a gap that hides next to nothing is none", () => {
    const rows = shown(
      diffRows(runs, [
        [1, 2],
        [34, 34],
        [50, 59],
      ]),
    );
    expect(rows.slice(0, 3)).toEqual(["1/1", "2/2", "gap 3+24"]);
    expect(rows).toContain("35/35");
    expect(rows).not.toContain("gap 35+2");
    expect(rows.slice(-2)).toEqual(["59/58", "60/59"]);
    expect(rows).toContain("gap 43+7");
  });

  it("tells which line most likely became which", () => {
    expect(diffRows(runs, [])).toContainEqual({ kind: "removed", base: 30, other: 30 });
    expect(diffRows(runs, [])).toContainEqual({ kind: "added", file: 30, other: 30 });
    expect(diffRows(runs, [])).toContainEqual({ kind: "removed", base: 40 });
  });

  it("is one gap where nothing has changed, and has none where all has", () => {
    expect(shown(diffRows(diffLines(before, before) ?? [], []))).toEqual(["gap 1+60"]);
    expect(shown(diffRows(diffLines([], ["a"]) ?? [], []))).toEqual(["+1"]);
  });
});

describe("rows", () => {
  it("are found by side and line", () => {
    const rows = listRows(diffRows(runs, []));
    const at = (place: Parameters<typeof rows.find>[0]) => rows.at(rows.find(place));
    expect(at({ side: "base", line: 40 })).toEqual({ kind: "removed", base: 40 });
    expect(at({ side: "file", line: 40 })).toEqual({ kind: "same", base: 41, file: 40 });
    expect(at({ side: "base", line: 41 })).toEqual({ kind: "same", base: 41, file: 40 });
    expect(rows.find({ side: "file", line: 1 })).toBe(-1);
    expect(lineRows(3).find({ side: "file", line: 3 })).toBe(2);
    expect(lineRows(3).find({ side: "base", line: 3 })).toBe(-1);
    expect(lineRows(3).at(3)).toBeUndefined();
  });

  it("are stepped through over gaps, and on one side where lines are selected", () => {
    const rows = listRows(diffRows(runs, []));
    const first = stepFrom(rows, -1, 1);
    expect(rows.at(first)).toEqual({ kind: "same", base: 27, file: 27 });
    expect(stepFrom(rows, first, -1)).toBe(first);
    const changed = rows.find({ side: "file", line: 29 });
    expect(rows.at(stepFrom(rows, changed, 1))?.kind).toBe("removed");
    expect(rows.at(stepFrom(rows, changed, 1, "file"))?.kind).toBe("added");
  });

  it("stand for lines of the file, or of what it was before", () => {
    expect(placeOf({ kind: "same", base: 41, file: 40 })).toEqual({ side: "file", line: 40 });
    expect(placeOf({ kind: "removed", base: 41 })).toEqual({ side: "base", line: 41 });
    expect(placeOf({ kind: "gap", base: 1, file: 1, count: 2 })).toBeUndefined();
  });
});
