import type { TimelineMark } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { flagsOf, nextMark } from "./flags.js";
import { Fold, scaleOf } from "./time-scale.js";

const mark = (at: number, text = "code changed"): TimelineMark => ({ seq: at, at, kind: "code-changed", text });
const scale = scaleOf(new Fold({ from: 0, to: 1_000 }, [], 1_000), { from: 0, to: 1 }, 1_000);
const room = { flag: 24, margin: 16 };

describe("flags", () => {
  it("say what happened where there is room, to the left at the end of the run", () => {
    const flags = flagsOf([mark(100), mark(500), mark(560), mark(1_000, "completed")], scale, room);
    expect(flags.map(({ x, text, isLeft }) => [x, text, isLeft])).toEqual([
      [100, "code changed", false],
      [500, "code changed", true],
      [560, "code changed", false],
      [1_000, "completed", true],
    ]);
  });

  it("those that would cover each other are one, and presses go through them", () => {
    const [flag] = flagsOf([mark(100), mark(110), mark(123)], scale, room);
    expect(flag?.text).toBe("code changed +2");
    const seqs = [undefined, 100, 110, 123, 7].map((selected) => flag && nextMark(flag, selected).seq);
    expect(seqs).toEqual([100, 110, 123, 100, 100]);
  });

  it("none covers another, also at the end of the run", () => {
    const marks = Array.from({ length: 101 }, (_, n) => mark(n * 10));
    const flags = flagsOf(marks, scale, room);
    for (const [n, { x, text, isLeft }] of flags.entries()) {
      const next = flags[n + 1];
      expect(text).toBeUndefined();
      expect(isLeft ? x : x + room.flag).toBeLessThanOrEqual(
        next === undefined ? 1_016 : next.x - (next.isLeft ? 24 : 0),
      );
    }
  });

  it("those outside of what is shown have none", () => {
    const part = scaleOf(scale.fold, { from: 0.4, to: 0.6 }, 1_000);
    expect(flagsOf([mark(100), mark(500), mark(900)], part, room).map(({ x }) => Math.round(x))).toEqual([500]);
  });
});
