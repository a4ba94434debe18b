import { expect, it } from "vitest";
import type { LoopPaused } from "./loop-events.js";
import { NO_REASON, pauseReason, pauseWords } from "./pause-words.js";

it.each([
  [
    "🛑 Babysitter run: a protected file or script changed: package.json#scripts.test (changed). To accept the changes: babysitter loop:amend --accept-changes",
    "a protected file or script changed: package.json#scripts.test (changed).",
  ],
  [
    "🛑 Babysitter run: a criteria loop without criteria cannot end. Add one: babysitter loop:amend --criteria 'name: command'",
    "a criteria loop without criteria cannot end.",
  ],
  [
    "🛑 Babysitter run: there is a cost limit, but this host does not report what the session uses. To continue without the limit: babysitter loop:amend --budget-usd 0",
    "there is a cost limit, but this host does not report what the session uses.",
  ],
  ["🛑 Babysitter loop: stuck, nothing is happening.", "stuck, nothing is happening."],
  ["⚠️  Babysitter run: Transcript file not found.", "Transcript file not found."],
  [
    "⏸ Babysitter run: paused, because the session file says active: false. To resume: babysitter loop:resume r",
    "the session file says active: false.",
  ],
  ["lunch", "lunch"],
  [NO_REASON, undefined],
  ["", undefined],
])("C27: a row says of %j what is not said beside it", (message, reason) => {
  expect(pauseReason({ message })).toBe(reason);
});

it.each<[Pick<LoopPaused, "by" | "source">, string, string]>([
  [{ by: "engine" }, "🛑 Babysitter run: stuck, nothing is happening.", "It is paused: stuck, nothing is happening."],
  [{ by: "person", source: { by: "tal", via: "cli", verified: true } }, NO_REASON, "tal paused it."],
  [{ by: "person", source: { by: "tal", via: "cli", verified: true } }, "lunch", "tal paused it: lunch"],
  [{ by: "person" }, NO_REASON, "A person paused it."],
  [{ by: "agent" }, "", "It is paused."],
])("C27: a pause by %j with %j is told as a sentence", (who, message, words) => {
  expect(pauseWords({ code: "by_request", message, ...who })).toBe(words);
});
