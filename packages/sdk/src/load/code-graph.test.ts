import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { type CodeGraph, readGraph, snapshotOf } from "./code-graph.js";
import type { FileRecord } from "./graph-cache.js";

let dir = "";
let cache = "";
beforeEach(() => {
  dir = tempDir();
  cache = join(dir, "cache");
  write("p/entry.mjs", `import "./helper.js"; import "pkg"; import data from "./data.json" with { type: "json" };`);
  write("p/helper.ts", `export { x } from "../p/lib";`);
  write("p/lib/index.cjs", `require("./inner.cjs"); require("../entry.mjs");`);
  write("p/lib/inner.cjs", `require("../node_modules/pkg/index.js"); require("../../outside.cjs");`);
  write("p/data.json", `{"import": "./unrelated.js"}`);
  write("p/unrelated.js", "");
  write("p/node_modules/pkg/index.js", "");
  write("outside.cjs", "");
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}
const graph = (cacheDir?: string) =>
  readGraph({ file: join(dir, "p/entry.mjs"), projectRoot: join(dir, "p") }, cacheDir);
const readCache = () => JSON.parse(readFileSync(join(cache, "code.json"), "utf8"));

const isFresh = ({ readAt, ctimeMs }: FileRecord): boolean => readAt - ctimeMs <= 20;

/** Inspects until the cache is trusted: files that were written just now could still change unnoticed. */
function warmUp(): void {
  const deadline = Date.now() + 5000;
  while (Object.values<FileRecord>(readCache().files).some(isFresh)) {
    if (Date.now() > deadline) throw new Error("the cache does not settle");
    graph(cache);
  }
}

describe("the files of a process", () => {
  it("are the entry and its local imports, also outside the project", () => {
    const inside = ["data.json", "entry.mjs", "helper.ts", "lib/index.cjs", "lib/inner.cjs"];
    expect(snapshotOf(graph()).files.map(({ path }) => path)).toEqual(["_outside/outside.cjs", ...inside]);
    const before = readGraph({ file: join(dir, "p/entry.mjs"), projectRoot: join(dir, "p"), semantics: 1 }, undefined);
    expect(snapshotOf(before).files.map(({ path }) => path)).toEqual(inside);
  });

  it("are copied with their text", () => {
    expect(snapshotOf(graph()).files[1]).toMatchObject({ path: "data.json", text: `{"import": "./unrelated.js"}` });
  });

  it("include an entry outside the project with its neighbours, and tell equal names apart", () => {
    write("q/entry.js", `import "./entry/entry.js"; import "../p/helper.js";`);
    write("q/entry/entry.js", "");
    const outside = readGraph({ file: join(dir, "q/entry.js"), projectRoot: join(dir, "p") }, undefined);
    const names = snapshotOf(outside).files.map(({ path }) => path);
    expect(names).toEqual([
      "_outside/2/entry.js",
      "_outside/entry.js",
      "_outside/outside.cjs",
      "data.json",
      "entry.mjs",
      "helper.ts",
      "lib/index.cjs",
      "lib/inner.cjs",
    ]);
  });

  it("include the neighbours of an entry that is an installed package", () => {
    write("p/node_modules/flow/main.js", `import "./part.js"; import "pkg";`);
    write("p/node_modules/flow/part.js", "");
    const installed = readGraph(
      { file: join(dir, "p/node_modules/flow/main.js"), projectRoot: join(dir, "p") },
      undefined,
    );
    expect([...installed.files.values()].map(({ name }) => name)).toEqual([
      "node_modules/flow/main.js",
      "node_modules/flow/part.js",
    ]);
  });

  it("cannot be read without an entry", () => {
    for (const file of ["p/missing.mjs", "p/lib"]) {
      expect(() => readGraph({ file: join(dir, file), projectRoot: dir }, undefined)).toThrow(
        expect.objectContaining({
          code: "ENTRY_NOT_FOUND",
          message: expect.stringContaining(join(dir, file)),
          hint: expect.any(String),
        }),
      );
    }
  });
});

describe("the hash", () => {
  it.each(["p/entry.mjs", "p/helper.ts", "p/lib/inner.cjs", "p/data.json", "outside.cjs"])(
    "changes with %s",
    (path) => {
      const before = [graph().hash, graph(cache).hash];
      write(path, `${readFileSync(join(dir, path), "utf8")} `);
      expect(before[0]).toMatch(/^[0-9a-f]{64}$/u);
      expect(before[1]).toBe(before[0]);
      expect(graph().hash).not.toBe(before[0]);
      expect(graph(cache).hash).toBe(graph().hash);
    },
  );

  it.each(["p/unrelated.js", "p/node_modules/pkg/index.js", "p/package.json"])("does not change with %s", (path) => {
    const before = graph().hash;
    write(path, "// edited");
    expect(graph().hash).toBe(before);
  });

  it("is the same wherever the project lies", () => {
    const text = `import "./b.mjs";`;
    for (const root of ["here", "there/deep"]) {
      write(`${root}/a.mjs`, text);
      write(`${root}/b.mjs`, "");
    }
    const hashes = ["here", "there/deep"].map(
      (root) => readGraph({ file: join(dir, root, "a.mjs"), projectRoot: join(dir, root) }, undefined).hash,
    );
    expect(hashes[0]).toBe(hashes[1]);
  });
});

describe("the cache", () => {
  it("spares reading files whose stats are the same", () => {
    graph(cache);
    warmUp();
    const stored = readCache();
    stored.files["helper.ts"].sha = "what the cache says";
    writeFileSync(join(cache, "code.json"), JSON.stringify(stored));
    expect(graph(cache).files.get(join(dir, "p/helper.ts"))?.sha).toBe("what the cache says");
  });

  it("is not rewritten when nothing has changed, and leaves no other file behind", () => {
    graph(cache);
    warmUp();
    const before = statSync(join(cache, "code.json"));
    graph(cache);
    const after = statSync(join(cache, "code.json"));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(readdirSync(cache)).toEqual(["code.json"]);
  });

  it("notices an edit of the same size, at once and with the old time restored", () => {
    for (const warm of [() => {}, warmUp]) {
      const path = join(dir, "p/helper.ts");
      graph(cache);
      warm();
      const { atime, mtime } = statSync(path);
      const text = readFileSync(path, "utf8");
      writeFileSync(
        path,
        text.replace(/[xy] /u, (name) => (name === "x " ? "y " : "x ")),
      );
      utimesSync(path, atime, mtime);
      expect(statSync(path).size).toBe(text.length);
      expect(graph(cache).hash).toBe(graph().hash);
    }
  });

  it("notices a new file that an old import leads to", () => {
    graph(cache);
    warmUp();
    write("p/helper.js", "export const x = 1;");
    expect([...graph(cache).files.values()].map(({ name }) => name)).toEqual(["data.json", "entry.mjs", "helper.js"]);
  });

  it.each([
    "",
    "null",
    "[]",
    "{",
    `{"format":1}`,
    `{"format":1,"files":{"entry.mjs":null,"helper.ts":{"sha":1}}}`,
    `{"format":0,"files":{}}`,
  ])("is ignored when it holds %j", (text) => {
    write("cache/deep/code.json", text);
    expect(graph(cache).hash).toBe(graph().hash);
    expect(Object.keys(readCache().files)).toHaveLength(6);
  });

  it("is done without where it cannot be written", () => {
    write("file", "");
    expect(graph(join(dir, "file/cache")).hash).toBe(graph().hash);
    mkdirSync(join(cache, "code.json"), { recursive: true });
    expect(graph(cache).hash).toBe(graph().hash);
    expect(readdirSync(cache)).toEqual(["code.json"]);
  });
});

describe("what the hash follows besides paths", () => {
  const names = (semantics?: number): string[] => {
    const entry = { file: join(dir, "w/app/entry.mjs"), projectRoot: join(dir, "w") };
    const found = readGraph(semantics === undefined ? entry : { ...entry, semantics }, undefined);
    return snapshotOf(found).files.map(({ path }) => path);
  };
  const json = (path: string, value: unknown): void => write(path, JSON.stringify(value));

  it.each<[string, string, Record<string, unknown>, string[]]>([
    ["#imports", `import "#x";`, { imports: { "#x": "./lib/a.mjs" } }, ["a"]],
    [
      "#imports with conditions",
      `import "#x";`,
      { imports: { "#x": { browser: "./lib/b.mjs", default: "./lib/a.mjs" } } },
      ["a"],
    ],
    [
      "#imports that depend on who asks",
      `import "#x";`,
      { imports: { "#x": { require: "./lib/b.mjs", import: "./lib/a.mjs" } } },
      ["a", "b"],
    ],
    ["#imports by pattern", `import "#l/a";`, { imports: { "#l/*": "./lib/*.mjs", "#l/b*": "./lib/b.mjs" } }, ["a"]],
    ["#imports with a choice", `import "#x";`, { imports: { "#x": [{ deno: "./lib/b.mjs" }, "./lib/a.mjs"] } }, ["a"]],
    ["#imports that lead to a package", `import "#x";`, { imports: { "#x": "linked" } }, ["linked"]],
    ["#imports that are none", `import "#y"; import "#x";`, { imports: { "#x": null } }, []],
    ["its own name", `import "app/a";`, { name: "app", exports: { "./a": "./lib/a.mjs" } }, ["a"]],
    ["its own name alone", `import "app";`, { name: "app", exports: "./lib/b.mjs" }, ["b"]],
    [
      "its own name by pattern",
      `import "@me/app/l/b.mjs";`,
      { name: "@me/app", exports: { "./l/*": "./lib/*" } },
      ["b"],
    ],
    ["its own name without exports", `import "app/lib/a.mjs";`, { name: "app" }, []],
    ["a package of the workspace", `import "linked"; import "linked/deep.mjs";`, {}, ["deep", "linked"]],
    ["an installed package", `import "installed"; import "node:fs"; import "fs";`, {}, []],
    ["computed names", "import(`./lib/${process.argv[2]}.mjs`)", {}, ["a", "b"]],
    ["what is put together", `import(new URL("lib/" + "a.mjs", import.meta.url))`, {}, ["a"]],
  ])("%s", (_, text, manifest, found) => {
    for (const name of ["a", "b"]) write(`w/app/lib/${name}.mjs`, "");
    write("w/app/lib/notes.txt", "");
    json("w/linked/package.json", { name: "linked", main: "./linked.mjs" });
    write("w/linked/linked.mjs", "");
    write("w/linked/deep.mjs", "");
    write("w/node_modules/installed/index.js", "");
    json("w/app/package.json", manifest);
    symlinkSync(join(dir, "w/linked"), join(dir, "w/node_modules/linked"));
    write("w/app/entry.mjs", text);
    const shown = (name: string): string =>
      ["linked", "deep"].includes(name) ? `linked/${name}.mjs` : `app/lib/${name}.mjs`;
    expect(names()).toEqual(["app/entry.mjs", ...found.map(shown)]);
    // Runs of version 1 of the rules keep the hash that they have recorded.
    expect(names(1)).toEqual(["app/entry.mjs"]);
  });

  it("knows the files that import anything at all", () => {
    write("w/app/entry.mjs", `import "./other.mjs"; import(process.argv[2]);`);
    write("w/app/other.mjs", "");
    const found = readGraph({ file: join(dir, "w/app/entry.mjs"), projectRoot: join(dir, "w") }, undefined);
    expect(snapshotOf(found).blind).toEqual(["app/entry.mjs"]);
  });

  it("is the same with what is remembered", () => {
    write("w/lib/a.mjs", "");
    write("w/entry.mjs", "import(`./lib/${process.argv[2]}.mjs`); import(process.argv[3]);");
    const read = (): CodeGraph => readGraph({ file: join(dir, "w/entry.mjs"), projectRoot: join(dir, "w") }, cache);
    const first = read();
    write("w/lib/b.mjs", "");
    expect([read().blind, read().files.size]).toEqual([first.blind, first.files.size + 1]);
  });
});
