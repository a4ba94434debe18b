import { describe, expect, it } from "vitest";
import { longGaps, quietTimes } from "./quiet-times.js";
import { timelineWith } from "./test-timeline.js";

const attempt = (from: number, to: number) => [{ attempt: 1, from, to, end: "ok" as const }];
const HOUR = 3_600_000;

describe("times in which nobody worked", () => {
  it("each is told apart by what the run waited for, and ends where something happens", () => {
    const timeline = timelineWith(
      [
        { from: 0, to: 100, attempts: attempt(0, 100) },
        { who: "person", from: 200, to: 600 },
        { who: "time", from: 600, to: 700 },
      ],
      { marks: [{ seq: 9, at: 300, kind: "paused", text: "paused" }] },
    );
    expect(quietTimes(timeline)).toEqual([
      { from: 100, to: 200, use: "idleMs" },
      { from: 200, to: 300, use: "waitingOnPersonMs" },
      { from: 300, to: 600, use: "waitingOnPersonMs" },
      { from: 600, to: 700, use: "waitingOnTimeMs" },
      { from: 700, to: 1_000, use: "idleMs" },
    ]);
  });

  it("a question beside other work is no quiet time", () => {
    const spans = [
      { from: 0, to: 1_000, attempts: attempt(0, 1_000) },
      { who: "person" as const, from: 0, to: 1_000 },
    ];
    expect(quietTimes(timelineWith(spans))).toEqual([]);
  });

  it("a night does not hide an hour: each is long beside what is left without the longer ones", () => {
    const night = { from: 0, to: 12 * HOUR, use: "waitingOnPersonMs" as const };
    const lunch = { from: 13 * HOUR, to: 14 * HOUR, use: "idleMs" as const };
    const moment = { from: 14.5 * HOUR, to: 14.5 * HOUR + 60_000, use: "idleMs" as const };
    expect(longGaps([moment, lunch, night], 15 * HOUR)).toEqual([night, lunch]);
  });

  it("short runs, and runs that only waited, are shown as they are", () => {
    expect(longGaps([{ from: 10, to: 800, use: "idleMs" }], 1_000)).toEqual([]);
    expect(longGaps([{ from: 5, to: HOUR, use: "waitingOnPersonMs" }], HOUR)).toEqual([]);
    expect(longGaps([{ from: 0, to: HOUR, use: "idleMs" }], HOUR)).toEqual([]);
  });

  it("a run that stands still does not hide the moment in which it worked", () => {
    const still = { from: 200, to: HOUR, use: "idleMs" as const };
    expect(longGaps([still], HOUR)).toEqual([still]);
  });
});
