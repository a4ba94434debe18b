import { describe, expect, it } from "vitest";
import { asciiOnly } from "../../tools/ascii-only.mjs";

/** What code returns. */
function run(code: string): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function(code)();
}

describe("a bundle in ASCII", () => {
  it.each([
    ["texts", `return "é ✅ 🛑" + 'ü' + \`…\${"ß"}\`;`],
    ["patterns", `return ["é•🛑".replace(/[•🛑]/gu, "-"), /^.🛑$/u.test("a🛑"), "’x”".match(/[’”]/g)];`],
    ["names", `const größe = { ﬁne: 1 }; return größe.ﬁne;`],
    ["lone halves", `return "\uD83D".length + "\uDED1".charCodeAt(0);`],
  ])("has the same %s", (_, code) => {
    const ascii = asciiOnly(code);
    expect(ascii).toMatch(/^[\0-\u007F]*$/u);
    expect(run(ascii)).toEqual(run(code));
  });

  it("refuses a template whose raw text someone may look at", () => {
    expect(() => asciiOnly("return String.raw`•`;")).toThrow("another one in ASCII");
    expect(run(asciiOnly("return String.raw`-\\u2022`.length;"))).toBe(7);
  });
});
