import type { JournalEvent } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { eventWords, isMinor } from "./event-words.js";

const event = (type: string, payload: object, more: object = {}): JournalEvent =>
  ({ seq: 1, timestamp: "2026-11-17T10:00:00Z", type, payload, ...more }) as unknown as JournalEvent;
const step = { effectId: "e1", taskId: "t1" };
const titleOf = (id: string): string | undefined => (id === "e1" ? "Unit tests" : undefined);
const said = (type: string, payload: object, more: object = {}): string =>
  eventWords(event(type, payload, more), titleOf).text;

describe("events in words", () => {
  it.each<[string, object, string, string]>([
    ["EFFECT_REQUESTED", { kind: "shell" }, "Asked for Unit tests (shell)", "quiet"],
    ["EFFECT_REQUESTED", { kind: "breakpoint" }, "Asked a person: Unit tests", "needs"],
    ["EFFECT_RESOLVED", { status: "ok", result: { value: 1 } }, "Unit tests is done", "good"],
    ["EFFECT_RESOLVED", { status: "ok", result: { value: { approved: false } } }, "Unit tests was rejected", "bad"],
    ["EFFECT_RESOLVED", { status: "error", error: { message: "exit 3\nmore" } }, "Unit tests failed: exit 3", "bad"],
    [
      "EFFECT_ATTEMPT_FAILED",
      { attempt: 2, reason: "timed-out", error: { message: "late" } },
      "Attempt 2 of Unit tests took too long: late",
      "bad",
    ],
  ])("%s %j says: %s", (type, payload, text, tone) => {
    expect(eventWords(event(type, payload, step), titleOf)).toMatchObject({ text, tone });
  });

  it("words of others are told apart from ours, whatever is in them", () => {
    const failed = event("EFFECT_RESOLVED", { status: "error", error: { message: "exit\ufdd0 3" } }, step);
    expect(eventWords(failed, titleOf).pieces).toEqual(["", "Unit tests", " failed: ", "exit\ufffd 3", ""]);
  });

  it("what has changed is named, and a long list is cut", () => {
    const files = ["a", "b", "c", "d", "e", "f"].map((name) => ({ path: `${name}.mjs` }));
    expect(said("CODE_CHANGED", { files, lost: [{}] })).toBe(
      "Code changed: a.mjs, b.mjs, c.mjs, d.mjs and 2 more; 1 breakpoint lost",
    );
    expect(said("LOOP_AMENDED", { what: "limit iterations: 5 → 9" })).toBe("Contract changed: limit iterations: 5 → 9");
  });

  it("C27: a pause is told once, without the heading for hosts", () => {
    const message = "🛑 Babysitter run: stuck, nothing is happening.";
    expect(said("LOOP_PAUSED", { message })).toBe("Loop paused: stuck, nothing is happening.");
    expect(said("LOOP_PAUSED", { message: "No reason was given." })).toBe("Loop paused");
    expect(said("STOP_HOOK_INVOKED", { iteration: 2, paused: message })).toBe(
      "Turn of iteration 2 ended: paused, stuck, nothing is happening.",
    );
  });

  it("a type of a newer version is told by its name, and its own line is kept short", () => {
    expect(said("RUN_TELEPORTED", {})).toBe("RUN_TELEPORTED, which this version does not know");
    expect(said("__proto__", {})).toContain("does not know");
    expect(said("RUN_FAILED", { error: { message: "x".repeat(5_000) } }).length).toBeLessThan(300);
  });

  it("bookkeeping is minor, results are not", () => {
    expect([isMinor(event("HOOK_DISPATCHED", {})), isMinor(event("EFFECT_RESOLVED", {}))]).toEqual([true, false]);
  });
});
