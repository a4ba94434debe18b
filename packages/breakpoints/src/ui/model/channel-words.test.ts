import { expect, test } from "vitest";
import type { NotifyTrouble } from "../../wire/notify-wire.js";
import { clockTime } from "./ages.js";
import { channelName, channelTitle, channelWord, troubleWords } from "./channel-words.js";
import { duration, fieldsOf, proofOf, settingRows, topicsOf } from "./notify-settings-words.js";

const none: NotifyTrouble = { worker: "here", broken: [], waiting: 0, givenUp: 0 };
const SINCE = "2026-01-10T23:10:00Z";
const telegram = { name: "telegram", reason: "401 Unauthorized", since: SINCE };

test("B9: what keeps notifications from arriving is told by its gravest part", () => {
  const since = [", since ", { clock: SINCE }];
  expect(troubleWords({ ...none, broken: [telegram], waiting: 3, givenUp: 2 })).toEqual({
    lead: "Telegram is not working:",
    parts: [{ said: "401 Unauthorized" }, ...since, "; 3 notifications are waiting."],
  });
  expect(troubleWords({ ...none, broken: [telegram], waiting: 1 }).parts.at(-1)).toBe("; 1 notification is waiting.");
  expect(troubleWords({ ...none, broken: [telegram] }).parts.at(-1)).toBe(".");
  expect(troubleWords({ ...none, broken: [telegram, { ...telegram, name: "ntfy" }], waiting: 2 })).toEqual({
    lead: "Telegram and ntfy are not working.",
    parts: ["2 notifications are waiting."],
  });
  expect(troubleWords({ ...none, worker: "none", broken: [telegram], waiting: 1 })).toEqual({
    lead: "Your notifications are not being sent.",
    parts: ["1 notification is waiting."],
  });
  expect(troubleWords({ ...none, givenUp: 1 })).toEqual({ lead: "1 notification was given up.", parts: [] });
  expect(troubleWords({ ...none, worker: "none", unreadable: "Cannot use it." })).toEqual({
    lead: "Notifications are not working:",
    parts: [{ said: "Cannot use it." }],
  });
});

test("channels have the names that people know", () => {
  expect(["telegram", "ntfy", "slack", "discord", "webhook"].map(channelName)).toEqual([
    "Telegram",
    "ntfy",
    "Slack",
    "Discord",
    "The webhook",
  ]);
  expect([channelWord("webhook"), channelWord("slack")]).toEqual(["webhook", "Slack"]);
  expect([channelTitle("webhook"), channelTitle("slack")]).toEqual(["Webhook", "Slack"]);
});

test("what a channel sends, and what it can prove, is said in words", () => {
  expect(proofOf({ proves: "acknowledged", proof: "a tap" })).toBe("A tap");
  expect(proofOf({ proves: "accepted", proof: "nothing comes back" })).toBe("None: nothing comes back");
  expect(topicsOf({ topics: ["questions", "trouble", "report"] })).toBe(
    "Questions, trouble with runs and the morning report",
  );
  expect(topicsOf({ topics: [] })).toBe("Nothing");
  expect(fieldsOf({ fields: ["title", "question", "link"], files: true })).toBe(
    "Title, the question itself and link; files when you ask for them there",
  );
  expect(fieldsOf({ fields: [], files: false })).toBe("Only that there is a question; no files");
});

test("when something is sent is said in words", () => {
  const settings = {
    publicUrl: "https://inbox.example.org",
    afterSeconds: 60,
    remindMinutes: 90,
    remindBy: ["telegram", "webhook"],
    quietHours: "22:00-07:00",
    reportAt: "07:00",
  };
  expect(settingRows({ settings, worker: "elsewhere" }).map(([, text]) => text)).toEqual([
    "After 1 minute, unless decided by then",
    "22:00–07:00; messages are sent afterwards",
    "Every 90 minutes until it is decided, by Telegram and webhook",
    "At 07:00",
    "https://inbox.example.org",
    "A separate worker",
  ]);
  const hourly = settingRows({ settings: { ...settings, remindMinutes: 60, remindBy: [] }, worker: "here" });
  expect(hourly[2]).toEqual(["Reminders", "Every hour until it is decided"]);
  const off = { publicUrl: null, afterSeconds: 0, remindMinutes: 0, remindBy: [], quietHours: null, reportAt: "off" };
  const words = settingRows({ settings: off, worker: "here" }).map(([, text]) => text);
  expect(words.slice(0, 4)).toEqual(["At once", "None", "Off", "Off"]);
  expect(words[4]).toContain("inbox.publicUrl");
  expect([duration(1), duration(45), duration(60), duration(300), duration(3600), duration(7200)]).toEqual([
    "1 second",
    "45 seconds",
    "1 minute",
    "5 minutes",
    "1 hour",
    "2 hours",
  ]);
});

test("a time of day says its day where that is not clear", () => {
  const now = new Date(2026, 0, 10, 23, 5).getTime();
  const at = (day: number, hour: number): string => clockTime(new Date(2026, 0, day, hour, 7).toISOString(), now);
  expect([at(10, 23), at(11, 7), at(10, 0)]).toEqual(["23:07", "07:07", expect.stringMatching(/10.*00:07/u)]);
  expect(at(12, 7)).toMatch(/12.*07:07/u);
  expect(clockTime("never", now)).toBe("never");
});
