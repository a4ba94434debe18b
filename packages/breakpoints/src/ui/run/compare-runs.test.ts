import { type JournalEvent, timelineOf } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { type ComparedRun, compareRuns, cutEvents, lengthOf, shownInput, shownResult } from "./compare-runs.js";
import type { Stored } from "./json-shape.js";

interface Made {
  place: string;
  args?: unknown;
  result?: unknown;
  /** As it stands in the event, instead of `result`. */
  stored?: Stored;
  error?: string;
  isOpen?: true;
}

function run(process: string, steps: readonly Made[]): ComparedRun {
  const drafts: object[] = [
    { type: "RUN_CREATED", payload: { runId: "r", processId: process, entry: { path: "p.mjs", export: "process" } } },
  ];
  for (const [n, { place, args, result, stored, error, isOpen }] of steps.entries()) {
    const effect = { effectId: `${process}-${n}`, invocationKey: place, taskId: place };
    const payload = { kind: "shell", definition: { value: {} }, args: { value: args ?? null }, after: 0, iteration: 1 };
    drafts.push({ type: "EFFECT_REQUESTED", ...effect, payload });
    if (isOpen) continue;
    const resolved =
      error === undefined
        ? { status: "ok", attempt: 1, result: stored ?? { value: result ?? null } }
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
    expect(comparison.steps.map(({ left, right }) => [lengthOf(left?.span), lengthOf(right?.span)])).toEqual([
      [1_000, undefined],
    ]);
  });

  it.each<[string, Stored, Stored, { differs: string[]; unknown: string[] }]>([
    [
      "of other sizes differ",
      { blob: "", bytes: 3_000 },
      { blob: "", bytes: 3_001 },
      { differs: ["result"], unknown: [] },
    ],
    [
      "of the same size are not known",
      { blob: "", bytes: 3_000 },
      { blob: "", bytes: 3_000 },
      { differs: [], unknown: ["result"] },
    ],
    ["of which only one is here, too", { blob: "", bytes: 6 }, { value: "abü" }, { differs: [], unknown: ["result"] }],
    [
      "of which a part is here, too",
      { value: { approved: true }, bytes: 3_000 },
      { value: { approved: true }, bytes: 3_000 },
      { differs: [], unknown: ["result"] },
    ],
    [
      "with files of their own go by their hashes",
      { blob: "a1", bytes: 9e5 },
      { blob: "b2", bytes: 9e5 },
      { differs: ["result"], unknown: [] },
    ],
    [
      "with the same file are the same",
      { blob: "a1", bytes: 9e5 },
      { blob: "a1", bytes: 9e5 },
      { differs: [], unknown: [] },
    ],
  ])("long values %s", (_what, left, right, expected) => {
    const one = (stored: Stored): ComparedRun => run("p", [{ place: "a", stored }]);
    const { steps, partsAt } = compareRuns(one(left), one(right));
    expect(steps[0]).toMatchObject(expected);
    expect(partsAt).toBe(expected.differs.length === 0 ? undefined : 0);
  });

  it("names the events whose values have to be read", () => {
    const { steps } = compareRuns(
      run("p", [{ place: "a", stored: { blob: "", bytes: 3_000 } }]),
      run("p", [{ place: "a", stored: { blob: "a1", bytes: 9e5 } }]),
    );
    expect(cutEvents(steps[0]?.left).map(({ type }) => type)).toEqual(["EFFECT_RESOLVED"]);
    expect(cutEvents(steps[0]?.right)).toEqual([]);
    expect(cutEvents(undefined)).toEqual([]);
    expect([shownResult(steps[0]?.left), shownResult(steps[0]?.right)]).toEqual([null, null]);
  });

  it("shows input and result as JSON, with the fields in the same order", () => {
    const { steps } = compareRuns(
      run("p", [{ place: "a", args: { b: 1, a: [] }, error: "no" }]),
      run("p", [{ place: "a", args: {}, result: { z: 1, y: 2 } }]),
    );
    const [step] = steps;
    expect(shownInput(step?.left)).toBe(JSON.stringify({ arguments: { a: [], b: 1 }, definition: {} }, null, 2));
    expect(shownInput(step?.right)).toBe("{}");
    expect(shownResult(step?.left)).toBe(JSON.stringify({ error: "no" }, null, 2));
    expect(shownResult(step?.right)).toBe(JSON.stringify({ y: 2, z: 1 }, null, 2));
    expect([shownInput(undefined), shownResult(undefined)]).toEqual([undefined, undefined]);
  });
});
