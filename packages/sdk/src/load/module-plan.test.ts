import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { readGraph } from "./code-graph.js";
import { needsHooks, planModules } from "./module-plan.js";

let dir = "";
beforeEach(() => {
  dir = tempDir();
  // Whatever lies above the temporary folder must not have a say.
  writeFileSync(join(dir, "package.json"), "{}");
});

async function needs(files: Record<string, string>, versioned = false): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const file = join(dir, Object.keys(files)[0] ?? "");
  const plan = await planModules(readGraph({ file, projectRoot: dir }, undefined), undefined);
  const { esm, cjs } = needsHooks(plan, versioned);
  return [esm && "esm", cjs && "cjs"].filter(Boolean).join("+");
}

const MODULE = { "package.json": `{"type":"module"}` };
const COMMONJS = { "package.json": `{"type":"commonjs"}` };
const SDK = "@a5c-ai/babysitter-sdk";

describe("needsHooks", () => {
  it.each<[string, string, Record<string, string>]>([
    [
      "plain ESM",
      "",
      { "a.mjs": `import "./b.mjs"; import "./c.cjs"; import "./d.json"`, "b.mjs": "", "c.cjs": "", "d.json": "1" },
    ],
    ["plain CommonJS", "", { "a.cjs": `require("./b"); require("./d.json")`, "b.js": "exports.b = 1", "d.json": "1" }],
    ["typed .js", "", { "a.js": `import "./b.js"`, "b.js": "export {}", ...MODULE }],
    [
      "a text that is neither, in a module package",
      "",
      { "a.js": `import "./b.js"`, "b.js": "globalThis.x = 1", ...MODULE },
    ],
    ["CommonJS that requires a plain ES module", "", { "a.cjs": `require("./b.mjs")`, "b.mjs": "export {}" }],
    ["ESM in a package of the other type", "esm", { "a.js": `export {}`, ...COMMONJS }],
    ["CommonJS in a package of the other type", "cjs", { "a.js": `exports.a = 1`, ...MODULE }],
    ["mistyped CommonJS met by ESM", "esm+cjs", { "a.js": `import "./b.js"`, "b.js": "exports.b = 1", ...MODULE }],
    ["TypeScript modules", "esm", { "a.mjs": `import "./b.ts"`, "b.ts": "export const b: number = 1" }],
    ["TypeScript with CommonJS syntax", "cjs", { "a.cts": `exports.a = 1 as number` }],
    ["the SDK in ESM", "esm", { "a.mjs": `import "${SDK}"` }],
    ["the SDK in CommonJS", "cjs", { "a.cjs": `require("${SDK}")` }],
    ["a missing extension in ESM", "esm", { "a.mjs": `import "./b"`, "b.js": "" }],
    ["a missing extension that Node does not know in CommonJS", "cjs", { "a.cjs": `require("./b")`, "b.cjs": "" }],
    [
      "CommonJS that requires a mistyped ES module",
      "esm",
      { "a.cjs": `require("./b.js")`, "b.js": "export {}", ...COMMONJS },
    ],
  ])("of %s: %j", async (_what, expected, files) => {
    expect(await needs(files)).toBe(expected);
  });

  it.each<[string, string, Record<string, string>]>([
    ["one ES module", "", { "a.mjs": "export {}" }],
    ["CommonJS only", "", { "a.cjs": `require("./b.cjs")`, "b.cjs": "" }],
    ["two ES modules", "esm", { "a.mjs": `import "./b.mjs"`, "b.mjs": "" }],
    ["an ES module with JSON", "esm", { "a.mjs": `import "./b.json"`, "b.json": "1" }],
    ["a lazy import in CommonJS", "esm", { "a.cjs": `import("./b.cjs")`, "b.cjs": "" }],
  ])("of %s that are loaded again: %j", async (_what, expected, files) => {
    expect(await needs(files, true)).toBe(expected);
  });
});
