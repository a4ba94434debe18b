import { expect, it } from "vitest";
import type { RunReport } from "../model/report.js";
import { nextSteps } from "./report-next.js";

const paused: RunReport = {
  runId: "night",
  runDir: "/p/.a5c/runs/night",
  processId: "loop",
  title: "Tidy the shed",
  state: "paused",
  outcome: "you",
  at: "2026-03-01T10:00:00.000Z",
  humanMs: 0,
  failedAttempts: 0,
};

it.each([
  ["max_iterations_reached", " --max-iterations <n>"],
  ["budget_cost", " --budget-usd <amount>"],
  ["budget_tokens", " --budget-tokens <n>"],
  ["budget_time", " --max-time <time>"],
  ["no_progress", ""],
])("B9: a loop that %s has paused is resumed by a command that is not refused", (pausedBy, option) => {
  const [step] = nextSteps([{ ...paused, pausedBy }], []);
  expect(step?.command).toBe(`babysitter loop:resume night${option}`);
});

it("B9: what only pauses a loop again is followed by the command that helps, and then by the one that resumes it", () => {
  const why = "a protected file or script changed: package.json#scripts.test (changed).";
  const row: RunReport = { ...paused, pausedBy: "contract_tampered", why, agent: "claude-code" };
  const told = (one: RunReport): string[][] => nextSteps([one], []).map(({ command, about }) => [command, about]);
  expect(told(row)).toEqual([
    ["babysitter loop:amend night --accept-changes", why],
    ["babysitter run night --agent claude-code", "then, or after undoing the changes"],
  ]);
  expect(told({ ...row, pausedBy: "stuck_permissions", why: "the host keeps denying a tool: Bash(make)." })).toEqual([
    ["babysitter run night --agent claude-code", "after allowing it: the host keeps denying a tool: Bash(make)."],
  ]);
  expect(told({ ...row, limitLifted: true })).toEqual([["babysitter run night --agent claude-code", why]]);
});
