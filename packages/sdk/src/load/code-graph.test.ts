import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { readGraph, snapshotOf } from "./code-graph.js";
import type { FileRecord } from "./graph-cache.js";

let dir = "";
let cache = "";
beforeEach(() => {
  dir = tempDir();
  cache = join(dir, "cache/deep");
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
  it("are the entry and its local imports inside the project", () => {
    const names = snapshotOf(graph()).files.map(({ path }) => path);
    expect(names).toEqual(["data.json", "entry.mjs", "helper.ts", "lib/index.cjs", "lib/inner.cjs"]);
  });

  it("are copied with their text", () => {
    expect(snapshotOf(graph()).files[0]).toMatchObject({ path: "data.json", text: `{"import": "./unrelated.js"}` });
  });

  it("include an entry outside the project with its neighbours, and tell equal names apart", () => {
    write("q/entry.js", `import "./entry/entry.js"; import "../p/helper.js";`);
    write("q/entry/entry.js", "");
    const outside = readGraph({ file: join(dir, "q/entry.js"), projectRoot: join(dir, "p") }, undefined);
    const names = snapshotOf(outside).files.map(({ path }) => path);
    expect(names).toEqual([
      "_outside/2/entry.js",
      "_outside/entry.js",
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
  it.each(["p/entry.mjs", "p/helper.ts", "p/lib/inner.cjs", "p/data.json"])("changes with %s", (path) => {
    const before = [graph().hash, graph(cache).hash];
    write(path, `${readFileSync(join(dir, path), "utf8")} `);
    expect(before[0]).toMatch(/^[0-9a-f]{64}$/u);
    expect(before[1]).toBe(before[0]);
    expect(graph().hash).not.toBe(before[0]);
    expect(graph(cache).hash).toBe(graph().hash);
  });

  it.each(["p/unrelated.js", "p/node_modules/pkg/index.js", "outside.cjs", "p/package.json"])(
    "does not change with %s",
    (path) => {
      const before = graph().hash;
      write(path, "// edited");
      expect(graph().hash).toBe(before);
    },
  );

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
    expect(Object.keys(readCache().files)).toHaveLength(5);
  });

  it("is done without where it cannot be written", () => {
    write("file", "");
    expect(graph(join(dir, "file/cache")).hash).toBe(graph().hash);
    mkdirSync(join(cache, "code.json"), { recursive: true });
    expect(graph(cache).hash).toBe(graph().hash);
    expect(readdirSync(cache)).toEqual(["code.json"]);
  });
});
