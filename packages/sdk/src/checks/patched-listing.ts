/**
 * What git would list of our index if it were told of a few changes, without asking git: a process costs more than
 * reading the few files that an agent has changed. Names are bytes as latin1 text.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import { pathOf } from "./file-digest.js";
import type { TreeChanges } from "./git-tree-changes.js";

/** Above this the index is brought up to date, and what was changed is not read again the next time. */
const MAX_FILES = 64;
const MAX_BYTES = 4 * 1024 * 1024;
/** Git does not take every name. These it does. */
const PLAIN_NAME = /^[^/]+(?:\/[^/]+)*$/u;
const DOTTED = /(?:^|\/)(?:\.{1,2}(?:\/|$)|\.git)/iu;
const READ_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

/** Undefined when git has to be asked. */
export function patchedListing(listed: Buffer, root: string, { add, remove }: TreeChanges): Buffer | undefined {
  if (add.length + remove.length > MAX_FILES || !add.every(isPlain)) return undefined;
  const fresh = entriesOf(root, add);
  if (fresh === undefined) return undefined;
  const outdated = new Set([...add, ...remove]);
  const lines = listed
    .toString("latin1")
    .split("\0")
    .slice(0, -1)
    .filter((line) => !outdated.has(nameIn(line)));
  for (const line of fresh) lines.splice(placeOf(lines, nameIn(line)), 0, line);
  return Buffer.from(lines.map((line) => `${line}\0`).join(""), "latin1");
}

function isPlain(name: string): boolean {
  return PLAIN_NAME.test(name) && !DOTTED.test(name);
}

function nameIn(line: string): string {
  return line.slice(line.indexOf("\t") + 1);
}

/** Where a name belongs: git sorts by bytes. */
function placeOf(lines: readonly string[], name: string): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (nameIn(lines[middle] as string) < name) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** As git lists files: mode, id of the content, stage, name. */
function entriesOf(root: string, names: readonly string[]): string[] | undefined {
  const lines: string[] = [];
  let bytes = 0;
  for (const name of names) {
    const found = contentOf(root, name, MAX_BYTES - bytes);
    if (found === undefined) return undefined;
    const { mode, content } = found;
    bytes += content.length;
    const id = crypto.createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
    lines.push(`${mode} ${id} 0\t${name}`);
  }
  return lines;
}

/** Undefined for what is no file, cannot be read, or is larger than that. */
function contentOf(root: string, name: string, most: number): { mode: string; content: Buffer } | undefined {
  const file = pathOf(root, name);
  try {
    if (fs.lstatSync(file).isSymbolicLink())
      return { mode: "120000", content: fs.readlinkSync(file, { encoding: "buffer" }) };
    const fd = fs.openSync(file, READ_FLAGS);
    try {
      const stat = fs.fstatSync(fd);
      if (!stat.isFile() || stat.size > most) return undefined;
      return { mode: (stat.mode & 0o100) === 0 ? "100644" : "100755", content: fs.readFileSync(fd) };
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
