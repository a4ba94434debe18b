import { describe, expect, it } from "vitest";
import { lanesOf } from "./lanes.js";

type Span = Parameters<typeof lanesOf>[0][number];

/** Lane by lane, as anybody would look for a free one. */
function searched(spans: readonly Span[], end: number): number[] {
  const freeFrom: number[] = [];
  return spans.map(({ from, to = end }) => {
    const free = freeFrom.findIndex((at) => at <= from);
    const lane = free === -1 ? freeFrom.length : free;
    freeFrom[lane] = Math.max(to, from + 1);
    return lane;
  });
}

describe("lanesOf", () => {
  it("puts a span into the first lane that is free", () => {
    const spans = [{ from: 0, to: 10 }, { from: 1, to: 3 }, { from: 2 }, { from: 3, to: 4 }, { from: 20, to: 21 }];
    expect(lanesOf(spans, 30)).toEqual([0, 1, 2, 1, 0]);
  });

  it("keeps apart what begins and ends at the same time", () => {
    expect(
      lanesOf(
        Array.from({ length: 5 }, () => ({ from: 7, to: 7 })),
        7,
      ),
    ).toEqual([0, 1, 2, 3, 4]);
  });

  it("finds the same lanes as a search through all of them, also for times that cannot be read", () => {
    let seed = 17;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (const width of [1, 5, 60, 900]) {
      const spans = Array.from({ length: 2_000 }, (_, n): Span => {
        const from = random(50) === 0 ? Number.NaN : n * 10 - random(30);
        return random(40) === 0 ? { from } : { from, to: from + random(width * 20) };
      });
      expect(lanesOf(spans, 25_000)).toEqual(searched(spans, 25_000));
    }
  });
});
