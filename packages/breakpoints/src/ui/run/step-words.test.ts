import type { TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { expect, it } from "vitest";
import { stepPlace } from "./step-words.js";

it("a step says which one of how many it is, and what the numbers of its events are", () => {
  const spans = [
    { id: "a", seq: 2, endSeq: 6 },
    { id: "b", seq: 3 },
  ] as TimelineSpan[];
  expect(spans.map((span) => stepPlace(span, spans))).toEqual([
    "step 1 of 2 · journal events 2 to 6",
    "step 2 of 2 · since journal event 3",
  ]);
});
