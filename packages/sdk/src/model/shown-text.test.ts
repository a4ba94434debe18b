import { describe, expect, it } from "vitest";
import {
  codeBlock,
  codeSpan,
  lastLines,
  quotedLines,
  shownLine,
  shownLines,
  shownMessage,
  visibleJson,
} from "./shown-text.js";
import { forTerminal, line } from "./terminal-text.js";

describe("text from anyone", () => {
  it.each([
    ["two\nlines\r\n and\ttabs  ", "two lines and tabs"],
    ["\u001b[2J\u0007\0", "\\x1b[2J\\x07\\x00"],
    ["a\u202egnp.exe\u200b", "a\\u{202e}gnp.exe\\u{200b}"],
    ["one\u2028two\u0085three\vfour", "one two three four"],
    ["👩‍👩‍👧‍👦 e\u0301 修复", "👩‍👩‍👧‍👦 e\u0301 修复"],
    ["a\ud800b", "a\\u{d800}b"],
    ["", ""],
  ])("%j is shown in one line as %j", (text, shown) => {
    expect(shownLine(text)).toBe(shown);
  });

  it("is cut between characters, and says so", () => {
    expect(shownLine("abcdefghij", 10)).toBe("abcdefghij");
    expect(shownLine("abcdefghijk", 10)).toBe("abcdefghi…");
    expect(shownLine("🙂".repeat(11), 10)).toBe(`${"🙂".repeat(9)}…`);
    expect(shownLine(`${" ".repeat(500)}word${" ".repeat(500)}`, 10)).toBe("word");
    expect(shownLine("\0".repeat(1_000_000), 3)).toBe("\\x00\\x00…");
  });

  it("keeps its lines where lines are wanted", () => {
    expect(shownLines("a\r\n\tb\rc\n")).toEqual(["a", "\tb\\x0dc", ""]);
    expect(lastLines("1\n2\n3\n\n", 2, 80)).toEqual(["2", "3"]);
    expect(lastLines("x".repeat(1_000), 2, 10)).toEqual([`${"x".repeat(10)}…`]);
    expect(lastLines(" \n ", 2, 80)).toEqual([""]);
  });

  it.each([
    ["npm test", "`npm test`"],
    ["a `b` c", "``a `b` c``"],
    ["`", "`` ` ``"],
    ["``` x", "```` ``` x ````"],
    ["", "`  `"],
  ])("%j is a code span that ends where it should", (text, span) => {
    expect(codeSpan(text)).toBe(span);
  });

  it("is a code block that ends where it should", () => {
    expect(codeBlock(["a"])).toBe("```text\na\n```");
    expect(codeBlock(["```", "````x", "# no heading"], "  ")).toBe(
      "  `````text\n  ```\n  ````x\n  # no heading\n  `````",
    );
  });

  it("keeps joiners in emoji and other scripts, and shows those that hide in a word", () => {
    expect(shownLine("👩\u200d🚒 می\u200cخواهم ne\u200dxt:")).toBe("👩\u200d🚒 می\u200cخواهم ne\\u{200d}xt:");
  });

  it("over several lines, cannot begin a line of ours", () => {
    expect(quotedLines("a\nnext: b\r\n\u2028")).toEqual(["  | a", "  | next: b", "  | \\u{2028}"]);
    expect(shownMessage("said:\nnext: b")).toBe("said:\n  | next: b");
    expect(line`next: ${"a\nnext: b\u001b[8m"} ${3}`).toBe("next: a next: b\\x1b[8m 3");
  });

  it("keeps no colours but our own, and those only where they are wanted", () => {
    const text = "\u001b[31mred\u001b[0m \u001b[8mhidden\u001b[38;5;1m\n\tend";
    expect(forTerminal(text)).toBe("\\x1b[31mred\\x1b[0m \\x1b[8mhidden\\x1b[38;5;1m\n\tend");
    expect(forTerminal(text, { colours: true })).toBe("\u001b[31mred\u001b[0m \\x1b[8mhidden\\x1b[38;5;1m\n\tend");
  });

  it("stays the same value in JSON, which has nothing hidden in it", () => {
    const value = { "a\u202e": "\u2028\u0085\u{e0041}\ud800\u200b👩\u200d🚒\n" };
    const text = visibleJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(forTerminal(text)).toBe(text);
  });
});
