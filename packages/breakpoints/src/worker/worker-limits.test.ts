import { describe, expect, it } from "vitest";
import { workerLimits } from "./worker-limits.js";

describe("the variables of the worker", () => {
  it("B3: are numbers, with usual values", () => {
    expect(workerLimits({})).toEqual({ pollMs: 2_000, batchSize: 10 });
    expect(workerLimits({ WORKER_POLL_MS: "", WORKER_BATCH_SIZE: "1" })).toEqual({ pollMs: 2_000, batchSize: 1 });
    expect(workerLimits({ WORKER_POLL_MS: "500" })).toMatchObject({ pollMs: 500 });
  });

  it.each([
    ["WORKER_POLL_MS", ["often", "0", "-1", "1.5", "1e3", "19", "600001", " 500"]],
    ["WORKER_BATCH_SIZE", ["0", "all", "1001", "-5", "0x10"]],
  ])("%s: nothing else is taken for one", (name, wrong) => {
    for (const text of wrong)
      expect(() => workerLimits({ [name]: text })).toThrow(new RegExp(`^${name} is a number`, "u"));
  });
});
