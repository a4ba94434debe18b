import { expect, test } from "vitest";
import { ageOf, agoOf, exactTime, minuteTime } from "./ages.js";
import { proofWords, splitQuestion, titleOf, wayWords } from "./decision-words.js";
import { deviceName } from "./device-name.js";
import { addressOf, parseRoute } from "./routes.js";

const NOW = Date.parse("2026-01-10T12:00:00Z");
const before = (ms: number): string => new Date(NOW - ms).toISOString();
const MINUTE = 60_000;

test("ages have coarse steps", () => {
  const ages = [0, 59_000, MINUTE, 59 * MINUTE, 60 * MINUTE, 47 * 60 * MINUTE, 48 * 60 * MINUTE].map((ms) =>
    ageOf(before(ms), NOW),
  );
  expect(ages).toEqual(["now", "now", "1 min", "59 min", "1 h", "47 h", "2 d"]);
  expect(ageOf(before(-MINUTE), NOW)).toBe("now");
  expect([ageOf("never", NOW), agoOf("never", NOW), exactTime("never")]).toEqual(["", "", "never"]);
  expect(agoOf(before(2 * MINUTE), NOW)).toBe("2 min ago");
});

test("a time can be told without its seconds", () => {
  const at = before(0);
  expect([exactTime(at), minuteTime(at)]).toEqual([
    expect.stringMatching(/\d:\d\d:\d\d/u),
    expect.not.stringMatching(/\d:\d\d:\d\d/u),
  ]);
  expect(minuteTime(at)).toMatch(/2026.*\d:\d\d/u);
  expect(minuteTime("never")).toBe("never");
});

test("the way of a decision and how sure it is are said in words", () => {
  expect(["terminal", "web", "carrier pigeon", undefined].map((via) => wayWords(via))).toEqual([
    "in a terminal",
    "in the inbox",
    "by carrier pigeon",
    "",
  ]);
  expect([wayWords("web", true), wayWords("web", false)]).toEqual(["in the inbox", "through the API"]);
  expect(proofWords({ verified: true, proof: "passkey" })).toContain("passkey");
  expect(proofWords({ verified: false })).toContain("was not checked");
});

test("B2 the title of the tab counts what is open", () => {
  expect([titleOf(3), titleOf(0), titleOf(undefined), titleOf(2, "History")]).toEqual([
    "(3) Babysitter",
    "Babysitter",
    "Babysitter",
    "(2) History · Babysitter",
  ]);
});

test("the first line is the question, the rest explains it", () => {
  expect(splitQuestion({ question: "\n Go? \r\n\nBecause.\n" })).toEqual({ head: "Go? ", rest: "Because." });
  expect(splitQuestion({ question: "Go?" })).toEqual({ head: "Go?", rest: "" });
  expect(splitQuestion({ question: "Go?", title: "Go?" })).toEqual({ head: "Go?", rest: "" });
  expect(splitQuestion({ question: "Go?\nBecause.", title: "Release" })).toEqual({
    head: "Go?",
    rest: "Because.",
    above: "Release",
  });
});

test.each([
  "- one\n- two",
  "1. one\n2. two",
  "> a word\nof others",
  "| a | b |\n| - | - |",
  "```\ncode\n```",
  "# Plan\nmore",
])("a text that begins with a block is headed by its title: %j", (question) => {
  expect(splitQuestion({ question, title: "Write it?" })).toEqual({ head: "Write it?", rest: question });
  expect(splitQuestion({ question }).head).toBe(question.split("\n")[0]);
});

test("a title that asks heads a text that does not", () => {
  expect(splitQuestion({ question: "- one", title: "Write it?" })).toEqual({ head: "Write it?", rest: "- one" });
  expect(splitQuestion({ question: "Two rows.", title: "Write it?" })).toEqual({
    head: "Write it?",
    rest: "Two rows.",
  });
  expect(splitQuestion({ question: "Go?", title: "Write it?" })).toEqual({ head: "Go?", rest: "", above: "Write it?" });
});

test("a line that only looks like the beginning of a block is the question", () => {
  expect(splitQuestion({ question: "- one?", title: "Write it" })).toMatchObject({ head: "- one?", above: "Write it" });
  expect(splitQuestion({ question: "3 tests fail.\nGo on?", title: "Tests" })).toMatchObject({ head: "3 tests fail." });
});

test("addresses lead to their screen and back", () => {
  for (const screen of ["inbox", "history"] as const)
    for (const more of [{}, { id: "a/b?c" }, { id: "q", search: "x & y" }, { search: "ü" }]) {
      const [path = "", query = ""] = addressOf(screen, more).split("?", 2);
      expect(parseRoute(path, query)).toEqual({ screen, search: "", ...more });
    }
  expect(parseRoute("/history/")).toMatchObject({ screen: "history" });
  expect(parseRoute("/questions/%E0%A4%A")).toMatchObject({ screen: "unknown" });
  expect(parseRoute("/elsewhere")).toEqual({ screen: "unknown", path: "/elsewhere" });
});

test("browsers get a name that their owner knows", () => {
  expect(deviceName("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/156.0 Safari/537.36")).toBe(
    "Chrome on Linux",
  );
  expect(deviceName("Mozilla/5.0 (Macintosh; Intel Mac OS X 15.1; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe(
    "Firefox on macOS",
  );
  expect(deviceName("curl")).toBe("Browser");
});
