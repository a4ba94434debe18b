import { describe, expect, it } from "vitest";
import { FallRows } from "./fall-rows.js";
import { laneLabel, laneLabels } from "./lane-labels.js";
import { layoutOf, scrollShowing, windowOf } from "./layout.js";
import { rowAfterKey } from "./row-keys.js";
import { timelineWith } from "./test-timeline.js";
import { Fold, scaleOf } from "./time-scale.js";

const rows = new FallRows(
  timelineWith([
    { lane: 0, from: 0, to: 400 },
    { lane: 1, from: 100, to: 200 },
    { lane: 1, from: 600, to: 900 },
  ]),
);
const scale = scaleOf(new Fold({ from: 0, to: 1_000 }, [], 1_000), { from: 0, to: 1 }, 1_000);
const wide = layoutOf({ width: 1_300, rem: 16, mode: "lanes" });

describe("rows", () => {
  it("one per step, or one per lane", () => {
    expect([rows.count("steps"), rows.count("lanes"), rows.rowOf(2, "steps"), rows.rowOf(2, "lanes")]).toEqual([
      3, 2, 2, 1,
    ]);
  });

  it("a step is found by any of its events; the end of a turn belongs to that turn, not to the next", () => {
    expect([1, 2, 3, 4, 7, undefined].map((seq) => rows.indexOfEvent(seq))).toEqual([undefined, 0, 0, 0, 1, undefined]);
    const turns = new FallRows(timelineWith([{ seqs: [1, 5] }, { seqs: [5, 9] }]));
    expect([5, 9].map((seq) => turns.indexOfEvent(seq))).toEqual([0, 1]);
  });

  it("a pointer finds the step of a row, and the nearest bar of a lane", () => {
    const at = (x: number, y: number): number | undefined => rows.at({ x, y }, "lanes", wide, scale);
    expect([at(150, 60), at(205, 60), at(300, 60), at(595, 60), at(899, 60), at(200, 10)]).toEqual([
      1,
      1,
      undefined,
      2,
      2,
      0,
    ]);
    expect(at(150, 100)).toBeUndefined();
    expect(rows.at({ x: 3, y: 100 }, "steps", wide, scale)).toBe(2);
    expect(rows.at({ x: 3, y: -1 }, "steps", wide, scale)).toBeUndefined();
  });

  it("of many steps on the same pixels, a lane shows no more than it has pixels", () => {
    const many = new FallRows(
      timelineWith(
        Array.from({ length: 20_000 }, (_, n) => ({ lane: 0, from: n, to: n + 1 })),
        { to: 20_000 },
      ),
    );
    const small = scaleOf(new Fold({ from: 0, to: 20_000 }, [], 300), { from: 0, to: 1 }, 300);
    const seen = [...many.seen("lanes", { first: 0, end: 1 }, small)].map(({ index }) => index);
    expect(seen.length).toBeLessThanOrEqual(301);
    expect(seen.length).toBeGreaterThan(200);
    const near = scaleOf(small.fold, { from: 0.5, to: 0.5005 }, 300);
    expect([...many.seen("lanes", { first: 0, end: 1 }, near)].map(({ index }) => index).slice(1, -1)).toEqual(
      Array.from({ length: 10 }, (_, n) => 10_000 + n),
    );
  });

  it("names in a lane reach to the next bar, and the step that keys are about always has a place", () => {
    expect(laneLabels(rows, { first: 0, end: 2 }, scale)).toEqual([
      { index: 0, row: 0, x: 0, width: 1_000 },
      { index: 1, row: 1, x: 100, width: 500 },
      { index: 2, row: 1, x: 600, width: 400 },
    ]);
    const far = scaleOf(scale.fold, { from: 0, to: 0.01 }, 1_000);
    expect(laneLabel(rows, 2, far)).toEqual({ index: 2, row: 1, x: 952, width: 48, isBare: true });
  });

  it("only rows that are seen, and some around them, are on the page", () => {
    const { first, end } = windowOf(30_000, 44, { top: 440_000, bottom: 440_600 });
    expect(first <= 10_000 && end >= 10_014 && end - first < 60).toBe(true);
    expect(windowOf(5, 44, { top: 0, bottom: 600 })).toEqual({ first: 0, end: 5 });
    expect(windowOf(0, 44, { top: 0, bottom: 600 })).toEqual({ first: 0, end: 0 });
    expect(windowOf(10, 44, { top: 9_000, bottom: 9_600 })).toEqual({ first: 9, end: 10 });
    expect(windowOf(30_000, 44, { top: 5, bottom: 600 })).toEqual(windowOf(30_000, 44, { top: 40, bottom: 640 }));
  });

  it("scrolling brings a row into view and no further", () => {
    const box = { top: 440, height: 500, head: 60 };
    expect([9, 12, 30].map((row) => scrollShowing(row, 44, box))).toEqual([396, 440, 924]);
  });

  it("on a narrow screen a name stands above its bar", () => {
    const narrow = layoutOf({ width: 358, rem: 16, mode: "steps" });
    expect([narrow.isNarrow, narrow.names, narrow.chart]).toEqual([true, 0, 342]);
    expect(narrow.bar.top + narrow.bar.height).toBeLessThanOrEqual(narrow.row);
    expect(layoutOf({ width: 1_300, rem: 16, mode: "steps" }).names).toBe(352);
  });

  it("keys move between steps", () => {
    const keys = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "x"];
    expect(keys.map((key) => rowAfterKey(key, 5, 12))).toEqual([6, 4, 11, 0, 0, 11, undefined]);
    expect(rowAfterKey("ArrowDown", 0, 0)).toBe(0);
  });
});
