import { expect, test } from "vitest";
import { counted } from "./counted.js";

test("what is counted is one or several, also where that is more than an s", () => {
  expect([0, 1, 2].map((count) => counted(count, "problem"))).toEqual(["0 problems", "1 problem", "2 problems"]);
  expect([1, 2].map((count) => counted(count, "entry", "entries"))).toEqual(["1 entry", "2 entries"]);
});
