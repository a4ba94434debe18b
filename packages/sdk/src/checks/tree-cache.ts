/**
 * What a working tree looked like at the last call, in files that may vanish at any time.
 *
 * One file names all others, and gets its place by a rename: whoever reads sees one call's data, however many
 * processes are at work. Names in the folder are never used twice.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { bytesIfRegular } from "../files/read-regular-file.js";

const STATE = "tree";
const FORGET_AFTER_MS = 10 * 60_000;
const FORMAT = 1;
/** Some hundred bytes for each file of a large repository. */
const LARGEST_CACHE = 1024 * 1024 * 1024;

/** A tree in git, as far as it was looked at. Names are bytes as latin1 text. */
interface KnownTree {
  root: string;
  /** File in the cache folder: git's stat data and content ids of what counts. */
  index: string;
  /** Time of the file system before the index was made. */
  madeAt: number;
  /** Digest of names, modes and content ids in the index. */
  listing: string;
  /** Number of entries in the index. */
  entries: number;
  /** Members whose names git does not take. */
  aside: string[];
  /** Members that cannot be read. */
  unreadable: string[];
  /** Repositories inside this one. */
  nested: string[];
  /** Members that are not there. */
  absent: string[];
}

export interface CachedTree extends KnownTree {
  /** What git said which files count, as it said it. */
  members: Buffer;
}

/** Undefined when there is none, or one that is damaged or about another folder. */
export function readCachedTree(cacheDir: string, root: string): CachedTree | undefined {
  try {
    const bytes = bytesIfRegular(path.join(cacheDir, STATE), LARGEST_CACHE);
    if (bytes === undefined) return undefined;
    const end = bytes.indexOf("\n");
    const body = bytes.subarray(end + 1);
    if (bytes.toString("latin1", 0, end) !== sumOf(body)) return undefined;
    const split = body.indexOf("\n");
    const { format, ...known } = JSON.parse(body.toString("utf8", 0, split)) as KnownTree & { format: number };
    if (format !== FORMAT || known.root !== root || !isWholeIndex(path.join(cacheDir, known.index))) return undefined;
    return { ...known, members: body.subarray(split + 1) };
  } catch {
    return undefined;
  }
}

/** Best effort: without it the next call takes longer. */
export function writeCachedTree(cacheDir: string, { members, ...known }: CachedTree): void {
  const body = Buffer.concat([Buffer.from(`${JSON.stringify({ format: FORMAT, ...known })}\n`), members]);
  replaceFile(path.join(cacheDir, STATE), Buffer.concat([Buffer.from(`${sumOf(body)}\n`), body]));
}

export function forgetCachedTree(cacheDir: string): void {
  fs.rmSync(path.join(cacheDir, STATE), { force: true });
}

/** Beside the index: what git lists of it. */
export function listingFile(cacheDir: string, { index }: Pick<CachedTree, "index">): string {
  return path.join(cacheDir, `${index}.list`);
}

/** Undefined when it is gone or damaged. */
export function readListing(cacheDir: string, tree: Pick<CachedTree, "index" | "listing">): Buffer | undefined {
  const listed = bytesIfRegular(listingFile(cacheDir, tree), LARGEST_CACHE);
  return listed !== undefined && sumOf(listed) === tree.listing ? listed : undefined;
}

export function removeIndex(cacheDir: string, tree: Pick<CachedTree, "index">): void {
  for (const file of [path.join(cacheDir, tree.index), listingFile(cacheDir, tree)]) fs.rmSync(file, { force: true });
}

/** A name that nobody has used before. */
export function freshName(kind: "index" | "clock"): string {
  return `${kind}-${process.pid}-${crypto.randomBytes(8).toString("hex")}`;
}

/** What was left behind by calls that were ended in the middle. */
export function removeLeftovers(cacheDir: string, now: number, { index }: Pick<CachedTree, "index">): void {
  try {
    for (const name of fs.readdirSync(cacheDir)) {
      if (!/^(?:index|clock|new)-/u.test(name) || name.startsWith(index)) continue;
      const file = path.join(cacheDir, name);
      // Not its other time: that is set to what git needs.
      if (now - fs.statSync(file).ctimeMs > FORGET_AFTER_MS) fs.rmSync(file, { force: true });
    }
  } catch {
    // Someone else tidies up, or nobody can.
  }
}

/** The time of the file system that the cache is on, which may not be that of this machine. */
export function fileSystemTime(cacheDir: string): number {
  const file = path.join(cacheDir, freshName("clock"));
  try {
    fs.writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    return fs.statSync(file).mtimeMs;
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** Readers see the old file or the new one. */
export function replaceFile(file: string, content: Buffer | string): void {
  const fresh = path.join(path.dirname(file), `new-${process.pid}-${crypto.randomBytes(8).toString("hex")}`);
  try {
    fs.writeFileSync(fresh, content, { flag: "wx", mode: 0o600 });
    fs.renameSync(fresh, file);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}

/** Git itself trusts what it reads; the last twenty bytes are the checksum of the rest. */
function isWholeIndex(file: string): boolean {
  const bytes = bytesIfRegular(file, LARGEST_CACHE);
  if (bytes === undefined) return false;
  const sum = crypto.createHash("sha1").update(bytes.subarray(0, -20)).digest();
  return bytes.length > 20 && sum.equals(bytes.subarray(-20));
}

function sumOf(bytes: Buffer): string {
  return crypto.createHash("sha256").update(bytes).digest("hex");
}
