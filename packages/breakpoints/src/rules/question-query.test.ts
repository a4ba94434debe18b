import { describe, expect, it } from "vitest";
import { cursorText } from "./query-parts.js";
import { parseQuery } from "./question-query.js";

const parse = (query: Record<string, string>): ReturnType<typeof parseQuery> => parseQuery((name) => query[name]);

describe("what a list is asked for", () => {
  it("open questions if nothing is said, and words in small letters", () => {
    expect(parse({})).toEqual({ state: "open", words: [], after: undefined, limit: 50 });
    expect(parse({ state: "decided", search: "  Ünï  ＡＢＣ ", limit: "999" })).toMatchObject({
      state: "decided",
      words: ["ünï", "abc"],
      limit: 200,
    });
    expect(parse({ search: Array.from({ length: 50 }, (_, n) => n).join(" ") }).words).toHaveLength(8);
  });

  it("where a page ended, the next one begins; anything else is refused", () => {
    expect(parse({ after: cursorText([0, -1_768_896_000_000, "effect-1"]) }).after).toEqual([
      0,
      -1_768_896_000_000,
      "effect-1",
    ]);
    const made = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const after of [
      "",
      "x",
      made([]),
      made({}),
      made([0, "1", "a"]),
      made([0, 1.5, "a"]),
      made([0, 1, 2]),
      made([0, 1, "a", 1]),
    ])
      expect(() => parse({ after })).toThrow('"after"');
    for (const limit of ["", "0", "-1", "1.5", "1e3", "x"]) expect(() => parse({ limit })).toThrow('"limit"');
    expect(() => parse({ state: "both" })).toThrow('"state"');
  });
});
