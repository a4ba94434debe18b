/**
 * Loading in real OS processes: Node's loaders are process-wide, and vitest has a loader of its own.
 * Many cases share one OS process, each in a folder of its own, because starting one takes longest.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../tests/fixtures/temp-dir.js";

const LOADER = fileURLToPath(new URL("../../dist/load/process-loader.js", import.meta.url));
const SDK = "@a5c-ai/babysitter-sdk";
const made: string[] = [];
afterAll(() => {
  for (const dir of made) removeTempDir(dir);
});

type Files = Record<string, string>;
interface Step {
  entry: string;
  write?: Files;
  export?: string;
  root?: string;
  cache?: boolean;
}
interface Outcome {
  value?: unknown;
  exportName?: string;
  hash?: string;
  error?: { code: string; message: string; hint: string; cause: string };
}
interface Played {
  outcomes: Outcome[];
  /** How often hooks for ES modules were registered. */
  registrations: number;
  stderr: string;
}

const CHILD = `
import module from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
const { loader, dir, steps } = JSON.parse(process.argv[1]);
let registrations = 0;
for (const name of ["register", "registerHooks"]) {
  const original = module[name];
  if (original) module[name] = (...parameters) => (registrations++, original(...parameters));
}
const { createProcessLoader } = await import(loader);
const door = { copy: "ours", twice: (x) => 2 * x, delete: "reserved" };
const processes = createProcessLoader({ sdk: { door: () => door } });
const outcomes = [];
for (const { entry, root = "", write = {}, cache, ...rest } of steps) {
  for (const [path, text] of Object.entries(write)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  try {
    const file = join(dir, entry);
    const code = processes.inspect({ file, projectRoot: join(dir, root), ...rest }, cache ? join(dir, ".cache") : undefined);
    const { exportName, run } = await code.load();
    outcomes.push({ exportName, hash: code.hash, value: await run({}, {}) });
  } catch (error) {
    const { code, message, hint, cause } = error;
    outcomes.push({ error: { code, message, hint, cause: String(cause) } });
  }
}
console.log(JSON.stringify({ outcomes, registrations }));
`;

function project(files: Files): string {
  const dir = makeTempDir();
  made.push(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

function play(dir: string, steps: Step[]): Promise<Played> {
  return new Promise((resolve, reject) => {
    const job = JSON.stringify({ loader: LOADER, dir, steps });
    execFile(process.execPath, ["--input-type=module", "-e", CHILD, job], (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve({ ...JSON.parse(stdout), stderr });
    });
  });
}

const load = (files: Files, ...entries: string[]): Promise<Played> =>
  play(
    project(files),
    entries.map((entry) => ({ entry })),
  );
const valuesOf = ({ outcomes }: Played): unknown[] => outcomes.map(({ value, error }) => value ?? error?.message);

/** The files of a case, moved into a folder. */
const inFolder = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

/** A package.json; `none` has no such file and `untyped` one without a type, which makes Node warn. */
function typed(type: string): Files {
  if (type === "none") return {};
  return { "package.json": type === "untyped" ? "{}" : JSON.stringify({ type }) };
}

const modules = (ext: string): Files => ({
  [`entry.${ext}`]: `import { who } from "./part.${ext}";
    export async function process() { return [who, typeof require, new URL(import.meta.url).pathname.split("/").pop()]; }`,
  [`part.${ext}`]: `export const who${ext.endsWith("ts") ? ": string" : ""} = "part";`,
});
const commonJs = (ext: string): Files => ({
  [`entry.${ext}`]: `const { who } = require("./part.${ext}");
    exports.process = async () => [who, typeof require, __filename.split("/").pop()];`,
  [`part.${ext}`]: `const who${ext.endsWith("ts") ? ": string" : ""} = "part"; module.exports = { who };`,
});

describe.concurrent("every extension, package type and syntax", () => {
  it.each(["none", "untyped", "module", "commonjs"])("loads by syntax in a package of type %s", async (type) => {
    const esm = ["js", "mjs", "ts", "mts"];
    const cjs = ["js", "cjs", "ts", "cts"];
    const files = Object.assign(
      typed(type),
      ...esm.map((ext) => inFolder(`esm-${ext}`, modules(ext))),
      ...cjs.map((ext) => inFolder(`cjs-${ext}`, commonJs(ext))),
    );
    const entries = [...esm.map((ext) => `esm-${ext}/entry.${ext}`), ...cjs.map((ext) => `cjs-${ext}/entry.${ext}`)];
    const played = await load(files, ...entries);
    expect(valuesOf(played)).toEqual([
      ...esm.map((ext) => ["part", "undefined", `entry.${ext}`]),
      ...cjs.map((ext) => ["part", "function", `entry.${ext}`]),
    ]);
    expect(played.stderr).toBe("");
  });

  it.each(["untyped", "module", "commonjs"])("mixes both syntaxes in all directions in type %s", async (type) => {
    const files = {
      ...typed(type),
      "entry.js": `import c, { fromCjs } from "./c.js"; export default () => [c.fromCjs, fromCjs];`,
      "c.js": `exports.fromCjs = require("./e.js").fromEsm + require("./e.js").default;`,
      "e.js": `import { deep } from "./deep.js"; export const fromEsm = "esm+" + deep; export default "+default";`,
      "deep.js": `exports.deep = "deep"`,
      "typed.cjs": `exports.process = () => require("./t.ts").default;`,
      "t.ts": `import { deep } from "./deep"; export default ("ts+" + deep) as string;`,
    };
    const played = await load(files, "entry.js", "typed.cjs");
    expect(valuesOf(played)).toEqual([["esm+deep+default", "esm+deep+default"], "ts+deep"]);
    expect(played.stderr).toBe("");
  });

  it("runs top-level await, reads JSON, and leaves JSON without attribute to Node", async () => {
    const files = {
      ...typed("commonjs"),
      "await.js": `const x = await Promise.resolve(3);\nexport const process = () => x;`,
      "d.json": `{"a":1}`,
      "c.cjs": `exports.process = () => require("./d.json").a;`,
      "e.mjs": `import d from "./d.json" with { type: "json" }; export const process = () => d.a;`,
      "bare.mjs": `import d from "./d.json"; export const process = () => d.a;`,
    };
    const values = valuesOf(await load(files, "await.js", "c.cjs", "e.mjs", "bare.mjs"));
    expect(values).toEqual([3, 1, 1, expect.stringContaining("import attribute")]);
  });

  it("leaves packages in node_modules to Node", async () => {
    const files = {
      "node_modules/esm/package.json": `{"type":"module","exports":"./main.js"}`,
      "node_modules/esm/main.js": `export { x } from "./inner.js";`,
      "node_modules/esm/inner.js": `export const x = "esm";`,
      "node_modules/cjs/index.js": `exports.y = require("./inner"); try { require("./only-ts"); exports.y += " lenient"; } catch {}`,
      "node_modules/cjs/inner.js": `module.exports = "cjs";`,
      "node_modules/cjs/only-ts.ts": `module.exports = 1;`,
      "entry.ts": `import { x } from "esm"; import { y } from "cjs"; import "./c.cts"; export const process = (): string[] => [x, y];`,
      "c.cts": `require("cjs");`,
    };
    expect(valuesOf(await load(files, "entry.ts"))).toEqual([["esm", "cjs"]]);
  });
});

describe.concurrent("resolution", () => {
  it("finds files without extension, .ts behind .js and directories from ESM and CommonJS", async () => {
    const played = await load(
      {
        "e.js": `import { a } from "./a"; import { b } from "./b.js"; import { c } from "./dir"; export const process = () => [a, b, c];`,
        "c.js": `const [{ a }, { b }, { c }] = [require("./a"), require("./b.js"), require("./dir")]; exports.process = () => [a, b, c];`,
        "a.mjs": `export const a = 1;`,
        "b.ts": `export const b: number = 2;`,
        "dir/index.ts": `export const c = 3 as number;`,
      },
      "e.js",
      "c.js",
    );
    expect(valuesOf(played)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(played.stderr).toBe("");
  });

  it("works in folders and files with strange names", async () => {
    const names = ["with space", "ünï-日本", "a#b", "a?b", "100%", "a%20b"];
    const files = {
      "entry.ts": `import { x } from "./x#1.js"; import c from "./c.cjs"; import { copy } from "${SDK}";
        export const process = (): unknown => [x, c, copy];`,
      "x#1.ts": `export const x: number = 1;`,
      "c.cjs": `module.exports = require("./d?.js") + require("${SDK}").copy;`,
      "d?.js": `module.exports = "d";`,
      "plain.mjs": `export const process = () => "plain";`,
    };
    const all: Files = Object.assign({}, ...names.map((name) => inFolder(name, files)));
    const steps = names.flatMap((root) => [`${root}/plain.mjs`, `${root}/entry.ts`].map((entry) => ({ entry, root })));
    const played = await play(project(all), steps);
    expect(valuesOf(played)).toEqual(names.flatMap(() => ["plain", [1, "dours", "ours"]]));
  });

  it("follows symbolic links to real files, also out of the project", async () => {
    const dir = project({
      "root/real/entry.ts": `import { x } from "./x.js"; export const process = () => x;`,
      "root/real/x.ts": `export const x: number = 5;`,
      "root/entry.mjs": `import { y } from "./linked.js"; export const process = () => y;`,
      "root/entry.cjs": `exports.process = () => require("./linked.cjs");`,
      "elsewhere/linked.js": `import { copy } from "${SDK}"; export const y = copy;`,
      "elsewhere/linked.cjs": `module.exports = require("${SDK}").copy;`,
    });
    symlinkSync(join(dir, "root/real/entry.ts"), join(dir, "root/link.ts"));
    symlinkSync(join(dir, "elsewhere/linked.js"), join(dir, "root/linked.js"));
    symlinkSync(join(dir, "elsewhere/linked.cjs"), join(dir, "root/linked.cjs"));
    const entries = ["root/link.ts", "root/entry.mjs", "root/entry.cjs"];
    expect(
      valuesOf(
        await play(
          dir,
          entries.map((entry) => ({ entry, root: "root" })),
        ),
      ),
    ).toEqual([5, "ours", "ours"]);
  });

  it("loads an entry outside the project root, and two trees in one OS process", async () => {
    const dir = project({
      ...inFolder("one", typed("module")),
      ...inFolder("two", typed("commonjs")),
      "one/p.js": `module.exports = () => require("./h.js") + require("${SDK}").copy;`,
      "one/h.js": `module.exports = 1;`,
      "two/p.js": `import h from "./h.js"; import { copy } from "${SDK}"; export default () => h + copy;`,
      "two/h.js": `export default 2;`,
    });
    const steps = ["one/p.js", "two/p.js"].map((entry) => ({ entry, root: "two" }));
    expect(valuesOf(await play(dir, steps))).toEqual(["1ours", "2ours"]);
  });
});

describe.concurrent("TypeScript", () => {
  const files = {
    "entry.ts": `import { Level, type Kind } from "./kinds.js";
import type { Missing } from "./does-not-exist.js";
import { Unused } from "./kinds.js";
enum Local { A = 1, B }
export async function process(inputs: Missing | Kind): Promise<unknown> {
  const used: Unused | undefined = undefined;
  return [Level.High, Local.B, used === undefined, new Error("here").stack!.split("\\n")[1]!.match(/entry\\.ts.*?:(\\d+)/)![1]];
}`,
    "kinds.ts": `export enum Level { Low, High }\nexport type Kind = keyof typeof Level;\nexport interface Unused { x: 1 }`,
  };
  it("runs enums, drops types and keeps line numbers", async () => {
    const played = await load(files, "entry.ts");
    expect([valuesOf(played), played.stderr]).toEqual([[[1, 2, true, "7"]], ""]);
  });

  it("takes stripped code from the cache", async () => {
    const dir = project(files);
    await play(dir, [{ entry: "entry.ts", cache: true }]);
    const stripped = readdirSync(join(dir, ".cache")).filter((name) => name.startsWith("ts-"));
    const fake = "export const Level = {}; export const process = () => 'cached';";
    for (const name of stripped) writeFileSync(join(dir, ".cache", name), fake);
    const played = await play(dir, [{ entry: "entry.ts", cache: true }]);
    expect([stripped.length, valuesOf(played)]).toEqual([2, ["cached"]]);
  });
});

describe.concurrent("import of the SDK", () => {
  const importers = {
    "named.mjs": `import { copy, twice } from "${SDK}"; export const process = () => [copy, twice(4)];`,
    "namespace.mjs": `import * as sdk from "${SDK}"; export const process = () => [sdk.copy, sdk.twice(4)];`,
    "dynamic.mjs": `export const process = async () => { const s = await import("${SDK}"); return [s.copy, s.twice(4)]; }`,
    "required.cjs": `const { copy, twice } = require("${SDK}"); exports.process = () => [copy, twice(4)];`,
    "dynamic.cjs": `exports.process = async () => { const s = await import("${SDK}"); return [s.copy, s.twice(4)]; }`,
    "typed.ts": `import { copy, twice } from "${SDK}"; export const process = () => [copy as string, twice(4)];`,
  };
  const installed = {
    [`node_modules/${SDK}/package.json`]: `{"type":"module","exports":"./index.js"}`,
    [`node_modules/${SDK}/index.js`]: `export const copy = "installed"; export const twice = () => 0;`,
    "node_modules/lib/package.json": `{"type":"module","exports":"./index.js"}`,
    "node_modules/lib/index.js": `export { copy } from "${SDK}";`,
  };
  it.each([
    ["where nothing is installed", {}],
    ["rather than an installed one", installed],
  ])("gives the running copy %s", async (_where, more) => {
    const played = await load({ ...importers, ...more }, ...Object.keys(importers));
    expect(valuesOf(played)).toEqual(Object.keys(importers).map(() => ["ours", 8]));
    expect(played.stderr).toBe("");
  });

  it("gives the installed copy to packages, and one instance to ESM and CommonJS", async () => {
    const files = {
      ...installed,
      "lib.mjs": `import { copy } from "${SDK}"; import { copy as theirs } from "lib"; export const process = () => [copy, theirs];`,
      "same.mjs": `import { twice } from "${SDK}"; import other from "./c.cjs"; export const process = () => other === twice;`,
      "c.cjs": `module.exports = require("${SDK}").twice;`,
    };
    expect(valuesOf(await load(files, "lib.mjs", "same.mjs"))).toEqual([["ours", "installed"], true]);
  });
});

describe.concurrent("import of the SDK by what a process imports", () => {
  const esm = `export { copy } from "${SDK}";`;
  const cjs = `exports.copy = require("${SDK}").copy;`;
  it.each<[string, string, Files]>([
    ["a file outside the project", `import { copy } from "../lib/tasks.mjs";`, { "lib/tasks.mjs": esm }],
    [
      "a file that such a file imports",
      `import { copy } from "../lib/a.mjs";`,
      { "lib/a.mjs": `export * from "../more/b.mjs";`, "more/b.mjs": esm },
    ],
    [
      "a file outside that is imported by a computed name",
      `const copy = (await import(["..", "lib", "tasks.mjs"].join("/"))).copy;`,
      { "lib/tasks.mjs": esm },
    ],
    ["an installed package", `import { copy } from "lib";`, { "root/node_modules/lib/index.mjs": esm }],
    [
      "an installed package in CommonJS",
      `import lib from "old"; const { copy } = lib;`,
      { "root/node_modules/old/index.js": cjs },
    ],
    [
      "a file in node_modules elsewhere",
      `import { copy } from "../node_modules/lib/tasks.mjs";`,
      { "node_modules/lib/tasks.mjs": esm },
    ],
  ])("C25: finds the running copy from %s", async (_from, head, files) => {
    const dir = project({
      "root/node_modules/lib/package.json": `{"exports":{"import":"./index.mjs","require":"./index.cjs"}}`,
      "root/entry.mjs": `${head} export const process = () => copy;`,
      ...files,
    });
    expect(await play(dir, [{ entry: "root/entry.mjs", root: "root" }])).toMatchObject({
      outcomes: [{ value: "ours" }],
      stderr: "",
    });
  });

  it("C25: finds it from CommonJS outside the project", async () => {
    const dir = project({
      "root/entry.cjs": `const { copy } = require("../lib/tasks.cjs"); exports.process = () => copy;`,
      "lib/tasks.cjs": cjs,
    });
    expect(valuesOf(await play(dir, [{ entry: "root/entry.cjs", root: "root" }]))).toEqual(["ours"]);
  });
});

describe.concurrent("the price of hooks", () => {
  const esm = `import { x } from "./x.js"; export const process = () => x;`;
  it.each<[string, Files, number]>([
    ["none for plain ESM", { ...typed("module"), "entry.js": esm, "x.js": "export const x = 1;" }, 0],
    ["none for ESM without a package type", { ...typed("untyped"), "entry.js": esm, "x.js": "export const x = 1;" }, 0],
    [
      "none for mistyped CommonJS with the SDK",
      { ...typed("module"), "entry.js": `require("${SDK}"); exports.process = () => 1;` },
      0,
    ],
    ["one registration for TypeScript", { "entry.js": esm, "x.ts": "export const x: number = 1;" }, 1],
  ])("is %s", async (_kind, files, registrations) => {
    expect(await load(files, "entry.js")).toMatchObject({ outcomes: [{ value: 1 }], registrations, stderr: "" });
  });
});

describe.concurrent("the export", () => {
  const files = {
    "both.mjs": `export const process = () => "process"; export default () => "default"; export const other = () => "other"; export const data = 1;`,
    "default.mjs": `export default () => "default";`,
    "function.cjs": `module.exports = () => "function";`,
    "object.cjs": `module.exports = { ...{ process: () => "object" } };`,
    "transpiled.cjs": `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = () => "transpiled";`,
    "none.mjs": `export const a = () => 1; export const b = 2;`,
    "empty.mjs": `export {};`,
  };
  it("is the named one, else `process`, else the default", async () => {
    const entries = ["both.mjs", "default.mjs", "function.cjs", "object.cjs", "transpiled.cjs"];
    const steps: Step[] = [{ entry: "both.mjs", export: "other" }, ...entries.map((entry) => ({ entry }))];
    const expected = ["other", "process", "default", "function", "object", "transpiled"];
    expect(valuesOf(await play(project(files), steps))).toEqual(expected);
  });

  it("is reported missing with the names that exist", async () => {
    const { outcomes } = await play(project(files), [
      { entry: "none.mjs" },
      { entry: "both.mjs", export: "nope" },
      { entry: "both.mjs", export: "data" },
      { entry: "empty.mjs" },
    ]);
    expect(outcomes.map(({ error }) => error?.code)).toEqual(Array(4).fill("EXPORT_NOT_FOUND"));
    expect(outcomes.map(({ error }) => error?.message)).toEqual([
      expect.stringMatching(/none\.mjs has no export "process" or "default"\. Its exports: a, b\./u),
      expect.stringContaining(`no export "nope"`),
      expect.stringContaining(`exports "data", but that is not a function`),
      expect.stringContaining("exports nothing"),
    ]);
    expect(outcomes[0]?.error?.hint).toMatch(/none\.mjs#a$/u);
  });
});

describe.concurrent("failures", () => {
  it("of syntax name the file and the line", async () => {
    const broken = "const a = 1;\nlet x = ;\n";
    const files = {
      "e.mjs": `${broken}export const process = 1;`,
      "c.cjs": `${broken}exports.process = 1;`,
      "module/package.json": `{"type":"module"}`,
      "module/either.js": broken,
      "t.ts": `const a: number = 1;\nlet x: = ;\nexport const process = 1;`,
      "importer.mjs": `import "./part.mjs"; export const process = 1;`,
      "part.mjs": `export const a = 1;\n\n}`,
      "commonjs/package.json": `{"type":"commonjs"}`,
      "commonjs/importer.js": `import "./part.js"; export const process = 1;`,
      "commonjs/part.js": `export const a = 1;\n\n}`,
      "commonjs/requirer.js": `require("./part.js");`,
    };
    const places = {
      "e.mjs": "/e.mjs:2",
      "c.cjs": "/c.cjs:2",
      "module/either.js": "/either.js:2",
      "t.ts": "/t.ts:2",
      "importer.mjs": "/part.mjs:3",
      "commonjs/importer.js": "/part.js:3",
      "commonjs/requirer.js": "/part.js:3",
    };
    const { outcomes } = await load(files, ...Object.keys(places));
    expect(outcomes.map(({ error }) => error?.code)).toEqual(outcomes.map(() => "PROCESS_LOAD_FAILED"));
    expect(outcomes.map(({ error }) => error?.message)).toEqual(
      Object.values(places).map((place) => expect.stringMatching(new RegExp(`SyntaxError: .*${place}\\)$`, "u"))),
    );
  });

  it("keep the original message and the cause", async () => {
    const texts: [string, RegExp][] = [
      [`const a = 1;\nthrow new TypeError("boom");\nexport const process = 1;`, /TypeError: boom \(.*\/0\.js:2\)/u],
      [`throw "text";`, /not an Error was thrown: text/u],
      [`import "./missing.js"; export const process = 1;`, /Cannot find module '.*missing\.js'/u],
      [`require("./missing.js");`, /Cannot find module '\.\/missing\.js'/u],
      [`import "missing-package"; export const process = 1;`, /Cannot find package 'missing-package'/u],
      [`import { no } from "./part.js"; export const process = no;`, /not provide an export named 'no'.*\/5\.js:1\)/u],
      [`const fs = require("fs"); await 1;`, /require/u],
      [`import "./throws.cjs"; export const process = 1;`, /RangeError: cjs \(.*throws\.cjs:1\)/u],
    ];
    const files = Object.fromEntries(texts.map(([text], index) => [`${index}.js`, text]));
    const parts = { "part.js": "export const a = 1;", "throws.cjs": `throw new RangeError("cjs");` };
    const { outcomes, stderr } = await load({ ...files, ...parts }, ...Object.keys(files));
    expect(stderr).toBe("");
    expect(outcomes.map(({ error }) => error)).toEqual(
      texts.map(([, message]) => ({
        code: "PROCESS_LOAD_FAILED",
        message: expect.stringMatching(message),
        hint: expect.any(String),
        cause: expect.not.stringMatching(/^undefined$/u),
      })),
    );
  });

  it("are not remembered when the reason has gone", async () => {
    const dir = project({
      "entry.mjs": `import { x } from "late"; import { y } from "./y.mjs"; export const process = () => x + y;`,
      "y.mjs": "export const y = 1;",
      "broken.mjs": `export const process = () => ;`,
    });
    const late = {
      "node_modules/late/package.json": `{"type":"module","exports":"./i.js"}`,
      "node_modules/late/i.js": "export const x = 1;",
    };
    const fixed = { "broken.mjs": `export const process = () => 1;` };
    const { outcomes } = await play(dir, [
      { entry: "entry.mjs" },
      { entry: "entry.mjs", write: late },
      { entry: "broken.mjs" },
      { entry: "broken.mjs", write: fixed },
    ]);
    const failed = "PROCESS_LOAD_FAILED";
    expect(outcomes.map(({ value, error }) => value ?? error?.code)).toEqual([failed, 2, failed, 1]);
  });
});

describe.concurrent("loading again in the same OS process", () => {
  const body = "let n = 0; export const process = () => [h, ++n];";
  const cases: Record<string, { first: Files; edited: Files }> = {
    "entry/e.mjs": { first: { "e.mjs": `const h = 1; ${body}` }, edited: { "e.mjs": `const h = 2; ${body}` } },
    "esm/e.mjs": {
      first: { "e.mjs": `import { h } from "./h.mjs"; ${body}`, "h.mjs": "export const h = 1;" },
      edited: { "h.mjs": "export const h = 2;" },
    },
    "cjs/e.cjs": {
      first: {
        "e.cjs": `const { h } = require("./h.cjs"); let n = 0; exports.process = () => [h, ++n];`,
        "h.cjs": "exports.h = 1;",
      },
      edited: { "h.cjs": "exports.h = 2;" },
    },
    "ts/e.ts": {
      first: { "e.ts": `import { h } from "./h.js"; ${body}`, "h.ts": "export const h: number = 1;" },
      edited: { "h.ts": "export const h: number = 2;" },
    },
    "esm-cjs/e.mjs": {
      first: { "e.mjs": `import { h } from "./h.cjs"; ${body}`, "h.cjs": "exports.h = 1;" },
      edited: { "h.cjs": "exports.h = 2;" },
    },
    "cjs-esm/e.cjs": {
      first: {
        "e.cjs": `const { h } = require("./h.mjs"); let n = 0; exports.process = () => [h, ++n];`,
        "h.mjs": "export const h = 1;",
      },
      edited: { "h.mjs": "export const h = 2;" },
    },
    "json/e.mjs": {
      first: { "e.mjs": `import h from "./h.json" with { type: "json" }; ${body}`, "h.json": "1" },
      edited: { "h.json": "2" },
    },
    "lazy/e.mjs": {
      first: {
        "e.mjs": `let n = 0; export const process = async () => [(await import("./h.mjs")).h, ++n];`,
        "h.mjs": "export const h = 1;",
      },
      edited: { "h.mjs": "export const h = 2;" },
    },
  };
  it("runs edited code anew and unchanged code only once", async () => {
    const steps = Object.entries(cases).flatMap(([entry, { first, edited }]): Step[] => {
      const write = (files: Files): Step => ({ entry, root: dirname(entry), write: inFolder(dirname(entry), files) });
      return [write(first), write(edited), write(first), write({})];
    });
    const played = await play(project({}), steps);
    // The third load finds the first version again, so its counter goes on.
    const expected = [[1, 1], [2, 1], [1, 2], [1, 3]]; // biome-ignore format: one row per case
    expect(valuesOf(played)).toEqual(Object.keys(cases).flatMap(() => expected));
    expect(new Set(played.outcomes.map(({ hash }) => hash)).size).toBe(2 * Object.keys(cases).length);
    expect(played.stderr).toBe("");
  });

  it("runs what #imports, its own name and a package of the workspace lead to, and runs it anew when it was edited", async () => {
    const parts = (text: string): Files => ({
      "a.ts": `export const a: string = "${text}";`,
      "b.js": `export const b = "${text}";`,
      "lib/c.mjs": `export const c = "${text}";`,
    });
    const dir = project({
      "package.json": JSON.stringify({
        name: "app",
        type: "module",
        imports: { "#a": { types: "./a.d.ts", default: "./a.ts" } },
        exports: { "./b": "./b.js" },
      }),
      "entry.js": `import { a } from "#a"; import { b } from "app/b"; import { c } from "lib"; export const process = () => [a, b, c];`,
      "lib/package.json": `{ "name": "lib", "exports": "./c.mjs" }`,
      "node_modules/other/index.js": "",
      ...parts("one"),
    });
    symlinkSync(join(dir, "lib"), join(dir, "node_modules/lib"));
    const played = await play(dir, [{ entry: "entry.js" }, { entry: "entry.js", write: parts("two") }]);
    expect(valuesOf(played)).toEqual([Array(3).fill("one"), Array(3).fill("two")]);
  });

  it("does not read what is only imported by a computed name before it is", async () => {
    const dir = project({
      "entry.mjs": "export const process = async () => (await import(`./steps/${['good', 'mjs'].join('.')}`)).default;",
      "steps/good.mjs": `export default "good";`,
      "steps/bad.ts": "this is no { TypeScript",
    });
    expect(valuesOf(await play(dir, [{ entry: "entry.mjs" }]))).toEqual(["good"]);
  });

  it("takes a lazy import in CommonJS to the edited file", async () => {
    const dir = project({
      "e.cjs": `exports.process = async () => (await import("./h.mjs")).h;`,
      "h.mjs": "export const h = 1;",
    });
    const steps = [{ entry: "e.cjs" }, { entry: "e.cjs", write: { "h.mjs": "export const h = 2;" } }];
    expect(valuesOf(await play(dir, steps))).toEqual([1, 2]);
  });

  it("follows an import that leads to another file now, and keeps import.meta.url", async () => {
    const text = `import { x } from "./x.js"; export const process = () => [x, import.meta.url.split("/").pop().split("?")[0]];`;
    const dir = project({ "e.mjs": text, "x.ts": `export const x = "ts";` });
    const steps = [{ entry: "e.mjs" }, { entry: "e.mjs", write: { "x.js": `export const x = "js";` } }];
    expect(valuesOf(await play(dir, steps))).toEqual([
      ["ts", "e.mjs"],
      ["js", "e.mjs"],
    ]);
  });
});
