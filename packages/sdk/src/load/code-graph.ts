/** The files that make up a process: its entry and everything local that it imports. */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, extname, resolve, sep } from "node:path";
import type { CodeReading } from "../model/code-versions.js";
import { BabysitterError } from "../model/errors.js";
import type { EntryPoint } from "../model/ports.js";
import { scanGates } from "./gate-scan.js";
import { type FileRecord, type FileRecords, isCurrent, readGraphCache, writeGraphCache } from "./graph-cache.js";
import { isProjectFile, pathInside, rootsOf } from "./project-roots.js";
import { type LocalTarget, resolveLocal, statFile } from "./resolve-local.js";
import { isLocalSpecifier, SDK_NAME, scanSpecifiers } from "./specifiers.js";

const CODE = /^\.[cm]?[jt]s$/u;

/** One file of the graph. */
export interface CodeFile {
  /** Absolute path without symbolic links. */
  path: string;
  /** Path that hash and snapshot show; the same on every machine. */
  name: string;
  sha: string;
  importsSdk: boolean;
  /** Files of the graph by the specifiers that lead to them. */
  imports: ReadonlyMap<string, LocalTarget>;
}

export interface CodeGraph {
  entry: string;
  /** Folders whose files belong to the process. */
  roots: string[];
  files: ReadonlyMap<string, CodeFile>;
  hash: string;
}

/** Reads the graph, from the cache where nothing has changed. */
export function readGraph(entry: EntryPoint, cacheDir: string | undefined): CodeGraph {
  const entryFile = findEntry(entry.file);
  const root = realOrGiven(entry.projectRoot);
  const roots = rootsOf(root, entryFile);
  const known: FileRecords = cacheDir === undefined ? new Map() : readGraphCache(cacheDir, root);
  const records: FileRecords = new Map();
  const imports = new Map<string, Map<string, LocalTarget>>();
  const queue = [entryFile];
  for (const path of queue) {
    if (records.has(path)) continue;
    const record = recordOf(path, known.get(path));
    if (record === undefined) continue;
    records.set(path, record);
    const targets = targetsOf(record.specifiers, path, roots);
    imports.set(path, targets);
    queue.push(...Array.from(targets.values(), (target) => target.file));
  }
  if (!records.has(entryFile)) throw entryNotFound(entry.file);
  if (cacheDir !== undefined && !sameRecords(known, records)) writeGraphCache(cacheDir, root, records);
  const files = nameFiles(records, imports, root);
  return { entry: entryFile, roots, files, hash: hashOf(sorted(files)) };
}

/** The text of every file of a graph as it is now, which may be later than the graph. */
export function snapshotOf(graph: CodeGraph): CodeReading {
  const files = sorted(graph.files).map(({ path, name }) => {
    const bytes = readFileSync(path);
    return { path: name, text: bytes.toString("utf8"), sha256: sha256(bytes) };
  });
  return {
    hash: hashOf(files.map(({ path, sha256: sha }) => ({ name: path, sha }))),
    files,
    gates: files.flatMap(({ path, text }) => (CODE.test(extname(path)) ? scanGates(text, path) : [])),
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function findEntry(file: string): string {
  if (statFile(file) === undefined) throw entryNotFound(file);
  return realpathSync.native(file);
}

function entryNotFound(file: string): BabysitterError {
  return new BabysitterError("ENTRY_NOT_FOUND", `Process file not found: ${file}.`, {
    hint: "Check the path or restore the file; an existing run keeps a copy of its process in code/.",
    details: { file },
  });
}

function realOrGiven(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

/** What the file holds; undefined when it has vanished meanwhile. */
function recordOf(path: string, known: FileRecord | undefined): FileRecord | undefined {
  const stats = statFile(path);
  if (stats === undefined) return undefined;
  if (known !== undefined && isCurrent(known, stats)) return known;
  // Taken before reading: an edit that comes during the read must look newer than the record.
  const readAt = Date.now();
  const bytes = readFileSync(path);
  return {
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    readAt,
    sha: sha256(bytes),
    specifiers: CODE.test(extname(path)) ? scanSpecifiers(bytes.toString("utf8")) : [],
  };
}

function targetsOf(specifiers: readonly string[], path: string, roots: readonly string[]): Map<string, LocalTarget> {
  const targets = new Map<string, LocalTarget>();
  for (const specifier of specifiers.filter(isLocalSpecifier)) {
    const target = resolveLocal(specifier, dirname(path));
    // A link inside the project counts even when it points out of it.
    if (target && (isProjectFile(target.file, roots) || isProjectFile(target.path, roots))) {
      targets.set(specifier, target);
    }
  }
  return targets;
}

/** `readAt` counts: when a file had to be read again, the newer time spares the next reading. */
function sameRecords(known: FileRecords, records: FileRecords): boolean {
  return known.size === records.size && [...records].every(([path, record]) => known.get(path) === record);
}

function nameFiles(
  records: FileRecords,
  imports: ReadonlyMap<string, ReadonlyMap<string, LocalTarget>>,
  root: string,
): Map<string, CodeFile> {
  const taken = new Set<string>();
  const files = new Map<string, CodeFile>();
  for (const path of [...records.keys()].toSorted()) {
    const record = records.get(path);
    if (record === undefined) continue;
    files.set(path, {
      path,
      name: nameOf(path, root, taken),
      sha: record.sha,
      importsSdk: record.specifiers.includes(SDK_NAME),
      imports: imports.get(path) ?? new Map(),
    });
  }
  return files;
}

function nameOf(path: string, root: string, taken: Set<string>): string {
  let name = pathInside(path, root)?.split(sep).join("/") ?? `_outside/${basename(path)}`;
  for (let number = 2; taken.has(name); number++) name = `_outside/${number}/${basename(path)}`;
  taken.add(name);
  return name;
}

function hashOf(files: readonly Pick<CodeFile, "name" | "sha">[]): string {
  const hash = createHash("sha256");
  for (const { name, sha } of files) hash.update(`${name}\0${sha}\n`);
  return hash.digest("hex");
}

function sorted(files: ReadonlyMap<string, CodeFile>): CodeFile[] {
  return [...files.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
