import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fold, firstIndex, type Interval, scaleOf } from "./time-scale.js";

const START = Date.UTC(2026, 10, 17);
const at = fc.integer({ min: 0, max: 400_000_000 }).map((ms) => START + ms);
const interval = fc.tuple(at, at).map(([a, b]): Interval => ({ from: Math.min(a, b), to: Math.max(a, b) }));
/** At least a second each, as they are chosen. */
const second = fc.integer({ min: 0, max: 400_000 }).map((seconds) => START + seconds * 1_000);
const gaps = fc.array(second, { maxLength: 12 }).map((times) => {
  const sorted = [...new Set(times)].toSorted((a, b) => a - b);
  return sorted.flatMap((from, n) =>
    n % 2 === 0 && sorted[n + 1] !== undefined ? [{ from, to: sorted[n + 1]! }] : [],
  );
});
const width = fc.integer({ min: 1, max: 3_000 });

describe("the line of a run", () => {
  it("later is never further left, and every place is one moment again", () => {
    fc.assert(
      fc.property(interval, gaps, width, fc.array(at), (whole, shortened, px, times) => {
        const fold = new Fold(whole, shortened, px);
        const { from, to } = fold.whole;
        const inside = [from, ...times.filter((time) => time > from && time < to).toSorted((a, b) => a - b), to];
        const places = inside.map((time) => fold.place(time));
        expect([places[0], places.at(-1)]).toEqual([0, 1]);
        for (const [n, time] of inside.entries()) {
          const isLater = (inside[n + 1] ?? time) > time;
          expect((places[n + 1] ?? 1) > places[n]!).toBe(isLater);
          expect(Math.abs(fold.at(places[n]!) - time)).toBeLessThan(1);
        }
      }),
    );
  });

  it("a part of it is drawn in the same order, and a pixel leads back to its moment", () => {
    const part = fc.tuple(
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      fc.double({ min: 0.01, max: 0.1, noNaN: true }),
    );
    fc.assert(
      fc.property(interval, gaps, part, fc.integer({ min: 0, max: 1_000 }), (whole, shortened, [from, size], x) => {
        // A moment is a number of milliseconds: shorter runs cannot be stretched as far.
        const long = { from: whole.from, to: whole.to + 60_000 };
        const scale = scaleOf(new Fold(long, shortened, 1_000), { from, to: from + size }, 1_000);
        expect(scale.x(scale.at(x))).toBeCloseTo(x, 1);
        expect(scale.at(x + 1) >= scale.at(x)).toBe(true);
      }),
    );
  });

  it("what is shortened takes the same few pixels however long it is, and never most of the line", () => {
    const fold = new Fold({ from: 0, to: 100_000 }, [{ from: 1_000, to: 99_000 }], 1_000);
    const scale = scaleOf(fold, { from: 0, to: 1 }, 1_000);
    expect(scale.x(99_000) - scale.x(1_000)).toBeCloseTo(36);
    expect(scale.x(1_000)).toBeCloseTo(482);
    const many = Array.from({ length: 100 }, (_, n) => ({ from: n * 1_000, to: n * 1_000 + 900 }));
    const crowded = new Fold({ from: 0, to: 100_000 }, many, 390);
    const quiet = many.reduce((sum, { from, to }) => sum + crowded.place(to) - crowded.place(from), 0);
    expect(quiet).toBeCloseTo(0.4);
  });

  it("times outside of the run, or that nobody can read, are at its ends", () => {
    const fold = new Fold({ from: 100, to: 200 }, [], 100);
    expect([-5, Number.NaN, 99, 201, Number.POSITIVE_INFINITY].map((time) => fold.place(time))).toEqual([
      0, 0, 0, 1, 1,
    ]);
    expect(new Fold({ from: Number.NaN, to: Number.NaN }, [], 100).place(7)).toBe(1);
    expect(new Fold({ from: 5, to: 5 }, [], 0).place(5)).toBe(0);
  });

  it("finds the first of those that pass", () => {
    const list = [1, 3, 3, 8];
    expect([0, 3, 4, 9].map((wanted) => firstIndex(list.length, (n) => list[n]! >= wanted))).toEqual([0, 1, 3, 4]);
  });
});
