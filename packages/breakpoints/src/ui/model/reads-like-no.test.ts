import { expect, test } from "vitest";
import { readsLikeNo } from "./reads-like-no.js";

test.each([
  "no",
  "No.",
  "NO!!",
  "n",
  "Nope, not yet",
  "no, wait for Monday",
  "stop",
  "Stop it",
  "don't",
  "Don’t do that",
  "dont",
  "do not deploy",
  "Please do not deploy",
  "I'd rather you don't",
  "not yet",
  "“No”",
  "ｎｏ",
  "wait",
  "reject",
  "Rejected: too slow",
  "cancel that",
  "this should not happen",
  "👎",
  "nein",
])("B2 %j is not sent as a yes without a question", (text) => {
  expect(readsLikeNo(text)).toBe(true);
});

test.each([
  "yes",
  "Call it north",
  "Use port 8080",
  "Notify the team",
  "Nothing against it",
  "call it no-reply",
  "stopwatch",
  "canceled-orders",
])("%j is an answer", (text) => {
  expect(readsLikeNo(text)).toBe(false);
});
