import { type JournalEvent, stateAfter } from "@a5c-ai/babysitter-sdk/view";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StateTrack } from "./state-track.js";

/** A run of some length: steps are asked for, begun, fail, are done, and some are tried again. */
function runOf(length: number): JournalEvent[] {
  const events: object[] = [
    {
      type: "RUN_CREATED",
      payload: { runId: "r", processId: "p", entry: { path: "p.mjs", export: "process" }, inputs: { value: 1 } },
    },
  ];
  for (let step = 0; events.length < length; step += 1) {
    const about = { effectId: `e${step}`, invocationKey: `k${step}`, taskId: `t${step}` };
    const isBad = step % 7 === 3;
    events.push(
      {
        type: "EFFECT_REQUESTED",
        ...about,
        payload: { kind: step % 5 === 0 ? "breakpoint" : "shell", after: 0, iteration: step },
      },
      { type: "EFFECT_STARTED", ...about, payload: { attempt: 1, executor: "shell", host: "h" } },
      ...(step % 3 === 0
        ? [{ type: "BREAKPOINT_COMMENTED", ...about, payload: { text: "hm", via: "cli", verified: true } }]
        : []),
      { type: "EFFECT_RESOLVED", ...about, payload: { status: isBad ? "error" : "ok", attempt: 1, by: "post" } },
      ...(isBad
        ? [
            {
              type: "EFFECT_RETRIED",
              ...about,
              payload: {
                attempt: 2,
                kind: "shell",
                status: "error",
                requestSeq: 1,
                requestId: "x",
                requestedAt: "2026-01-01T00:00:00.000Z",
              },
            },
          ]
        : []),
    );
  }
  return events.slice(0, length).map((event, index) => ({
    seq: index + 1,
    id: String(index + 1),
    timestamp: new Date(1_800_000_000_000 + index * 1_000).toISOString(),
    format: 1,
    checksum: String(index),
    ...event,
  })) as unknown as JournalEvent[];
}

describe("the state after any event", () => {
  const events = runOf(2_600);

  it("is the one of the fold from the beginning, wherever one jumps, in whatever order", () => {
    const track = new StateTrack();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: events.length }), (count) => {
        expect(track.after(events, count)).toEqual(stateAfter(events, count));
      }),
      { numRuns: 120 },
    );
  });

  it("at the places where one is kept, and beside them", () => {
    const track = new StateTrack();
    for (const count of [2_600, 500, 501, 499, 1_000, 1, 2_000, 2_500])
      expect(track.after(events, count)).toEqual(stateAfter(events, count));
  });

  it("what was handed out may be changed: it is nobody else's", () => {
    const track = new StateTrack();
    const state = track.after(events, 1_000);
    if (state !== undefined) state.pending = {};
    expect(track.after(events, 1_000)).toEqual(stateAfter(events, 1_000));
  });

  it("follows a run that grows, and begins anew with another one", () => {
    const track = new StateTrack();
    track.after(events.slice(0, 700), 700);
    expect(track.after(events, 2_600)).toEqual(stateAfter(events, 2_600));
    const other = runOf(1_200).map((event) => ({ ...event, timestamp: "2026-01-01T00:00:00.000Z" })) as JournalEvent[];
    expect(track.after(other, 1_100)).toEqual(stateAfter(other, 1_100));
    expect([track.after([], 0), track.after(events.slice(1), 3)]).toEqual([undefined, undefined]);
  });
});
