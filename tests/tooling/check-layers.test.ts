import { describe, expect, it } from "vitest";
import { findViolations, type LayerTable } from "../../tools/check-layers.mjs";

const row = (imports: string[], builtins: string[] = [], packages: string[] = []) => ({
  about: "for this test",
  imports,
  builtins,
  packages,
});

const TABLE: LayerTable = {
  root: "src",
  layers: {
    model: row([]),
    journal: row(["model"], ["node:fs"]),
    "journal/rules": row(["model"]),
    "journal/files": row(["model", "journal/rules"], ["node:fs"]),
    load: { ...row(["model"], ["node:*"], ["sucrase", "@scope/tool"]), computedImports: true },
    "load/registry.ts": row(["model", "journal/*"]),
    "index.ts": row(["model", "journal"]),
  },
};

const CLEAN = {
  "model/ids.ts": "export type Id = string;\nexport const isId = (value: string) => value.length > 0;",
  "journal/append.ts": 'import { isId } from "../model/ids.js";\nexport const append = isId;',
  "journal/rules/seal.ts": "export const seal = 1;",
  "journal/files/write.ts": 'export { seal } from "../rules/seal.js";',
  "load/registry.ts":
    'export { seal } from "../journal/rules/seal.js";\nexport { write } from "../journal/files/write.js";',
  "load/load.ts": "export const load = (url: string): Promise<unknown> => import(url);",
  "index.ts": 'export { append } from "./journal/append.js";',
};

/** What is wrong with the clean sources plus the ones given. */
function check(planted: Record<string, string>, table = TABLE): string[] {
  const sources: Record<string, string> = { ...CLEAN, ...planted };
  const files = Object.entries(sources).map(([path, source]) => ({ path, source }));
  return findViolations(table, files).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

describe("allowed", () => {
  it.each([
    ["what the row names", 'import { isId } from "../model/ids.js";\nexport const x = isId;'],
    ["the room itself", 'export { append } from "./append.js";'],
    ["a built-in of the row and its subpaths", 'import { readFile } from "node:fs/promises";\nexport { readFile };'],
  ])("%s", (_, source) => {
    expect(check({ "journal/extra.ts": source })).toEqual([]);
  });

  it("any built-in, listed packages and computed imports, where the row says so", () => {
    const source = 'import "node:vm";\nimport "sucrase";\nimport "sucrase/dist/x.js";\nimport "@scope/tool/deep";';
    expect(check({ "load/extra.ts": source })).toEqual([]);
  });

  it("everything in tests", () => {
    expect(
      check({ "model/ids.test.ts": 'import "node:fs";\nimport "../journal/append.js";\nimport "vitest";' }),
    ).toEqual([]);
  });
});

describe("planted violations", () => {
  it.each([
    ["a value import", 'import { append } from "../journal/append.js";', "journal (../journal/append.js)"],
    ["a type import", 'import type { A } from "../journal/append.js";', "journal (../journal/append.js)"],
    ["an inline type import", 'import { type A } from "../journal/append.js";', "journal (../journal/append.js)"],
    ["a side-effect import", 'import "../journal/append.js";', "journal (../journal/append.js)"],
    ["a dynamic import", 'const x = import("../journal/append.js");', "journal (../journal/append.js)"],
    ["a dynamic import of a template", "const x = import(`../journal/append.js`);", "journal (../journal/append.js)"],
    ["an import inside a type", 'type A = import("../journal/append.js").A;', "journal (../journal/append.js)"],
    ["a re-export of names", 'export { append } from "../journal/append.js";', "journal (../journal/append.js)"],
    ["a re-export of everything", 'export * from "../journal/append.js";', "journal (../journal/append.js)"],
    ["a re-export of types", 'export type { A } from "../journal/append.js";', "journal (../journal/append.js)"],
    ["a re-export of nothing", 'export {} from "../journal/append.js";', "journal (../journal/append.js)"],
    ["the public door", 'import { append } from "../index.js";', "index.ts (../index.js)"],
    ["a built-in", 'import { readFileSync } from "node:fs";', "node:fs"],
    ["a built-in's subpath", 'import { readFile } from "node:fs/promises";', "node:fs/promises"],
    ["a built-in without its prefix", 'import { readFileSync } from "fs";', "fs without the prefix node:"],
    ["a built-in by a back door", 'const fs = process.getBuiltinModule("node:fs");', "node:fs"],
    ["a required module", 'const fs = require("node:fs");', "node:fs"],
    ["an import-equals", 'import fs = require("node:fs");', "node:fs"],
    ["a package", 'import { transform } from "sucrase";', "the package sucrase"],
    [
      "a file outside the sources",
      'import "../../package.json";',
      "../../package.json, which lies outside the sources",
    ],
    ["a test", 'import "./ids.test.js";', "the test ./ids.test.js"],
    ["a computed import", "const x = import(name);", "a module whose name is computed"],
  ])("%s", (_, source, what) => {
    expect(check({ "model/planted.ts": `// first line\n${source}` })).toEqual([
      `model/planted.ts:2 imports ${what} — model may import: nothing`,
    ]);
  });

  it("says what the folder may import", () => {
    expect(check({ "load/planted.ts": 'import "../journal/append.js";' })).toEqual([
      "load/planted.ts:1 imports journal (../journal/append.js) — load may import: model, node:*, sucrase, @scope/tool",
    ]);
  });

  it("a room of the same folder that the row does not name", () => {
    expect(check({ "journal/rules/planted.ts": 'import "../files/write.js";\nimport "../append.js";' })).toEqual([
      "journal/rules/planted.ts:1 imports journal/files (../files/write.js) — journal/rules may import: model",
      "journal/rules/planted.ts:2 imports journal (../append.js) — journal/rules may import: model",
    ]);
  });

  it("a file with a row of its own, from the folder it lies in", () => {
    expect(check({ "load/planted.ts": 'import "./registry.js";' })).toEqual([
      expect.stringContaining("imports load/registry.ts (./registry.js)"),
    ]);
  });

  it("a built-in whose name only begins like an allowed one", () => {
    const table = { ...TABLE, layers: { ...TABLE.layers, journal: row(["model"], ["node:f"]) } };
    expect(check({ "journal/planted.ts": 'import "node:fs";' }, table)).toHaveLength(1);
  });
});

describe("gaps in the table", () => {
  it("no files at all", () => {
    expect(findViolations(TABLE, [])).toHaveLength(1);
  });

  it("a folder without a row", () => {
    expect(check({ "surprise/new.ts": 'import "node:fs";' })).toEqual(["surprise:0 has no row in layers.json"]);
  });

  it("a folder inside a room: it is a room of its own", () => {
    expect(check({ "journal/deep/new.ts": "" })).toEqual(["journal/deep:0 has no row in layers.json"]);
  });

  it("rows that lead back to where they began", () => {
    const layers = { ...TABLE.layers, model: row(["journal"]) };
    expect(check({}, { ...TABLE, layers })).toContain("model:0 may import itself: model → journal → model");
  });

  it("a row without a folder, tests alone not counting as one", () => {
    const table = { ...TABLE, layers: { ...TABLE.layers, ghost: row([]) } };
    expect(check({ "ghost/x.test.ts": "" }, table)).toEqual(["ghost:0 has a row in layers.json, but no source file"]);
  });

  it("a row that names a layer which does not exist", () => {
    const table = { ...TABLE, layers: { ...TABLE.layers, journal: row(["model", "modle"]) } };
    expect(check({}, table)).toEqual(["journal:0 is allowed to import modle, which has no row in layers.json"]);
  });
});

describe("vague names", () => {
  it.each([
    "model/utils.ts",
    "model/helper.ts",
    "journal/append-helpers.ts",
    "model/shared/ids.ts",
    "model/misc.test.ts",
  ])("%s", (path) => {
    expect(check({ [path]: "" })).toContainEqual(expect.stringContaining("says nothing about what is inside"));
  });

  it("spares names that only contain such a word", () => {
    expect(check({ "model/supported-kinds.ts": "", "model/service-level.ts": "" })).toEqual([]);
  });
});
