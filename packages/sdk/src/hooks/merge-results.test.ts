import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HookVote, mergeResults } from "./merge-results.js";

const vote = (answer: unknown, more: Partial<HookVote> = {}): HookVote => ({
  name: "h",
  status: "ok",
  answer,
  ...more,
});

describe("one result of many", () => {
  it("is nothing to do when no hook ran or none said anything", () => {
    expect(mergeResults([])).toEqual({ ok: true, action: "none", count: 0 });
    expect(mergeResults([vote(undefined), vote({})])).toEqual({ ok: true, action: "none", count: 0 });
  });

  it("adds the counts, and takes the strongest action with the first reason for it", () => {
    const none = vote({ action: "none", reason: "terminal-state" });
    const waiting = vote({ action: "waiting", count: 1, reason: "breakpoint-waiting" });
    const executed = vote({ action: "executed-tasks", count: 3, reason: "auto-runnable-tasks" });
    const again = vote({ action: "executed-tasks", count: 2, reason: "more" });
    expect(mergeResults([none, waiting])).toEqual({
      ok: true,
      action: "waiting",
      count: 1,
      reason: "breakpoint-waiting",
    });
    for (const votes of [
      [none, waiting, executed, again],
      [executed, again, waiting, none],
    ])
      expect(mergeResults(votes)).toEqual({
        ok: true,
        action: "executed-tasks",
        count: 6,
        reason: "auto-runnable-tasks",
      });
    expect(mergeResults([vote({ action: "waiting" }), waiting]).reason).toBe("breakpoint-waiting");
    expect(mergeResults([vote({ reason: "of no action" }), none]).reason).toBe("terminal-state");
  });

  it("is not ok when any hook has failed, with what they said, shortly", () => {
    const failed = (name: string, problem?: string): HookVote => vote({}, { name, status: "failed", problem });
    expect(mergeResults([vote({ ok: true }), failed("a.sh", "no network"), failed("b.sh")])).toEqual({
      ok: false,
      action: "none",
      count: 0,
      error: "a.sh: no network; b.sh: failed",
    });
    const many = mergeResults(Array.from({ length: 900 }, (_, n) => failed(`h${n}`, "x".repeat(5_000))));
    expect(many.error).toMatch(/and 895 more$/);
    expect(many.error?.length).toBeLessThan(1_100);
  });

  it("keeps what a failed hook has done", () => {
    const failed = vote({ ok: false, action: "executed-tasks", count: 2 }, { status: "failed", problem: "third one" });
    expect(mergeResults([failed])).toEqual({ ok: false, action: "executed-tasks", count: 2, error: "h: third one" });
  });

  it("counts only whole numbers that make sense", () => {
    for (const count of [-1, 1.5, "3", null, Number.NaN, Number.POSITIVE_INFINITY, 1e300, [2], {}, true])
      expect(mergeResults([vote({ count }), vote({ count: 2 })]).count).toBe(2);
    const largest = vote({ count: Number.MAX_SAFE_INTEGER });
    expect(mergeResults([largest, largest]).count).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("can be made of anything at all", () => {
    const status = fc.constantFrom<HookVote["status"]>("ok", "failed", "timed-out", "not-started");
    const known = fc.record(
      { action: fc.anything(), count: fc.anything(), reason: fc.anything(), ok: fc.anything(), error: fc.anything() },
      { requiredKeys: [] },
    );
    const votes = fc.array(fc.record({ name: fc.string(), status, answer: fc.oneof(known, fc.anything()) }));
    fc.assert(
      fc.property(votes, (list) => {
        const merged = mergeResults(list);
        expect(merged.ok).toBe(list.every((one) => one.status === "ok"));
        expect(["executed-tasks", "waiting", "none"]).toContain(merged.action);
        expect(Number.isSafeInteger(merged.count) && merged.count >= 0).toBe(true);
        expect(["string", "undefined"]).toContain(typeof merged.reason);
        expect(JSON.parse(JSON.stringify(merged))).toEqual(merged);
      }),
      { numRuns: 500 },
    );
  });
});
