import { describe, expect, it } from "vitest";
import { toJson } from "./json.js";
import { describeLosses, jsonLosses } from "./json-losses.js";

class Point {
  x = 1;
}

describe("what JSON cannot hold", () => {
  it.each<[unknown, string, string]>([
    [{ a: new Map([[1, 2]]) }, ".a", "an instance of Map (recorded as {})"],
    [{ a: [new Set([1])] }, ".a[0]", "an instance of Set (recorded as {})"],
    [{ a: { b: () => 1 } }, ".a.b", "a function (left out)"],
    [[Symbol("s")], "[0]", "a symbol (recorded as null)"],
    [{ "a b": Number.NaN }, '["a b"]', "NaN (recorded as null)"],
    [Number.POSITIVE_INFINITY, "", "Infinity (recorded as null)"],
    [[1, undefined], "[1]", "undefined (recorded as null)"],
    [{ a: 1n }, ".a", "a BigInt"],
    [{ a: new Point() }, ".a", "an instance of Point (recorded as a plain object)"],
    [{ a: new Date(Number.NaN) }, ".a", "an invalid date (recorded as null)"],
    [{ a: /x/u }, ".a", "an instance of RegExp (recorded as {})"],
    [{ a: Promise.resolve() }, ".a", "an instance of Promise (recorded as {})"],
    [{ a: new Uint8Array(1) }, ".a", "an instance of Uint8Array (recorded as a plain object)"],
  ])("C25: %o has a loss at %j", (value, path, what) => {
    expect(jsonLosses(value)).toEqual([{ path, what }]);
  });

  it.each<[unknown]>([
    [{ a: undefined, b: null, c: [1, "x", true, {}] }],
    [{ at: new Date(0), buffer: Buffer.from("x"), error: new Error("no"), own: { toJSON: () => 1 } }],
    [Object.assign(Object.create(null), { a: 1 })],
    [undefined],
  ])("C25: %o has none", (value) => {
    expect(jsonLosses(value)).toEqual([]);
  });

  it("C25: names a few of many and counts the others, and ends where a value contains itself", () => {
    const loop: Record<string, unknown> = { list: Array.from({ length: 7 }, () => Number.NaN) };
    loop["self"] = loop;
    expect(jsonLosses(loop)).toHaveLength(8);
    const [first, ...rest] = describeLosses(loop)?.split(", ") ?? [];
    expect([first, rest.length, rest.at(-1)]).toEqual([".list[0] is NaN (recorded as null)", 5, "and 3 more"]);
    expect(describeLosses(loop["list"])).toMatch(/\[4\] is NaN \(recorded as null\), and 2 more$/);
  });

  it("C25: an error keeps its message and its cause, and what cannot be recorded is refused with its place", () => {
    const error = Object.assign(new TypeError("fetch failed", { cause: new Error("refused") }), { code: "E" });
    expect(toJson({ list: [{ reason: error }] }, "It")).toEqual({
      list: [
        {
          reason: {
            name: "TypeError",
            message: "fetch failed",
            cause: { name: "Error", message: "refused" },
            code: "E",
          },
        },
      ],
    });
    expect(() => toJson({ a: [{ n: 1n }] }, "It")).toThrow(".a[0].n is a BigInt");
  });
});
