import { describe, expect, it } from "vitest";
import { hasDynamicImport, requiredSpecifiers, scanSpecifiers } from "./specifiers.js";

describe("scanSpecifiers", () => {
  it.each([
    [`import a from "./a.js"`, ["./a.js"]],
    [`import {\n  a,\n  b\n} from './a.js'`, ["./a.js"]],
    [`import"./a.js"`, ["./a.js"]],
    [`export * from "../a.js"; export { b } from "./b.js"`, ["../a.js", "./b.js"]],
    ["const a = await import(`./a.js`)", ["./a.js"]],
    [`import(/* lazy */ "./a.js")`, ["./a.js"]],
    [`import(\n  // lazy\n  "./a.js"\n)`, ["./a.js"]],
    [`const a = require('./a'), b = require("..")`, ["./a", ".."]],
    [`import "/abs/a.js"; import "file:///abs/b.js"`, ["/abs/a.js", "file:///abs/b.js"]],
    [`import { defineTask } from "@a5c-ai/babysitter-sdk"`, ["@a5c-ai/babysitter-sdk"]],
    [`import "./a.js"; import "./a.js"`, ["./a.js"]],
    [`import fs from "node:fs"; import x from "#pkg"; import y from "pkg/z"`, ["node:fs", "#pkg", "pkg/z"]],
  ])("finds what %j names", (text, found) => {
    expect(scanSpecifiers(text)).toEqual(found);
  });

  it.each([`readFileSync("./data.txt"); const path = "./a.js"`, "import(`./steps/${name}.js`)"])(
    "leaves plain strings and computed names alone: %j",
    (text) => {
      expect(scanSpecifiers(text)).toEqual([]);
    },
  );

  it("takes a specifier in a comment for an import, which is harmless", () => {
    expect(scanSpecifiers(`// import "./old.js"`)).toEqual(["./old.js"]);
  });
});

it("requiredSpecifiers leaves out what is only imported", () => {
  expect(requiredSpecifiers(`require("./a"); import("./b")`)).toEqual(["./a"]);
});

it("hasDynamicImport tells import() from import statements", () => {
  expect([hasDynamicImport(`x = import (name)`), hasDynamicImport(`import x from "y"`)]).toEqual([true, false]);
});
