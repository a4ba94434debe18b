import { expect, test } from "vitest";
import { iterationText } from "./iteration-text.js";

test.each([
  ["before an agent has begun", 1, [], "0/50, no agent has started"],
  ["in its first iteration", 1, ["s"], "1/50"],
  ["later", 7, ["s"], "7/50"],
])("C27: a loop says which iteration it is in: %s", (_when, iteration, sessions, text) => {
  expect(iterationText({ iteration, sessions, limits: { iterations: 50 } as never }, "/")).toBe(text);
});
