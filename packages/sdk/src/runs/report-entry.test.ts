import { expect, test } from "vitest";
import { failureKey } from "./report-entry.js";

test("B9: one bug is one cause, whichever step, run or process has met it", () => {
  const key = (message: string, processId = "p"): string => failureKey(message, processId);
  const refused = key('"Migrate" exited with 1: connect ECONNREFUSED 127.0.0.1:5432');
  expect(key('"Back up" exited with 2: connect ECONNREFUSED 127.0.0.1:5433', "q")).toBe(refused);
  expect(key("connect ECONNREFUSED 127.0.0.1:5432\n    at somewhere")).toBe(refused);
  expect(key('"Migrate" exited with 1: no such table')).not.toBe(refused);
});

test("B9: steps that printed nothing have their causes for themselves", () => {
  const silent = failureKey('"Build" exited with 3', "p");
  expect(failureKey('"Build" exited with 3', "p")).toBe(silent);
  expect(failureKey('"Build" exited with 3', "q")).not.toBe(silent);
  expect(failureKey('"Test" exited with 3', "p")).not.toBe(silent);
});
