import type { RunSummary } from "@a5c-ai/babysitter-sdk/operate";
import { describe, expect, it } from "vitest";
import { runTrouble } from "./run-trouble.js";

const AT = "2026-01-20T08:00:00.000Z";

function summary(more: object): RunSummary {
  return {
    created: { runId: "r", processId: "x", entry: { path: "p.mjs", export: "process" } },
    pending: {},
    counts: { requested: 1, ok: 0, error: 0 },
    ...more,
  } as unknown as RunSummary;
}

const failed = { at: AT, error: { name: "Error", message: "no luck" }, codeHash: "c" };
const blocked = { at: AT, processHead: 1, codeHash: "c", codes: [], report: {}, seq: 5 };
const paused = (by: string, more: object = {}): object => ({
  loop: { paused: { code: "budget_cost", message: "The cost limit was reached.", by, at: AT, ...more }, sessions: [] },
});
const promptOnly = { created: { runId: "r", processId: "x", entry: { path: "", export: "" } } };

describe("what needs a person", () => {
  it.each([
    ["a run that has failed", { failed }, ["failed", "no luck"]],
    ["one whose error says nothing", { failed: { ...failed, error: {} } }, ["failed", "an error"]],
    ["one that is blocked", { blocked }, ["blocked", "its code no longer fits what was recorded"]],
    ["one that failed and was blocked then", { failed, blocked }, ["blocked", expect.stringContaining("code")]],
    [
      "one whose questions are gone",
      { blocked: { ...blocked, code: "GATES_CHANGED" } },
      ["blocked", expect.stringContaining("questions")],
    ],
    ["a loop that a rule has paused", paused("engine"), ["paused", "The cost limit was reached."]],
    [
      "one that the engine has told in a host",
      paused("engine", { message: "🛑 Babysitter run: stuck, nothing is happening." }),
      ["paused", "stuck, nothing is happening."],
    ],
    ["one without a process", { ...promptOnly, ...paused("engine") }, ["paused", "The cost limit was reached."]],
  ])("B9: %s", (_, more, [state, why]) => {
    expect(runTrouble({ projectRoot: "/home/p" }, summary(more))).toEqual({
      state,
      why,
      at: AT,
      run: { id: "r", process: "x" },
      project: { name: "p", root: "/home/p" },
    });
  });

  it.each([
    ["a run that goes on", {}],
    ["one that waits", { pending: { e: { kind: "breakpoint" } } }],
    [
      "one that tries again by itself",
      {
        pending: { e: { kind: "shell", failures: 3, notBefore: AT } },
        loop: { failure: { retryAt: AT }, sessions: [] },
      },
    ],
    ["one that is done", { completed: { at: AT }, ...paused("engine") }],
    ["one that a person has cancelled", { cancelled: { at: AT, reason: "enough" }, failed }],
    ["a loop that a person has paused", paused("person")],
    ["one that its agent has paused", paused("agent")],
    ["one whose session file says so", paused("session-file")],
  ])("B9: not %s", (_, more) => {
    expect(runTrouble({ projectRoot: "/home/p" }, summary(more))).toBeUndefined();
  });
});
