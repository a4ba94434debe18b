import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fold } from "./time-scale.js";
import {
  ALL,
  afterKey,
  aroundSpan,
  brushed,
  dragged,
  isAll,
  panned,
  showing,
  viewOf,
  viewTimes,
  withEnd,
  zoomed,
} from "./zoom.js";

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const view = fc.tuple(unit, unit).map(([a, b]) => brushed(a, b));
const close = ({ from, to }: { from: number; to: number }): number[] =>
  [from, to].map((n) => Math.round(n * 1e4) / 1e4);

describe("the part of a run that is shown", () => {
  it("whatever is done to it, it stays inside of the run and has a length", () => {
    const change = fc.oneof(
      fc.tuple(unit, fc.double({ min: 0.01, max: 100, noNaN: true })).map(([place, factor]) => ["zoom", place, factor]),
      fc.double({ min: -2, max: 2, noNaN: true }).map((by) => ["pan", by]),
      unit.map((place) => ["from", place]),
      unit.map((place) => ["to", place]),
    );
    fc.assert(
      fc.property(view, fc.array(change), (begin, changes) => {
        let now = begin;
        for (const [what, one, other] of changes as [string, number, number][]) {
          if (what === "zoom") now = zoomed(now, one, other);
          else if (what === "pan") now = panned(now, one);
          else now = withEnd(now, what as "from" | "to", one);
          expect(now.from >= -1e-6 && now.to <= 1 + 1e-6 && now.to > now.from).toBe(true);
        }
      }),
    );
  });

  it("zooming keeps what is under the pointer where it is", () => {
    const next = zoomed({ from: 0.2, to: 0.6 }, 0.3, 2);
    expect(close(next)).toEqual([0.25, 0.45]);
    expect((0.3 - next.from) / (next.to - next.from)).toBeCloseTo(0.25);
    expect(isAll(zoomed(next, 0.3, 0.001))).toBe(true);
  });

  it("a pointer moves it, moves one of its ends, or begins a new one", () => {
    const part = { from: 0.2, to: 0.4 };
    expect(close(dragged(part, "body", 0.3, 0.5))).toEqual([0.4, 0.6]);
    expect(close(dragged(part, "body", 0.3, 1))).toEqual([0.8, 1]);
    expect(close(dragged(part, "from", 0.2, 0.1))).toEqual([0.1, 0.4]);
    expect(close(dragged(part, "to", 0.4, 0.1))).toEqual([0.2, 0.2]);
    expect(close(dragged(part, "none", 0.9, 0.7))).toEqual([0.7, 0.9]);
    expect(close(dragged(ALL, "body", 0.5, 0.6))).toEqual([0.5, 0.6]);
  });

  it("and so do keys", () => {
    const part = { from: 0.2, to: 0.4 };
    const press = (key: string, grip: "body" | "from" | "to" = "body", shift = false): number[] | undefined => {
      const next = afterKey(part, grip, key, shift);
      return next && close(next);
    };
    expect(press("ArrowRight")).toEqual([0.22, 0.42]);
    expect(press("ArrowLeft", "body", true)).toEqual([0.2, 0.38]);
    expect(press("Home")).toEqual([0, 0.2]);
    expect(press("End")).toEqual([0.8, 1]);
    expect(press("Home", "from")).toEqual([0, 0.4]);
    expect(press("ArrowRight", "to")).toEqual([0.2, 0.42]);
    expect(press("Escape")).toEqual([0, 1]);
    expect(press("a")).toBeUndefined();
  });

  it("is kept as times: it stays while the run grows, and follows it when it reached its end", () => {
    const now = new Fold({ from: 0, to: 1_000 }, [], 100);
    const later = new Fold({ from: 0, to: 2_000 }, [], 100);
    expect(close(viewOf(later, viewTimes(now, { from: 0.2, to: 0.4 })))).toEqual([0.1, 0.2]);
    expect(close(viewOf(later, viewTimes(now, { from: 0.8, to: 1 })))).toEqual([0.4, 1]);
    expect(viewTimes(now, ALL)).toBeUndefined();
  });

  it("shows a step with a little around it, and moves only when nothing of a step is seen", () => {
    const fold = new Fold({ from: 0, to: 1_000 }, [], 100);
    expect(close(aroundSpan(fold, { from: 400, to: 500 }))).toEqual([0.385, 0.515]);
    const part = { from: 0.2, to: 0.4 };
    expect(showing(part, fold, { from: 350, to: 900 })).toBe(part);
    expect(close(showing(part, fold, { from: 700, to: 800 }))).toEqual([0.65, 0.85]);
  });
});
