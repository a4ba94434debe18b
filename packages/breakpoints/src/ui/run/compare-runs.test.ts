import { type JournalEvent, timelineOf } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { type ComparedRun, compareRuns, lengthOf } from "./compare-runs.js";

interface Made {
  place: string;
  args?: unknown;
  result?: unknown;
  error?: string;
  isOpen?: true;
}

function run(process: string, steps: readonly Made[]): ComparedRun {
  const drafts: object[] = [
    { type: "RUN_CREATED", payload: { runId: "r", processId: process, entry: { path: "p.mjs", export: "process" } } },
  ];
  for (const [n, { place, args, result, error, isOpen }] of steps.entries()) {
    const effect = { effectId: `${process}-${n}`, invocationKey: place, taskId: place };
    const payload = { kind: "shell", definition: { value: {} }, args: { value: args ?? null }, after: 0, iteration: 1 };
    drafts.push({ type: "EFFECT_REQUESTED", ...effect, payload });
    if (isOpen) continue;
    const resolved =
      error === undefined
        ? { status: "ok", attempt: 1, result: { value: result ?? null } }
        : { status: "error", attempt: 1, error: { message: error } };
    drafts.push({ type: "EFFECT_RESOLVED", ...effect, payload: resolved });
  }
  const events = drafts.map((draft, index) => ({
    ...draft,
    seq: index + 1,
    timestamp: new Date(1_000 * index).toISOString(),
  })) as unknown as JournalEvent[];
  return { events, timeline: timelineOf(events, new Date(99_000)) };
}

const keysOf = (left: ComparedRun, right: ComparedRun) =>
  compareRuns(left, right).steps.map(({ key, differs }) => [key, ...differs]);

describe("two runs side by side", () => {
  it("the same steps are matched by their place, whatever their ids are", () => {
    const steps = [
      { place: "build", args: { a: 1, b: 2 } },
      { place: "test", result: 5 },
    ];
    const other = [
      { place: "build", args: { b: 2, a: 1 } },
      { place: "test", result: 5 },
    ];
    expect(compareRuns(run("p", steps), run("p", other))).toMatchObject({ isSameProcess: true, partsAt: undefined });
    expect(compareRuns(run("p", steps), run("q", other)).isSameProcess).toBe(false);
  });

  it("tells in what a step differs, and which is the first one that does", () => {
    const left = run("p", [{ place: "a" }, { place: "b", args: 1 }, { place: "c", result: 1 }, { place: "d" }]);
    const right = run("p", [
      { place: "a" },
      { place: "b", args: 2 },
      { place: "c", result: 2 },
      { place: "d", error: "no" },
    ]);
    expect(keysOf(left, right)).toEqual([["a"], ["b", "request"], ["c", "result"], ["d", "state"]]);
    expect(compareRuns(left, right).partsAt).toBe(1);
  });

  it("steps that only one has stand where it took them", () => {
    const left = run("p", [{ place: "a" }, { place: "left only" }, { place: "z" }]);
    const right = run("p", [{ place: "a" }, { place: "right only" }, { place: "z" }, { place: "more", isOpen: true }]);
    expect(keysOf(left, right)).toEqual([
      ["a"],
      ["left only", "missing"],
      ["right only", "missing"],
      ["z"],
      ["more", "missing"],
    ]);
  });

  it("one that is still open differs in its state, and has no length", () => {
    const comparison = compareRuns(run("p", [{ place: "a" }]), run("p", [{ place: "a", isOpen: true }]));
    expect(comparison.steps[0]?.differs).toEqual(["state"]);
    expect(comparison.steps.map(({ left, right }) => [lengthOf(left), lengthOf(right)])).toEqual([[1_000, undefined]]);
  });
});
