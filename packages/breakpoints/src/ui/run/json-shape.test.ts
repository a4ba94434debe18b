import { describe, expect, it } from "vitest";
import { childrenOf, cutString, isWhole, sizeWords, storedIn } from "./json-shape.js";

describe("values piece by piece", () => {
  it("of a long list only some are shown, and the rest is counted", () => {
    const list = Array.from({ length: 250 }, (_, n) => n);
    const { children, left } = childrenOf(list, 100);
    expect([children.length, left, children[99]]).toEqual([100, 150, ["99", 99]]);
    expect(childrenOf({ a: 1, b: 2 }, 1)).toEqual({ children: [["a", 1]], left: 1 });
  });

  it("names that mean something elsewhere are names like others", () => {
    const value = JSON.parse('{"__proto__": 1, "constructor": 2}') as object;
    expect(childrenOf(value, 9).children).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
    ]);
  });

  it("says how much there is", () => {
    expect([[], {}, [1], { a: 1, b: 2 }].map((value) => sizeWords(value))).toEqual([
      "[ ]",
      "{ }",
      "1 item",
      "2 fields",
    ]);
  });

  it("a long text is cut, but no character in two", () => {
    expect(cutString("abc", 3)).toEqual({ shown: "abc", left: 0 });
    expect(cutString("abcdef", 4)).toEqual({ shown: "abcd", left: 2 });
    expect(cutString("ab😀cd", 3)).toEqual({ shown: "ab", left: 4 });
  });

  it("values of events are here, or told by their size", () => {
    expect(storedIn({ result: { value: null } }, "result")).toEqual({ value: null });
    expect([storedIn({ result: 3 }, "result"), storedIn(null, "result"), storedIn({ result: {} }, "result")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([
      isWhole({ value: 1 }),
      isWhole({ value: { approved: true }, bytes: 9 }),
      isWhole({ blob: "", bytes: 9 }),
    ]).toEqual([true, false, false]);
  });
});
