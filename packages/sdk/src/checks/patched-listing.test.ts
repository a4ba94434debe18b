/** Real repositories: what is worked out must be what git itself says. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { patchedListing } from "./patched-listing.js";

let root = "";

beforeEach(() => {
  root = tempDir();
  git("init", "--quiet");
  for (const name of ["a", "a.b", "b/c", "b/d", "é", "z"]) write(name, `${name}\n`);
});

function git(...args: string[]): Buffer {
  const env = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
}

function write(name: string, content: string | Buffer): void {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}

function listed(): Buffer {
  git("add", "--all");
  return git("ls-files", "-s", "-z");
}

const remove = (name: string): void => fs.rmSync(path.join(root, name), { recursive: true });
const patched = (before: Buffer, add: string[], gone: string[] = []): Buffer | undefined =>
  patchedListing(before, root, { add, remove: gone, looked: [], nested: [], entries: 0 });

const CHANGES: { what: string; change: () => void; add?: string[]; gone?: string[] }[] = [
  { what: "a changed file", change: () => write("b/c", "other\n"), add: ["b/c"] },
  { what: "an empty file", change: () => write("z", ""), add: ["z"] },
  { what: "bytes that are no text", change: () => write("z", Buffer.from([0, 255, 13, 10, 128])), add: ["z"] },
  {
    what: "new files, each in its place",
    change: () => {
      for (const name of ["0", "a-b", "b.c", "b/ca", "zz"]) write(name, name);
    },
    add: ["zz", "b/ca", "a-b", "0", "b.c"],
  },
  {
    what: "removed files",
    change: () => {
      remove("a");
      remove("z");
    },
    gone: ["z", "a"],
  },
  { what: "an executable bit", change: () => fs.chmodSync(path.join(root, "a"), 0o755), add: ["a"] },
  { what: "an executable bit of others only", change: () => fs.chmodSync(path.join(root, "a"), 0o655), add: ["a"] },
  {
    what: "a link in the place of a file",
    change: () => {
      remove("a");
      fs.symlinkSync("b/c", path.join(root, "a"));
    },
    add: ["a"],
  },
  {
    what: "a folder in the place of a file",
    change: () => {
      remove("a");
      write("a/x", "x");
    },
    add: ["a/x"],
    gone: ["a"],
  },
  {
    what: "a file in the place of a folder",
    change: () => {
      remove("b");
      write("b", "b");
    },
    add: ["b"],
    gone: ["b/c", "b/d"],
  },
  { what: "a name beyond ASCII", change: () => write("é", "other"), add: ["\u00C3\u00A9"] },
  { what: "a file that was written again as it was", change: () => write("a", "a\n"), add: ["a"] },
];

it.each(CHANGES)("knows of $what what git knows", ({ change, add = [], gone = [] }) => {
  const before = listed();
  change();
  const worked = patched(before, add, gone);
  const after = listed();
  expect(worked?.toString("latin1")).toBe(after.toString("latin1"));
});

it("leaves many files to git, which need not be read again then", () => {
  const before = listed();
  const names = Array.from({ length: 65 }, (_, n) => `many-${n}`);
  for (const name of names) write(name, name);
  expect(patched(before, names.slice(1))).toBeDefined();
  expect(patched(before, names)).toBeUndefined();
});

it("leaves much content to git", () => {
  const before = listed();
  write("large", Buffer.alloc(4 * 1024 * 1024));
  expect(patched(before, ["large"])).toBeDefined();
  expect(patched(before, ["large", "a"])).toBeUndefined();
});

it.each([".git/x", "b/.GIT/x", ".gitmodules", "../x", "b/../x", "./x", "b//x", "/x"])(
  "leaves the name %s to git, though there is a file",
  (name) => {
    const before = listed();
    root = path.join(root, "b");
    write(name, "x");
    const answer = patched(before, [name]);
    root = path.dirname(root);
    expect(answer).toBeUndefined();
  },
);

it("leaves to git what is gone, or is no file", () => {
  const before = listed();
  execFileSync("mkfifo", [path.join(root, "pipe")]);
  for (const name of ["gone", "pipe", "b"]) expect(patched(before, [name])).toBeUndefined();
});
