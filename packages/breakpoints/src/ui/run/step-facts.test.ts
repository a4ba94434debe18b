import type { JournalEvent, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { neighbourSpan, spanAt, stepError, stepValues } from "./step-facts.js";
import { spanStanding } from "./step-words.js";

const events = [
  { seq: 1, type: "RUN_CREATED", payload: {} },
  {
    seq: 2,
    type: "EFFECT_REQUESTED",
    effectId: "a",
    payload: { args: { value: {} }, definition: { value: { kind: "shell" } } },
  },
  { seq: 3, type: "EFFECT_REQUESTED", effectId: "b", payload: { args: { blob: "", bytes: 9_000 } } },
  { seq: 4, type: "EFFECT_ATTEMPT_FAILED", effectId: "b", payload: { error: { message: "once" } } },
  { seq: 5, type: "EFFECT_RESOLVED", effectId: "a", payload: { status: "ok", result: { value: 7 } } },
  { seq: 6, type: "STOP_HOOK_INVOKED", payload: {} },
  {
    seq: 7,
    type: "EFFECT_RESOLVED",
    effectId: "b",
    payload: { status: "error", error: { message: "twice", stack: "at x" } },
  },
] as unknown as JournalEvent[];
const spans = [
  { id: "a", seq: 2 },
  { id: "b", seq: 3 },
  { id: "turn 1", seq: 6, endSeq: 6 },
] as TimelineSpan[];

describe("one step", () => {
  it("any of its events leads to it; a turn is found by its end, and others lead nowhere", () => {
    expect([2, 5, 4, 6, 1, 99, undefined].map((seq) => spanAt(spans, events, seq)?.id)).toEqual([
      "a",
      "a",
      "b",
      "turn 1",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("the next and the previous one are called by the events that asked for them", () => {
    const from = (seq: number | undefined, by: 1 | -1) => neighbourSpan(spans, events, { seq, by });
    expect([from(undefined, 1), from(undefined, -1), from(5, 1), from(5, -1)]).toEqual([2, 6, 3, undefined]);
  });

  it("shows what it was given and what came of it, without empty arguments", () => {
    expect(stepValues(events, "a").map(({ what, seq }) => [what, seq])).toEqual([
      ["Definition", 2],
      ["Result", 5],
    ]);
    expect(stepValues(events, "b").map(({ what, stored }) => [what, stored])).toEqual([
      ["Arguments", { blob: "", bytes: 9_000 }],
    ]);
    expect(stepValues(events, "c")).toEqual([]);
  });

  it("its error is the last one", () => {
    expect([stepError(events, "b"), stepError(events.slice(0, 5), "b"), stepError(events, "a")]).toEqual([
      { message: "twice", stack: "at x" },
      { message: "once", stack: undefined },
      undefined,
    ]);
  });

  it("says where it stands", () => {
    const standing = (span: Partial<TimelineSpan>) => spanStanding({ attempts: [], ...span } as TimelineSpan);
    const word = (span: Partial<TimelineSpan>): string => standing(span).word;
    const running = standing({ state: "open", who: "engine", attempts: [{ attempt: 1, from: 0, end: "running" }] });
    expect([
      word({ state: "open", who: "person" }),
      word({ state: "open", who: "time" }),
      word({ state: "open", who: "engine" }),
      running.word,
      word({ state: "rejected" }),
    ]).toEqual(["Waiting for a person", "Waiting for its time", "Pending", "Running", "Rejected"]);
    expect(running.tone).toBe("live");
  });
});
