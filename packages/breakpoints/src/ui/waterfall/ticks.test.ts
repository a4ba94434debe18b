import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headLabels } from "./head-labels.js";
import { placeLabels } from "./place-labels.js";
import { ticksOf } from "./ticks.js";
import { Fold, scaleOf } from "./time-scale.js";

const START = Date.UTC(2026, 10, 17, 21, 3, 12);
const HOUR = 3_600_000;
const all = { from: 0, to: 1 };
const textsFor = (ms: number, width = 600, zone = 0): string[] =>
  ticksOf(scaleOf(new Fold({ from: START, to: START + ms }, [], width), all, width), [], zone).map(({ text }) => text);

describe("times along the top", () => {
  it("are round for whoever reads them, and as exact as needed", () => {
    expect(textsFor(60_000)).toEqual(["21:03:20", "21:03:30", "21:03:40", "21:03:50", "21:04:00", "21:04:10"]);
    expect(textsFor(800)).toEqual(["21:03:12.000", "21:03:12.200", "21:03:12.400", "21:03:12.600", "21:03:12.800"]);
    expect(textsFor(HOUR, 600, 330 * 60_000)).toEqual(["02:40", "02:50", "03:00", "03:10", "03:20", "03:30"]);
    expect(textsFor(10 * HOUR)).toEqual(["22:00", "Nov 18, 00:00", "02:00", "04:00", "06:00"]);
    expect(textsFor(30 * 24 * HOUR).slice(0, 2)).toEqual(["Nov 19", "Nov 26"]);
  });

  it("there are none in what is shortened, nor closer than they can be read", () => {
    const gap = { from: START + 60_000, to: START + 9 * HOUR, use: "idleMs" as const };
    const fold = new Fold({ from: START, to: START + 9 * HOUR + 60_000 }, [gap], 600);
    const ticks = ticksOf(scaleOf(fold, all, 600), [gap], 0);
    expect(ticks.every(({ at }) => at <= gap.from || at >= gap.to)).toBe(true);
    expect(ticks.length).toBeGreaterThan(2);
    expect(ticks.length).toBeLessThan(10);
  });

  it("any run has few enough of them, also one of thousands of years", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8e15 - START }), fc.integer({ min: 1, max: 2_000 }), (ms, width) => {
        expect(textsFor(ms, width).length).toBeLessThanOrEqual(width / 46 + 1);
      }),
    );
  });

  it("a shortened time says how long it was and what it waited for, as far as there is room", () => {
    const gap = { from: START + 60_000, to: START + 2 * HOUR + 11 * 60_000, use: "idleMs" as const };
    const labels = (width: number): string[] => {
      const fold = new Fold({ from: START, to: gap.to + 60_000 }, [gap], width);
      return headLabels(scaleOf(fold, all, width), { gaps: [gap], ticks: [], now: undefined }).map(({ text }) => text);
    };
    expect(labels(600)).toEqual(["2 h 10 min idle"]);
    expect(labels(100)).toEqual(["2 h 10 min"]);
    expect(labels(40)).toEqual([]);
  });

  it("a shortened time at the end says so beside the word for now", () => {
    const gap = { from: START + 500, to: START + HOUR, use: "idleMs" as const };
    const scale = scaleOf(new Fold({ from: START, to: gap.to }, [gap], 600), all, 600);
    const [label] = headLabels(scale, { gaps: [gap], ticks: [], now: gap.to });
    expect([label?.text, (label?.left ?? 600) + (label?.width ?? 0)]).toEqual(["59 min 59 s idle", 560]);
  });

  it("no word runs into another, or out of the line", () => {
    const label = fc.record({ x: fc.double({ min: -50, max: 650, noNaN: true }), long: fc.boolean() });
    fc.assert(
      fc.property(fc.array(label), (wanted) => {
        const placed = placeLabels(
          wanted.map(({ x, long }, n) => ({ key: `${n}`, x, texts: long ? ["a long time ago", "long"] : ["21:03"] })),
          600,
        );
        for (const [n, { left, width }] of placed.entries()) {
          expect(left >= 0 && left + width <= 600).toBe(true);
          expect(left + width <= (placed[n + 1]?.left ?? 600)).toBe(true);
        }
      }),
    );
  });

  it("every shortened time has a few words before one of them has more", () => {
    const textsWith = (x: number): string[] =>
      placeLabels(
        [
          { key: "a", x: 100, texts: ["27 s waiting on you", "27 s"] },
          { key: "b", x, texts: ["8 s waiting for time", "8 s"] },
        ],
        400,
      ).map(({ text }) => text);
    expect(textsWith(150)).toEqual(["27 s", "8 s"]);
    expect(textsWith(220)).toEqual(["27 s waiting on you", "8 s"]);
    expect(textsWith(300)).toEqual(["27 s waiting on you", "8 s waiting for time"]);
  });
});
