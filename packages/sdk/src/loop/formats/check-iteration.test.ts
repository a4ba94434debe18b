import { expect, test } from "vitest";
import { checkIteration, isIterationTooFast, updateIterationTimes } from "./check-iteration.js";
import type { SessionFile } from "./session-file.js";

const AT = "2026-03-02T10:05:00Z";
const LATER = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1000).toISOString();

const session = (more: Partial<SessionFile>): SessionFile => ({
  active: true,
  iteration: 3,
  maxIterations: 256,
  runId: "my-run-abc123",
  startedAt: "2026-03-02T10:00:00Z",
  lastIterationAt: AT,
  iterationTimes: [],
  prompt: "Build the API...",
  unknown: [],
  ...more,
});

test("L5: session:check-iteration output: the session continues", () => {
  const document = checkIteration(session({ iterationTimes: [70, 45, 62] }), LATER(58));
  expect(JSON.stringify(document)).toBe(
    JSON.stringify({
      found: true,
      shouldContinue: true,
      nextIteration: 4,
      updatedIterationTimes: [45, 62, 58],
      iteration: 3,
      maxIterations: 256,
      runId: "my-run-abc123",
      prompt: "Build the API...",
    }),
  );
});

test("L5: session:check-iteration output: runaway detection", () => {
  expect(checkIteration(session({ iteration: 5, iterationTimes: [100, 8, 8] }), LATER(9))).toEqual({
    found: true,
    shouldContinue: false,
    reason: "iteration_too_fast",
    averageTime: 8.3,
    threshold: 15,
    stopMessage: "Average iteration time too fast (8.3s <= 15s)",
  });
});

test("L5: session:check-iteration output: max iterations", () => {
  expect(checkIteration(session({ iteration: 20, maxIterations: 20, iterationTimes: [1, 1, 1] }), LATER(1))).toEqual({
    found: true,
    shouldContinue: false,
    reason: "max_iterations_reached",
    iteration: 20,
    maxIterations: 20,
    stopMessage: "Max iterations (20) reached",
  });
});

test("L5: session:check-iteration: before the last iteration, and without a limit, it continues", () => {
  expect(checkIteration(session({ iteration: 19, maxIterations: 20 }), LATER(60)).shouldContinue).toBe(true);
  expect(checkIteration(session({ iteration: 9999, maxIterations: 0 }), LATER(60)).shouldContinue).toBe(true);
});

test.each([
  { iteration: 4, times: [1, 1], seconds: 1, goesOn: true },
  { iteration: 5, times: [1], seconds: 1, goesOn: true },
  { iteration: 5, times: [15, 15], seconds: 15, goesOn: false },
  { iteration: 5, times: [15, 15], seconds: 16, goesOn: true },
  { iteration: 9, times: [1, 1, 1], seconds: 300, goesOn: true },
])("L5: session:check-iteration: runaway detection at iteration $iteration after $times and $seconds", (given) => {
  const { iteration, times, seconds, goesOn } = given;
  expect(checkIteration(session({ iteration, iterationTimes: times }), LATER(seconds)).shouldContinue).toBe(goesOn);
});

test("L5: session:check-iteration: a session without a file, and one that is not active", () => {
  expect(checkIteration(undefined, AT)).toMatchObject({
    found: false,
    shouldContinue: false,
    reason: "no_active_loop",
  });
  expect(checkIteration(session({ active: false }), AT)).toMatchObject({
    found: true,
    shouldContinue: false,
    reason: "loop_inactive",
  });
});

test("a session without a run and without times", () => {
  const { runId: _, lastIterationAt: __, ...rest } = session({});
  expect(checkIteration(rest, AT)).toMatchObject({ runId: "", updatedIterationTimes: [] });
});

test("the last three durations are kept, in whole seconds", () => {
  expect(updateIterationTimes([62, 58], "2026-03-02T10:05:00Z", "2026-03-02T10:05:45Z")).toEqual([62, 58, 45]);
  expect(updateIterationTimes([70, 62, 58], "2026-03-02T10:05:00.900Z", "2026-03-02T10:05:45.100Z")).toEqual([
    62, 58, 45,
  ]);
});

test.each([
  ["the clock went back", AT, LATER(-3600)],
  ["no time has passed", AT, AT],
  ["the last time is no time", "yesterday", AT],
  ["the last time is unknown", undefined, AT],
  ["the time is no time", AT, ""],
])("the durations stay as they are when %s", (_, last, now) => {
  expect(updateIterationTimes([62, 58, 5], last, now)).toEqual([62, 58, 5]);
});

test("fewer than three durations are never too fast", () => {
  expect(isIterationTooFast([])).toBe(false);
  expect(isIterationTooFast([1, 1])).toBe(false);
  expect(isIterationTooFast([1, 1, 43])).toBe(true);
  expect(isIterationTooFast([1, 1, 44])).toBe(false);
});
