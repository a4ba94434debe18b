/** Several processes that hash one tree with one cache: at once, killed at any moment, and without rights. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { transform } from "sucrase";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeTempDir, removeTempDir } from "../../../../tests/fixtures/temp-dir.js";
import { treeHash } from "./tree-hash.js";

let base = "";
let root = "";
let cache = "";
let counter = 0;

beforeAll(() => {
  base = makeTempDir();
  fs.chmodSync(base, 0o755);
  for (const room of ["checks", "files", "model", "spawn"]) compile(room);
  fs.writeFileSync(path.join(base, "package.json"), '{"type":"module"}');
  fs.writeFileSync(
    path.join(base, "hash.js"),
    `import { treeHash } from "./checks/tree-hash.js";
     const [root, cache, times] = process.argv.slice(2);
     for (let left = Number(times); left > 0; left -= 1) {
       const { hash, by } = await treeHash(root, cache);
       process.stdout.write(by + " " + hash + "\\n");
     }`,
  );
  return () => removeTempDir(base);
});

/** A room as plain JavaScript. */
function compile(room: string): void {
  const source = path.join(import.meta.dirname, "..", room);
  fs.mkdirSync(path.join(base, room));
  for (const name of fs.readdirSync(source).filter((file) => /(?<!\.test)\.ts$/u.test(file))) {
    const { code } = transform(fs.readFileSync(path.join(source, name), "utf8"), { transforms: ["typescript"] });
    fs.writeFileSync(path.join(base, room, name.replace(/\.ts$/u, ".js")), code);
  }
}

beforeEach(() => {
  counter += 1;
  root = path.join(base, `project-${counter}`);
  cache = path.join(base, `cache-${counter}`);
  for (const dir of [root, cache]) fs.mkdirSync(dir);
  for (let at = 0; at < 300; at += 1) fs.writeFileSync(path.join(root, `f${at}.txt`), `${at}\n`);
  execFileSync("git", ["init", "-q"], { cwd: root, env: { PATH: process.env["PATH"], HOME: base } });
});

function startHashing(times: number, more: { uid?: number } = {}): { child: ChildProcess; lines: Promise<string[]> } {
  const child = spawn(process.execPath, [path.join(base, "hash.js"), root, cache, String(times)], {
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
    ...more,
  });
  let text = "";
  child.stdout?.on("data", (piece: Buffer) => (text += piece.toString()));
  return { child, lines: new Promise((resolve) => child.on("close", () => resolve(text.split("\n").slice(0, -1)))) };
}

async function fresh(): Promise<string> {
  const { hash, by } = await treeHash(root, path.join(base, `fresh-${counter}-${Math.random()}`));
  return `${by} ${hash}`;
}

describe("processes with one cache", () => {
  it("come to the same hash at once, also while files change", async () => {
    const running = Array.from({ length: 5 }, () => startHashing(6));
    for (let at = 0; at < 40; at += 1) {
      fs.writeFileSync(path.join(root, `f${at}.txt`), `changed ${at}\n`);
      fs.writeFileSync(path.join(root, `new${at}.txt`), "");
      await new Promise((resolve) => setImmediate(resolve));
    }
    const lines = (await Promise.all(running.map((each) => each.lines))).flat();
    expect(lines).toHaveLength(30);
    expect(lines.filter((line) => !line.startsWith("git "))).toEqual([]);
    const after = await Promise.all(Array.from({ length: 4 }, () => startHashing(1).lines));
    expect(new Set(after.flat())).toEqual(new Set([await fresh()]));
  });

  it("may be killed at any moment", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { child, lines } = startHashing(1000);
      for (let at = 0; at < 3; at += 1) {
        fs.writeFileSync(path.join(root, `f${at}.txt`), `${round} ${at}\n`);
        await new Promise((resolve) => child.stdout?.once("data", resolve));
      }
      child.kill("SIGKILL");
      await lines;
      expect(await startHashing(1).lines).toEqual([await fresh()]);
    }
  });

  it("tell a file that they may not read from one that they may", async () => {
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    fs.chmodSync(cache, 0o777);
    const hash = async (): Promise<string | undefined> => (await startHashing(1, user).lines)[0];
    const before = await hash();
    fs.chmodSync(path.join(root, "f1.txt"), 0o000);
    const closed = await hash();
    expect(closed).toMatch(/^git /u);
    expect(closed).not.toBe(before);
    fs.writeFileSync(path.join(root, "f2.txt"), "another\n");
    expect(await hash()).not.toBe(closed);
    fs.chmodSync(path.join(root, "f1.txt"), 0o644);
    expect(await hash()).toBe(await fresh());
  });
});
