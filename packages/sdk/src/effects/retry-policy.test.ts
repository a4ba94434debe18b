import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../model/json.js";
import type { WorkResult } from "./executor.js";
import { type AttemptRecord, finalError, judge, type RetryPolicy, retryPolicyOf } from "./retry-policy.js";

const USUAL = { attempts: 1, backoffMs: 1000, factor: 2, maxBackoffMs: 60_000, on: undefined, interrupted: true };

function policyOf(retry: Json): RetryPolicy {
  const policy = retryPolicyOf({ retry });
  if ("problem" in policy) throw new Error(policy.problem);
  return policy;
}

type Failure = WorkResult & { status: "error" };

function failure(more: Partial<Failure> & { exitCode?: number | null } = {}): Failure {
  const { exitCode = 1, ...fields } = more;
  const facts = { startedAt: "", finishedAt: "", durationMs: 1, exitCode };
  return {
    status: "error",
    reason: "failed",
    error: { name: "TaskError", message: "", code: "TASK_FAILED" },
    facts,
    ...fields,
  };
}

const after = (failures: number, interruptions = 0): AttemptRecord => ({ failures, interruptions });

describe("the policy of a definition", () => {
  it.each<[string, JsonObject, object]>([
    ["nothing", {}, USUAL],
    ["null", { retry: null }, USUAL],
    ["an empty object", { retry: {} }, USUAL],
    ["a number", { retry: 3 }, { ...USUAL, attempts: 3 }],
    [
      "an object",
      { retry: { attempts: 5, backoffMs: 0, factor: 1.5, maxBackoffMs: 7 } },
      { ...USUAL, attempts: 5, backoffMs: 0, factor: 1.5, maxBackoffMs: 7 },
    ],
    ["fields that are null", { retry: { attempts: null, backoffMs: null, on: null, interrupted: null } }, USUAL],
    [
      "reasons",
      { retry: { on: ["timed-out"], interrupted: false } },
      { ...USUAL, on: ["timed-out"], interrupted: false },
    ],
    ["no reason at all", { retry: { on: [] } }, { ...USUAL, on: [] }],
    ["fields of somebody else", { retry: { attempts: 2, colour: "red" } }, { ...USUAL, attempts: 2 }],
  ])("is read from %s", (_what, definition, expected) => {
    expect(retryPolicyOf(definition)).toEqual(expected);
  });

  it.each<[Json, string]>([
    [true, "`retry` must be an object"],
    ["3", "`retry` must be an object"],
    [[3], "`retry` must be an object"],
    [0, "`retry.attempts` must be a whole number of at least 1"],
    [-1, "`retry.attempts` must be a whole number of at least 1"],
    [2.5, "`retry.attempts` must be a whole number of at least 1"],
    [{ attempts: "3" }, "`retry.attempts` must be a whole number of at least 1"],
    [{ attempts: false }, "`retry.attempts` must be a whole number of at least 1"],
    [{ backoffMs: -1 }, "`retry.backoffMs` must be a number of at least 0"],
    [{ backoffMs: "1s" }, "`retry.backoffMs` must be a number of at least 0"],
    [{ factor: 0.5 }, "`retry.factor` must be a number of at least 1"],
    [{ maxBackoffMs: [] }, "`retry.maxBackoffMs` must be a number of at least 0"],
    [{ on: "timed-out" }, "`retry.on` must be a list"],
    [{ on: [75] }, "`retry.on` must be a list"],
    [{ on: {} }, "`retry.on` must be a list"],
    [{ interrupted: "no" }, "`retry.interrupted` must be true or false"],
    [{ interrupted: 0 }, "`retry.interrupted` must be true or false"],
  ])("says what is wrong with %j", (retry, problem) => {
    expect(retryPolicyOf({ retry })).toEqual({ problem: expect.stringContaining(problem) });
  });

  it("takes no number that JSON does not have either", () => {
    for (const attempts of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(retryPolicyOf({ retry: { attempts } })).toHaveProperty("problem");
  });
});

describe("after an attempt that failed", () => {
  it("there is another one until there have been as many as allowed", () => {
    const verdicts = [0, 1, 2, 3].map((failures) => judge(policyOf(3), after(failures), failure()).again);
    expect(verdicts).toEqual([true, true, false, false]);
    expect(judge(policyOf({}), after(0), failure())).toEqual({ again: false });
  });

  it.each<[JsonObject, number[]]>([
    [{}, [1000, 2000, 4000, 8000]],
    [{ backoffMs: 100, factor: 1 }, [100, 100, 100, 100]],
    [{ backoffMs: 100, factor: 10, maxBackoffMs: 5000 }, [100, 1000, 5000, 5000]],
    [{ backoffMs: 100, maxBackoffMs: 50 }, [50, 50, 50, 50]],
    [{ backoffMs: 0 }, [0, 0, 0, 0]],
    [{ backoffMs: 0, factor: 1e200 }, [0, 0, 0, 0]],
    [{ backoffMs: 1, factor: 1e300, maxBackoffMs: 9 }, [1, 9, 9, 9]],
    [{ backoffMs: 1e300, maxBackoffMs: 1e300 }, [86_400_000, 86_400_000, 86_400_000, 86_400_000]],
  ])("the pauses of %j are %j", (retry, pauses) => {
    const policy = policyOf({ attempts: 1_000_000, ...retry });
    const verdicts = pauses.map((_, failures) => judge(policy, after(failures), failure()));
    expect(verdicts).toEqual(pauses.map((afterMs) => ({ again: true, afterMs })));
  });

  it("the pause is a number however many there were", () => {
    for (const backoffMs of [0, 1000]) {
      const verdict = judge(policyOf({ attempts: 1_000_000, backoffMs }), after(5000), failure());
      expect(verdict).toEqual({ again: true, afterMs: backoffMs * 60 });
    }
  });

  it("interruptions do not count", () => {
    expect(judge(policyOf(2), after(0, 9), failure()).again).toBe(true);
  });

  it("there is none if the definition is wrong", () => {
    expect(judge(policyOf(3), after(0), failure({ permanent: true }))).toEqual({ again: false });
    expect(judge(policyOf(3), after(0), failure({ permanent: false })).again).toBe(true);
  });

  const reset = { name: "FetchError", message: "exit:9", code: "ECONNRESET" };
  it.each<[string[], Partial<Failure> & { exitCode?: number | null }, boolean]>([
    [["failed"], {}, true],
    [["timed-out"], {}, false],
    [["timed-out"], { reason: "timed-out" }, true],
    [["failed"], { reason: "timed-out" }, false],
    [["ECONNRESET"], { error: reset }, true],
    [["FetchError"], { error: reset }, true],
    [["fetcherror"], { error: reset }, false],
    [["ETIMEDOUT", "exit:75", "FetchError"], { error: reset }, true],
    [["exit:75"], { exitCode: 75 }, true],
    [["exit:75"], { exitCode: 7 }, false],
    [["exit:9"], { error: reset }, false],
    [["exit:1"], { exitCode: null }, false],
    [["exit:null"], { exitCode: null }, false],
    [[], {}, false],
    [["toString"], {}, false],
  ])("on %j: %j", (on, result, again) => {
    expect(judge(policyOf({ attempts: 3, on }), after(0), failure(result)).again).toBe(again);
  });
});

describe("after an attempt that was interrupted", () => {
  const stopped = failure({ reason: "interrupted" });

  it("there is another one at once, whatever the policy says of failures", () => {
    for (const retry of [{}, { attempts: 1, on: [] }, { attempts: 3, backoffMs: 5000 }])
      expect(judge(policyOf(retry), after(5), stopped)).toEqual({ again: true, afterMs: 0 });
  });

  it("there is none if the task must not be repeated", () => {
    expect(judge(policyOf({ attempts: 3, interrupted: false }), after(0), stopped)).toEqual({ again: false });
  });

  it("there is none after ten of them", () => {
    const last = judge(policyOf(3), after(0, 9), stopped);
    const error = { name: "TaskError", message: "It was interrupted." };
    expect(finalError(error, last).message).toBe("It was interrupted. It is not repeated after 10 interruptions.");
    const verdicts = [0, 8, 9, 10].map((interruptions) => judge(policyOf(3), after(0, interruptions), stopped).again);
    expect(verdicts).toEqual([true, true, false, false]);
  });
});
