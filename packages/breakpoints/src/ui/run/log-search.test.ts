import { describe, expect, it } from "vitest";
import { findMatches, matchesIn } from "./log-search.js";

const LINES = ["ok", "\u001b[31mErr\u001b[0mor: a.b (c)", "error ERROR", "a-b/c [x]"];

describe("search in a log", () => {
  it("finds words across colours and in either case, by their place in what is seen", () => {
    const { all } = findMatches(LINES, "error");
    expect(all).toEqual([
      { row: 1, from: 0, to: 5 },
      { row: 2, from: 0, to: 5 },
      { row: 2, from: 6, to: 11 },
    ]);
    expect(matchesIn(all, 2)).toHaveLength(2);
    expect(matchesIn(all, 0)).toEqual([]);
  });

  it.each(["a.b (c)", "[x]", "a-b/c", "$^\\", "."])("%s means itself", (words) => {
    const expected = LINES.filter((line) => line.includes(words)).length;
    expect(new Set(findMatches(LINES, words).all.map(({ row }) => row)).size).toBe(expected);
  });

  it("nothing is found for nothing, and not more than anybody looks at", () => {
    expect(findMatches(LINES, "").all).toEqual([]);
    expect(findMatches(["aaaa"], "a", 3)).toMatchObject({ all: { length: 3 }, isCut: true });
  });
});
