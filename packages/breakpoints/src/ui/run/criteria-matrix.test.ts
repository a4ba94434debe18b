import { type JournalEvent, stateAfter } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { columnHeads, criteriaMatrix, joinColumns, standingAt, standingOf } from "./criteria-matrix.js";

const command = (id: string, role: "required" | "must-not" = "required", line = id) => ({
  id,
  kind: "command",
  text: line,
  command: line,
  role,
  tier: "fast",
  timeoutMs: 1,
});
const contract = (criteria: object[]) => ({
  mode: "criteria",
  title: "t",
  promise: { text: "DONE", issued: false },
  criteria,
  steps: [],
  limits: { iterations: 9, rejections: 3 },
  shape: "tool",
  protects: [],
  protectedThings: [],
  settings: {},
});

function journal(...drafts: { type: string; payload: object }[]): JournalEvent[] {
  const created = {
    type: "RUN_CREATED",
    payload: { runId: "r", processId: "p", inputs: { value: null }, codeHash: "" },
  };
  return [created, ...drafts].map((draft, index) => ({
    ...draft,
    seq: index + 1,
    id: String(index),
    format: 1,
    timestamp: new Date(1_000 * index).toISOString(),
  })) as unknown as JournalEvent[];
}

function check(verification: string, criterion: string, ok: boolean, more: object = {}) {
  const outcome = ok ? "met" : "unmet";
  return { type: "CRITERION_CHECKED", payload: { verification, criterion, ok, outcome, flaky: false, ...more } };
}

const stop = (nextIteration: number) => ({ type: "STOP_HOOK_INVOKED", payload: { sessionId: "s", nextIteration } });

const started = {
  type: "LOOP_STARTED",
  payload: { contract: contract([command("a"), command("b", "must-not")]), goal: { value: "g" }, iteration: 1 },
};

function matrixOf(events: JournalEvent[]) {
  const loop = stateAfter(events, events.length)?.loop;
  if (loop === undefined) throw new Error("There is no loop.");
  return { ...criteriaMatrix(events, loop), loop };
}

describe("criteria over time", () => {
  it("has a column for each check, and one for each change of the contract", () => {
    const amended = {
      type: "LOOP_AMENDED",
      payload: {
        contract: contract([command("a", "required", "npm test"), command("b", "must-not")]),
        what: "x",
        by: "person",
      },
    };
    const { rows, columns, loop } = matrixOf(
      journal(
        started,
        check("1", "a", false),
        check("1", "b", false),
        amended,
        stop(3),
        check("2", "a", true),
        check("2", "gone", true),
      ),
    );
    expect(rows.map(({ id, isMustNot, criterion }) => [id, isMustNot, criterion !== undefined])).toEqual([
      ["a", false, true],
      ["b", true, true],
      ["gone", false, false],
    ]);
    expect(columns.map((column) => (column.kind === "checks" ? [...column.checks.keys()] : column.terms))).toEqual([
      ["a", "b"],
      [{ term: "criterion a", was: "a", is: "npm test" }],
      ["a", "gone"],
    ]);
    expect(columns.flatMap((column) => (column.kind === "checks" ? [column.first] : []))).toEqual([1, 3]);
    expect(rows.slice(0, 2).map((row) => standingAt(loop, row))).toEqual(["met", "kept"]);
  });

  it("hundreds of checks that say the same are one column", () => {
    const checks = Array.from({ length: 300 }, (_, n) => [check(String(n), "a", n === 150), stop(n + 2)]);
    const { columns } = matrixOf(journal(started, ...checks.flat()));
    expect(columns).toHaveLength(300);
    const joined = joinColumns(columns, 40);
    expect(joined.map((column) => column.kind === "checks" && [column.first, column.last])).toEqual([
      [1, 150],
      [151, 151],
      [152, 300],
    ]);
    expect(joinColumns(columns.slice(0, 5), 40)).toHaveLength(5);
  });

  it("several checks in one iteration have one heading", () => {
    const { columns } = matrixOf(
      journal(started, check("1", "a", false), check("2", "a", false), stop(2), check("3", "a", true)),
    );
    const heads = columnHeads(columns);
    expect(heads.map(({ column, span }) => [column.kind === "checks" && column.first, span])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(columnHeads([])).toEqual([]);
  });

  it("what must not happen is kept when its command says no, and unknown when it said nothing", () => {
    expect(standingOf({ ok: true, outcome: "met" }, true)).toBe("violated");
    expect(standingOf({ ok: false, outcome: "unmet" }, true)).toBe("kept");
    expect(standingOf({ ok: false, outcome: "timed-out" }, true)).toBe("unknown");
    expect(standingOf({ ok: false, outcome: "timed-out" }, false)).toBe("unmet");
  });

  it("a criterion that nobody can check is known when the loop has ended, by the agent's word", () => {
    const claim = { id: "nice", kind: "claim", text: "it is nice" };
    const begun = { ...started, payload: { ...started.payload, contract: contract([claim]) } };
    const { rows, loop } = matrixOf(journal(begun));
    expect(rows.map((row) => standingAt(loop, row))).toEqual(["unknown"]);
    const ended = { ...loop, ended: { attestation: "claim" as const, code: "", at: "" } };
    expect(rows.map((row) => standingAt(ended, row))).toEqual(["claimed"]);
  });
});
