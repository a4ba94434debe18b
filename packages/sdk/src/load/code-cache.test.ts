import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { runCompiled } from "./code-cache.js";

let base = "";
let file = "";
let cacheDir = "";

beforeEach(() => {
  base = tempDir();
  file = path.join(base, "program.cjs");
  cacheDir = path.join(base, "home", "cache");
});

interface Exports {
  answer: () => number;
  where: () => string[];
  load: () => Promise<{ text: string }>;
}

function write(answer: number): void {
  fs.writeFileSync(
    file,
    `const path = require("node:path");
     exports.answer = () => ${answer};
     exports.where = () => [path.basename(__filename), path.basename(__dirname), typeof module];
     exports.load = () => import("./other.mjs");\n`,
  );
}

/** As a hook does it: run, work, remember. */
function work(purpose = "stop"): Exports {
  const compiled = runCompiled(file, { cacheDir, purpose });
  const exports = compiled?.exports as Exports;
  exports.answer();
  compiled?.remember();
  return exports;
}

const kept = (): string[] => fs.readdirSync(cacheDir).toSorted();
const inode = (name: string): number => fs.statSync(path.join(cacheDir, name)).ino;

it("runs a file as Node would", async () => {
  write(42);
  fs.writeFileSync(path.join(base, "other.mjs"), `export const text = "other";\n`);
  for (const { answer, where, load } of [work(), work()]) {
    expect([answer(), where()]).toEqual([42, ["program.cjs", path.basename(base), "object"]]);
    expect((await load()).text).toBe("other");
  }
});

it("keeps what was compiled for a purpose, once, for nobody else to read", () => {
  write(42);
  work();
  const [name = ""] = kept();
  const before = inode(name);
  work();
  expect([kept(), inode(name)]).toEqual([[name], before]);
  expect(fs.statSync(path.join(cacheDir, name)).mode & 0o777).toBe(0o600);
  work("session-start");
  expect(kept()).toHaveLength(2);
});

it("sees that a file is another one, though it is as long as before", () => {
  write(42);
  work();
  write(43);
  expect(work().answer()).toBe(43);
  fs.rmSync(file);
  write(44);
  expect(work().answer()).toBe(44);
});

it.each<[string, (bytes: Buffer) => Buffer]>([
  ["empty", () => Buffer.alloc(0)],
  ["half of it", (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ["full of zeros in the middle", (bytes) => Buffer.concat([bytes.subarray(0, 200), Buffer.alloc(bytes.length - 200)])],
])("does not use what is %s, and makes it again", (_, damaged) => {
  write(42);
  work();
  const [name = ""] = kept();
  const cached = path.join(cacheDir, name);
  const whole = fs.readFileSync(cached);
  fs.writeFileSync(cached, damaged(whole));
  expect(work().answer()).toBe(42);
  expect(fs.readFileSync(cached)).toHaveLength(whole.length);
});

it("does not need the cache", () => {
  write(42);
  fs.writeFileSync(path.join(base, "home"), "a file is in the way");
  expect(work().answer()).toBe(42);
});

it("forgets what nobody has made again for a month", () => {
  write(42);
  work();
  const [old = ""] = kept();
  const then = new Date(Date.now() - 31 * 24 * 3_600_000);
  fs.utimesSync(path.join(cacheDir, old), then, then);
  fs.writeFileSync(path.join(cacheDir, "of-others"), "");
  fs.utimesSync(path.join(cacheDir, "of-others"), then, then);
  write(43);
  work();
  expect(kept()).toHaveLength(2);
  expect(kept()).not.toContain(old);
  expect(kept()).toContain("of-others");
});

it("has nothing to say of a file that is not there", () => {
  expect(runCompiled(file, { cacheDir, purpose: "stop" })).toBeUndefined();
});
