import type { JournalEvent, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { type EventFilter, type EventLevel, eventRows, neighbourRow, rowOf, typesIn } from "./event-rows.js";

const TYPES: [string, string?][] = [
  ["RUN_CREATED"],
  ["EFFECT_REQUESTED", "a"],
  ["HOOK_DISPATCHED"],
  ["EFFECT_REQUESTED", "b"],
  ["EFFECT_RESOLVED", "a"],
  ["EFFECT_RESOLVED", "b"],
  ["RUN_COMPLETED"],
];
const events = TYPES.map(([type, effectId], index) => ({
  seq: index + 1,
  type,
  effectId,
  taskId: effectId,
  payload: { status: "ok", kind: "shell", abandoned: [] },
})) as unknown as JournalEvent[];
const spans = [{ id: "a" }, { id: "b" }] as TimelineSpan[];
const titleOf = (id: string): string => (id === "a" ? "Build the shop" : "Lint");
const rows = (level: EventLevel, filter: Partial<EventFilter> = {}) =>
  eventRows(events, { level, filter: { type: "", search: "", ...filter }, titleOf, spans });
const seqs = (...args: Parameters<typeof rows>): number[] => rows(...args).map(({ event }) => event.seq);

describe("the list of events", () => {
  it("detailed and raw: one row per event; compact: one per step, without bookkeeping", () => {
    expect([seqs("detailed"), seqs("raw")]).toEqual([
      [1, 2, 3, 4, 5, 6, 7],
      [1, 2, 3, 4, 5, 6, 7],
    ]);
    expect(seqs("compact")).toEqual([1, 2, 4, 7]);
    expect(rows("compact").map(({ step }) => step?.id)).toEqual([undefined, "a", "b", undefined]);
  });

  it("is filtered by type, and by words, types, ids and numbers", () => {
    expect(seqs("detailed", { type: "EFFECT_RESOLVED" })).toEqual([5, 6]);
    expect(seqs("compact", { type: "HOOK_DISPATCHED" })).toEqual([3]);
    expect(seqs("detailed", { search: " the SHOP" })).toEqual([2, 5]);
    expect(seqs("detailed", { search: "hook_" })).toEqual([3]);
    expect(seqs("detailed", { search: "7" })).toEqual([7]);
    expect(seqs("detailed", { search: "nothing like it" })).toEqual([]);
  });

  it("an event is found in its own row, or in that of its step", () => {
    expect([rowOf(rows("detailed"), events, 5), rowOf(rows("compact"), events, 6)]).toEqual([4, 2]);
    expect([rowOf(rows("compact"), events, 3), rowOf(rows("compact"), events, undefined)]).toEqual([-1, -1]);
    expect(rowOf(rows("detailed"), events, 99)).toBe(-1);
  });

  it("leads from row to row, also from an event that is not in it", () => {
    const from = (level: EventLevel, seq: number | undefined, by: 1 | -1) =>
      neighbourRow(rows(level), events, { seq, by });
    expect([from("detailed", undefined, 1), from("detailed", undefined, -1)]).toEqual([1, 7]);
    expect([from("detailed", 3, 1), from("detailed", 3, -1), from("detailed", 7, 1)]).toEqual([4, 2, undefined]);
    expect([from("compact", 5, 1), from("compact", 3, 1), from("compact", 3, -1)]).toEqual([4, 4, 2]);
  });

  it("says which types there are", () => {
    expect(typesIn(events)[0]).toEqual({ type: "EFFECT_REQUESTED", count: 2 });
  });
});
