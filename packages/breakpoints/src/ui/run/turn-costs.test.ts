import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { groupTurns, sumLine, sumOf, turnCosts } from "./turn-costs.js";

let seq = 0;
function stop(usd: number | null | undefined, tokens = 0, reason = "continue"): JournalEvent {
  seq += 1;
  const spend =
    usd === undefined
      ? {}
      : {
          spend: {
            usd,
            knownUsd: usd ?? 1,
            tokens: { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 },
            calls: 1,
          },
        };
  return {
    seq,
    type: "STOP_HOOK_INVOKED",
    timestamp: "2026-01-01T00:00:00.000Z",
    payload: { reason, iteration: seq, ...spend },
  } as unknown as JournalEvent;
}

describe("the cost of turns", () => {
  it("is what the sum has grown by; waiting for a check is none", () => {
    const turns = turnCosts([stop(0.5, 100), stop(0.5, 100, "verifying"), stop(1.25, 250)]);
    expect(turns.map(({ usd, tokens, sumUsd }) => [usd, tokens, sumUsd])).toEqual([
      [0.5, 100, 0.5],
      [0.75, 150, 1.25],
    ]);
  });

  it("unknown stays unknown, and so does what follows from it, but tokens are counted all the same", () => {
    const turns = turnCosts([
      stop(0.5, 100),
      stop(null, 200),
      stop(2, 300),
      stop(undefined),
      stop(3, 400),
      stop(4, 450),
    ]);
    expect(turns.map(({ usd }) => usd)).toEqual([0.5, undefined, undefined, undefined, undefined, 1]);
    expect(turns.map(({ tokens }) => tokens)).toEqual([100, 100, 100, undefined, undefined, 50]);
    expect(turns[1]).toMatchObject({ sumUsd: undefined, knownUsd: 1 });
  });

  it("what was spent before a loop was taken over is no turn of it", () => {
    const started = { type: "LOOP_STARTED", payload: { contract: { origin: { usd: 2 } } } } as unknown as JournalEvent;
    expect(turnCosts([started, stop(2.5)])[0]).toMatchObject({ usd: 0.5, sumUsd: 2.5 });
  });

  it("a sum that was counted anew is not less than nothing", () => {
    expect(turnCosts([stop(2), stop(0.5)])[1]).toMatchObject({ usd: 0.5 });
  });

  it("many turns are drawn in groups, and what is unknown in one does not hide the rest", () => {
    const turns = turnCosts(Array.from({ length: 250 }, (_, n) => stop(n)));
    const groups = groupTurns(turns, 100);
    expect([groups.length, groups.flat().length, groups[0]?.length]).toEqual([84, 250, 3]);
    expect(sumOf(turnCosts([stop(1), stop(undefined)]), "usd")).toBe(1);
    expect(sumOf(turnCosts([stop(undefined)]), "usd")).toBeUndefined();
  });

  it("the line of the sum begins before the first turn, and is known up to the first turn that is not", () => {
    const line = (...sums: (number | null)[]) => sumLine(groupTurns(turnCosts(sums.map((usd) => stop(usd))), 100));
    expect(line(0.5, 2)).toEqual({ sums: [0, 0.5, 2], known: 3 });
    expect(line(0.5, null, 2)).toEqual({ sums: [0, 0.5, 1, 2], known: 2 });
    expect(line(null)).toEqual({ sums: [1, 1], known: 1 });
  });
});
