import { describe, expect, it } from "vitest";
import { fixedPart, globMatcher } from "./glob.js";

describe("a glob", () => {
  it.each([
    ["*.ts", ["a.ts", ".ts"], ["a.tsx", "d/a.ts", "a.tsb"]],
    ["tests/**", ["tests/a", "tests/b/c.js"], ["tests", "test/a", "x/tests/a"]],
    ["**/*.test.ts", ["a.test.ts", "x/y/a.test.ts"], ["a.ts", "a.test.tsx"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]],
    ["src/?.js", ["src/a.js", "src/ü.js"], ["src/ab.js", "src//.js"]],
    ["{src,test}/{a,b}.js", ["src/a.js", "test/b.js"], ["src/c.js", "{src,test}/a.js"]],
    ["x{1,{2,3}}", ["x1", "x2", "x3"], ["x4", "x{1"]],
    ["app/[id]+(x).ts", ["app/[id]+(x).ts"], ["app/i.ts"]],
    ["{alone}", ["{alone}"], ["alone"]],
    ["./src//*.js", ["src/a.js"], ["./src/a.js"]],
    ["docs/", ["docs/a", "docs/b/c"], ["docs"]],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    ["file-\\d", ["file-\\d"], ["file-1"]],
    ["li*ne", ["li\nne"], []],
  ])("%s matches what it says", (glob, matching, others) => {
    const isMatch = globMatcher(glob);
    expect(matching.filter(isMatch)).toEqual(matching);
    expect(others.filter(isMatch)).toEqual([]);
  });

  it("says in which folder its matches are", () => {
    expect(["a/b/*.ts", "*.ts", "a/b.ts", "{a,b}/c", "./a/", "a/**/b"].map(fixedPart)).toEqual([
      "a/b",
      "",
      "a",
      "",
      "a",
      "a",
    ]);
  });

  it("with too many alternatives is refused", () => {
    expect(() => globMatcher("{a,b}".repeat(12))).toThrow(/too many alternatives/u);
  });
});
