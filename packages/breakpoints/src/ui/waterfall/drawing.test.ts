import type { TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { type Picture, type Shape, shapesOf } from "./drawing.js";
import { FallRows } from "./fall-rows.js";
import { layoutOf } from "./layout.js";
import { overviewShapes } from "./overview-drawing.js";
import { timelineWith } from "./test-timeline.js";
import { Fold, scaleOf } from "./time-scale.js";

const layout = layoutOf({ width: 1_368, rem: 16, mode: "steps" });
const fold = new Fold({ from: 0, to: 1_000 }, [], 1_000);

function pictureOf(spans: readonly Partial<TimelineSpan>[], more: Partial<Picture> = {}, timeline = {}): Shape[] {
  const rows = new FallRows(timelineWith(spans, timeline));
  return shapesOf({
    rows,
    mode: "steps",
    window: { first: 0, end: spans.length },
    layout,
    selected: undefined,
    scale: scaleOf(fold, { from: 0, to: 1 }, 1_000),
    gaps: [],
    ticks: [],
    flags: [],
    ...more,
  });
}

const bars = (shapes: readonly Shape[]): unknown[] =>
  shapes.filter(({ round }) => round).map(({ kind, tone, x, width }) => [kind, tone, Math.round(x), Math.round(width)]);
const toned = (shapes: readonly Shape[], tone: Shape["tone"]): unknown[] =>
  shapes.filter((shape) => shape.tone === tone).map(({ x, width }) => [Math.round(x), Math.round(width)]);

describe("what is drawn", () => {
  it("attempts are pieces on a thread from the request to the end", () => {
    const shapes = pictureOf([
      {
        from: 100,
        to: 600,
        attempts: [
          { attempt: 1, from: 200, to: 300, end: "failed" },
          { attempt: 2, from: 400, to: 600, end: "ok" },
        ],
      },
    ]);
    expect(bars(shapes)).toEqual([
      ["solid", "bad", 200, 100],
      ["solid", "work", 400, 200],
    ]);
    expect(toned(shapes, "thread")).toEqual([
      [100, 100],
      [300, 100],
    ]);
  });

  it("who a time belongs to is its colour; what goes on is hatched; what was dropped is hollow", () => {
    const now = { isOver: false };
    const open = { state: "open" as const, from: 500 };
    const running = pictureOf(
      [
        { ...open, attempts: [{ attempt: 1, from: 600, end: "running" }] },
        { ...open, who: "person" },
        { ...open, who: "time" },
        { ...open, who: "agent" },
        { ...open, who: "engine" },
      ].map(({ ...span }) => ({ ...span, to: undefined }) as unknown as Partial<TimelineSpan>),
      {},
      now,
    );
    expect(bars(running)).toEqual([
      ["hatched", "work", 600, 400],
      ["hatched", "person", 500, 500],
      ["hatched", "time", 500, 500],
      ["hatched", "work", 500, 500],
    ]);
    expect(toned(running, "now")).toEqual([[1_000, 2]]);
    const ended = pictureOf([
      { who: "agent", state: "dropped", from: 0, to: 50 },
      { who: "person", state: "rejected", from: 0, to: 500 },
      { who: "outside", state: "error", from: 0, to: 50 },
    ]);
    expect(bars(ended)).toEqual([
      ["hollow", "gone", 0, 50],
      ["solid", "person", 0, 500],
      ["solid", "bad", 0, 50],
    ]);
    expect(toned(ended, "bad")[0]).toEqual([498, 6]);
    expect(toned(ended, "now")).toEqual([]);
  });

  it("the shortest step can be seen, and what is not in the part that is shown is not drawn", () => {
    expect(bars(pictureOf([{ who: "agent", from: 500, to: 500 }]))).toEqual([["solid", "work", 500, 3]]);
    const scale = scaleOf(fold, { from: 0.5, to: 0.6 }, 1_000);
    const part = pictureOf(
      [
        { who: "agent", to: 400 },
        { who: "agent", to: 900 },
      ],
      { scale },
    );
    expect(bars(part)).toEqual([["solid", "work", -12, 1_024]]);
  });

  it("every other round has a band, until they are too narrow to be seen", () => {
    const iterations = [0, 300, 700].map((from, n) => ({ iteration: n + 1, from, to: from }));
    expect(toned(pictureOf([{}], {}, { iterations }), "band")).toEqual([
      [0, 300],
      [700, 300],
    ]);
    const many = Array.from({ length: 1_000 }, (_, n) => ({ iteration: n, from: n, to: n }));
    expect(toned(pictureOf([{}], {}, { iterations: many }), "band")).toEqual([]);
  });

  it("shortened times are torn, in the colour of what was waited for", () => {
    const shapes = pictureOf([{}], { gaps: [{ from: 200, to: 300, use: "waitingOnPersonMs" }] });
    expect(shapes.filter(({ kind }) => kind === "zigzag").map(({ tone, x }) => [tone, Math.round(x)])).toEqual([
      ["gap-waitingOnPersonMs", 200],
    ]);
  });

  it("nothing runs through names that stand above their bars", () => {
    const narrow = layoutOf({ width: 358, rem: 16, mode: "steps" });
    const shapes = pictureOf([{}, {}], { layout: narrow, flags: [{ x: 10, tone: "bad" }], selected: 1 });
    const line = shapes.findIndex(({ tone }) => tone === "bad");
    const plates = shapes.flatMap(({ tone, height }, n) => (n > line && height === narrow.bar.top - 3 ? [tone] : []));
    expect(plates).toEqual(["plate", "selected"]);
  });

  it("as many shapes as can be seen, however many steps there are", () => {
    const spans = Array.from({ length: 20_000 }, (_, n) => ({ lane: n % 4, from: n / 20, to: n / 20 + 0.1 }));
    const window = { first: 10_000, end: 10_040 };
    expect(pictureOf(spans, { window }).length).toBeLessThan(200);
    expect(pictureOf(spans, { window: { first: 0, end: 4 }, mode: "lanes" }).length).toBeLessThan(4 * 1_000 + 50);
  });

  it("drawn small, what failed is seen among all that went well on the same point", () => {
    const spans = Array.from({ length: 20_000 }, (_, n) => ({
      lane: 0,
      who: "agent" as const,
      from: n / 20,
      to: n / 20 + 0.05,
      state: n === 7_777 ? ("error" as const) : ("ok" as const),
    }));
    const scale = scaleOf(fold, { from: 0, to: 1 }, 300);
    const shapes = overviewShapes(new FallRows(timelineWith(spans)), scale, [], 48);
    expect(shapes.length).toBeLessThan(310);
    expect(shapes.filter(({ tone }) => tone === "bad").map(({ x }) => Math.round(x))).toEqual([117]);
  });
});
