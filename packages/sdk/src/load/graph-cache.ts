/**
 * Remembers what was read from the files of a process, so that an unchanged process costs stats only.
 *
 * Kept are the specifiers and not what they resolved to: a file that appears can change where an
 * untouched import leads, and looking that up takes stats only.
 */
import { lstatSync, type Stats } from "node:fs";
import { join, relative, resolve } from "node:path";
import { textIfRegular } from "../files/read-regular-file.js";
import { isJsonObject, parseJson } from "../model/json.js";
import { writeCacheFile } from "./atomic-file.js";
import type { ComputedImports } from "./computed-specifiers.js";

const FILE = "code.json";
const FORMAT = 2;
const LARGEST_CACHE = 256 * 1024 * 1024;

/** What is known about one file. */
export interface FileRecord {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  /** When the file was read, in milliseconds. */
  readAt: number;
  sha: string;
  specifiers: string[];
  /** Missing when there is nothing computed in what it imports. */
  computed?: ComputedImports;
}

/** Records by absolute path. */
export type FileRecords = Map<string, FileRecord>;

/** What this program has read itself, by cache file: a run that stays open asks at every step. */
const MAX_REMEMBERED = 200;
const remembered = new Map<string, { stamp: string; records: FileRecords }>();

/** Reads the cache; anything wrong with it makes it empty. */
export function readGraphCache(cacheDir: string, root: string): FileRecords {
  const file = join(cacheDir, FILE);
  const stats = statOf(file);
  if (stats === undefined) return new Map();
  const stamp = `${root}\0${stats.ino}\0${stats.size}\0${stats.mtimeMs}\0${stats.ctimeMs}`;
  const known = remembered.get(file);
  if (known?.stamp === stamp) return known.records;
  const records = readCacheFile(file, root);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(file, { stamp, records });
  return records;
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

function readCacheFile(file: string, root: string): FileRecords {
  const records: FileRecords = new Map();
  try {
    const stored = parseJson(textIfRegular(file, LARGEST_CACHE) ?? "null") as { format?: unknown; files?: unknown };
    if (stored.format !== FORMAT || !isJsonObject(stored.files)) return records;
    for (const [path, record] of Object.entries<unknown>(stored.files)) {
      if (isRecord(record)) records.set(resolve(root, path), record);
    }
  } catch {
    return new Map();
  }
  return records;
}

export function writeGraphCache(cacheDir: string, root: string, records: FileRecords): void {
  const files = Object.fromEntries(Array.from(records, ([path, record]) => [relative(root, path), record]));
  writeCacheFile(join(cacheDir, FILE), JSON.stringify({ format: FORMAT, files }), 1);
}

/** True when the stats prove that the file is still what the record says. */
export function isCurrent(record: FileRecord, stats: Stats): boolean {
  return (
    record.size === stats.size &&
    record.mtimeMs === stats.mtimeMs &&
    record.ctimeMs === stats.ctimeMs &&
    record.readAt - Math.max(stats.mtimeMs, stats.ctimeMs) > tickOf(stats)
  );
}

/**
 * Two edits within one tick of the file system's clock leave the same times behind. A file that was
 * read that soon after a change is therefore read once more.
 */
function tickOf({ mtimeMs, ctimeMs }: Stats): number {
  const wholeSeconds = mtimeMs % 1000 === 0 && ctimeMs % 1000 === 0;
  return wholeSeconds ? 2000 : 20;
}

function isRecord(value: unknown): value is FileRecord {
  if (!isJsonObject(value)) return false;
  const { size, mtimeMs, ctimeMs, readAt, sha, specifiers, computed }: Partial<Record<keyof FileRecord, unknown>> =
    value;
  return (
    [size, mtimeMs, ctimeMs, readAt].every((number) => typeof number === "number") &&
    typeof sha === "string" &&
    areTexts(specifiers) &&
    (computed === undefined || isComputed(computed))
  );
}

function isComputed(value: unknown): value is ComputedImports {
  return (
    isJsonObject(value) &&
    areTexts(value["specifiers"]) &&
    areTexts(value["patterns"]) &&
    typeof value["blind"] === "boolean"
  );
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
