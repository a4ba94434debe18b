import { expect, it } from "vitest";
import { refuseDamaged } from "./journal-damage.js";

it.each([
  ["journal/2.json", 1, "The journal of r is damaged after 1 good event."],
  ["journal/3.json", 2, "The journal of r is damaged after 2 good events."],
  ["blobs/a", 1, "The journal of r is intact (1 event), but values that it needs are not."],
])("damage of %s after %i: %s", (file, events, words) => {
  const findings = [{ file, problem: "is missing", harmless: false }];
  expect(() => refuseDamaged(findings, { runId: "r", events })).toThrow(words);
});
