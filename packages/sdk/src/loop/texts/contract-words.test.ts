import { expect, it } from "vitest";
import { contractOf } from "../../../../../tests/fixtures/loop/situations.js";
import { endsWhen } from "./contract-words.js";

it.each([
  [["Sweep"], "</promise>, the step is done;"],
  [["Sweep", "Mop"], "</promise>, all 2 steps are done;"],
])("a loop with the steps %j ends when %s", (titles, words) => {
  const steps = titles.map((title) => ({ id: title.toLowerCase(), title }));
  expect(endsWhen(contractOf({ steps }))).toContain(words);
});
