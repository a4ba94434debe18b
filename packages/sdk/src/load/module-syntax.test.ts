import { describe, expect, it } from "vitest";
import { detectSyntax, looksLikeModule } from "./module-syntax.js";

describe("detectSyntax", () => {
  it.each([
    [`import a from "b"`, "module"],
    [`export default 1`, "module"],
    [`const u = import.meta.url`, "module"],
    [`const a = await b()`, "module"],
    [`f(await b())`, "module"],
    ["`${await b}`", "module"],
    [`for await (const x of y) {}`, "module"],
    [`const require = f(); require("x")`, "module"],
    [`await 1;\nimport x from "y"`, "module"],
    [`#!/usr/bin/env node\nconst x = await 1`, "module"],
    [`exports.a = 1`, "commonjs"],
    [`#!/usr/bin/env node\nmodule.exports = 1`, "commonjs"],
    [`if (x) return; require("y")`, "commonjs"],
    [`globalThis.x = import("y")`, "either"],
    [``, "either"],
    [`let x = ;`, "broken"],
    [`let x = ;\nexport const y = 1`, "broken"],
    [`exports.f = () => {`, "broken"],
  ])("takes %j for %s", (source, syntax) => {
    expect(detectSyntax(source)).toBe(syntax);
  });
});

it("looksLikeModule guesses what a broken text was meant to be", () => {
  expect(looksLikeModule(`let x = ;\nexport const y = 1`)).toBe(true);
  expect(looksLikeModule(`import("x"); exports.y = ;`)).toBe(false);
});
