/** The hash of a folder without git: names, types, executable bits and contents of all files. */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { textIfRegular } from "../files/read-regular-file.js";
import { DigestCache, type KnownDigest, pathOf } from "./file-digest.js";
import { isEngineFile } from "./ignored-paths.js";
import { fileSystemTime, replaceFile } from "./tree-cache.js";
import { refuseAfter } from "./work-limit.js";

const DIGESTS = "walk";
const LARGEST_CACHE = 512 * 1024 * 1024;
/** Too large, or made by tools from what does count. */
const SKIPPED = new Set([".git", "node_modules"]);

type Known = Map<string, KnownDigest>;

/** Symbolic links are not followed; what has no content, such as a socket, does not count. */
export function walkTreeHash(root: string, cacheDir: string, deadline: number): string {
  const digests = new DigestCache(readDigests(cacheDir), timeOf(cacheDir), deadline);
  const hash = crypto.createHash("sha256").update("walk 1\n");
  const cache = Buffer.from(path.relative(root, cacheDir)).toString("latin1");
  for (const name of filesBelow(root, cache, deadline)) {
    refuseAfter(deadline);
    const digest = name.endsWith("/") ? "unreadable folder" : digests.digest(root, name);
    if (digest !== undefined) hash.update(`${JSON.stringify(name)} ${digest}\n`);
  }
  writeDigests(cacheDir, digests.known);
  return hash.digest("hex");
}

/** In order; a folder that cannot be read has a slash at its end. */
export function filesBelow(root: string, leftOut: string, deadline = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  const open = [""];
  for (let dir = open.pop(); dir !== undefined; dir = open.pop()) {
    refuseAfter(deadline);
    const entries = entriesOf(root, dir);
    if (entries === undefined) found.push(`${dir}/`);
    for (const entry of entries ?? []) {
      const name = dir === "" ? nameOf(entry) : `${dir}/${nameOf(entry)}`;
      if (SKIPPED.has(nameOf(entry)) || name === leftOut || isEngineFile(name)) continue;
      if (entry.isDirectory()) open.push(name);
      else found.push(name);
    }
  }
  return found.toSorted();
}

type BytesEntry = Omit<fs.Dirent, "name"> & { name: unknown };

function entriesOf(root: string, dir: string): BytesEntry[] | undefined {
  try {
    return fs.readdirSync(pathOf(root, dir), { withFileTypes: true, encoding: "buffer" as "utf8" });
  } catch (error) {
    // A folder that has gone meanwhile is no folder.
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

function nameOf({ name }: BytesEntry): string {
  return (name as Buffer).toString("latin1");
}

/** Without a place to write, nothing is settled, and everything is read each time. */
function timeOf(cacheDir: string): number {
  try {
    makeFolders(cacheDir, 0o700, 2);
    return fileSystemTime(cacheDir);
  } catch {
    return 0;
  }
}

function readDigests(cacheDir: string): Known {
  try {
    const text = textIfRegular(path.join(cacheDir, DIGESTS), LARGEST_CACHE) ?? "";
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    return text.slice(0, end) === sumOf(body) ? new Map(JSON.parse(body) as [string, KnownDigest][]) : new Map();
  } catch {
    return new Map();
  }
}

function writeDigests(cacheDir: string, known: Known): void {
  try {
    const body = JSON.stringify([...known]);
    replaceFile(path.join(cacheDir, DIGESTS), `${sumOf(body)}\n${body}`);
  } catch {
    // The next call takes longer.
  }
}

function sumOf(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}
