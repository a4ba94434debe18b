import { expect, test } from "vitest";
import { parseSessionId } from "./session-id.js";

test.each([
  ["a letter", "a"],
  ["words", "abc-xyz-123"],
  ["a UUID", "3f2e0c1a-0d5b-4c8e-9a1f-77d2f0c9e001"],
  ["dots inside", "sess_1.2"],
  ["128 characters", "x".repeat(128)],
])("a session id: %s", (_, id) => {
  expect(parseSessionId(id)).toBe(id);
});

test.each([
  ["a path out of the folder", "../out/evil"],
  ["the folder above", ".."],
  ["the folder", "."],
  ["a hidden file", ".hidden"],
  ["two dots inside", "a..b"],
  ["a slash", "a/b"],
  ["a backslash", "a\\b"],
  ["nothing", ""],
  ["a blank", " "],
  ["two words", "a b"],
  ["a line end", "a\n"],
  ["a NUL", "a\0b"],
  ["a quote", 'a"b'],
  ["shell syntax", "a$(id)"],
  ["a letter that is not ASCII", "ä"],
  ["129 characters", "x".repeat(129)],
  ["10 KB", "x".repeat(10 * 1024)],
  ["undefined", undefined],
  ["null", null],
  ["a number", 7],
  ["a list", ["a"]],
  ["an object that looks like one", { toString: () => "a" }],
])("L2: per-session isolation: no session id, so never a path: %s", (_, value) => {
  expect(parseSessionId(value)).toBeUndefined();
});
