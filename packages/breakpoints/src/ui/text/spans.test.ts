import { expect, it } from "vitest";
import { cutSpans, markSpans } from "./spans.js";

it("marks ranges across spans, and keeps their kinds", () => {
  expect(
    markSpans(
      [{ text: "abc", kind: "k" }, { text: "def" }],
      [
        [1, 2],
        [2, 5],
      ],
      "m",
    ),
  ).toEqual([
    { text: "a", kind: "k" },
    { text: "b", kind: "k m" },
    { text: "c", kind: "k m" },
    { text: "de", kind: "m" },
    { text: "f" },
  ]);
  expect(markSpans([{ text: "abc" }], [], "m")).toEqual([{ text: "abc" }]);
});

it("cuts after so many characters", () => {
  expect(cutSpans([{ text: "abc", kind: "k" }, { text: "def" }, { text: "g" }], 4)).toEqual([
    { text: "abc", kind: "k" },
    { text: "d" },
  ]);
});
