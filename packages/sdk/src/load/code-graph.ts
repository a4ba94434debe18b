/** The files that make up a process: its entry and everything local that it imports. */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, extname, resolve, sep } from "node:path";
import type { CodeReading } from "../model/code-versions.js";
import { BabysitterError } from "../model/errors.js";
import { REPLAY_SEMANTICS } from "../model/events.js";
import type { EntryPoint } from "../model/ports.js";
import { scanComputed } from "./computed-specifiers.js";
import { scanGates } from "./gate-scan.js";
import { type FileRecord, type FileRecords, isCurrent, readGraphCache, writeGraphCache } from "./graph-cache.js";
import { matchingFiles } from "./matching-files.js";
import { isProjectFile, pathInside, rootsOf } from "./project-roots.js";
import { type LocalTarget, resolveLocal, statFile } from "./resolve-local.js";
import { packageResolver } from "./resolve-package.js";
import { hasComputedImport, isLocalSpecifier, SDK_NAME, scanSpecifiers } from "./specifiers.js";

const CODE = /^\.[cm]?[jt]s$/u;

/** One file of the graph. */
export interface CodeFile {
  /** Absolute path without symbolic links. */
  path: string;
  /** Path that hash and snapshot show; the same on every machine. */
  name: string;
  sha: string;
  importsSdk: boolean;
  /** It may import code that is not in the graph: packages, and what is computed. */
  importsMore: boolean;
  /** Files of the graph by the specifiers that lead to them. */
  imports: ReadonlyMap<string, LocalTarget>;
  /** Files that it may import in a way of Node's own. */
  more: readonly string[];
}

export interface CodeGraph {
  entry: string;
  /** Folders whose files belong to the process. */
  roots: string[];
  files: ReadonlyMap<string, CodeFile>;
  /** Names of files that import what nobody can tell before they run. */
  blind: string[];
  hash: string;
}

/** Reads the graph, from the cache where nothing has changed. */
export function readGraph(entry: EntryPoint, cacheDir: string | undefined): CodeGraph {
  const entryFile = findEntry(entry.file);
  const root = realOrGiven(entry.projectRoot);
  const roots = rootsOf(root, entryFile);
  const known: FileRecords = cacheDir === undefined ? new Map() : readGraphCache(cacheDir, root);
  const records: FileRecords = new Map();
  const imports = new Map<string, FileImports>();
  const followed = isFollowingAll(entry) ? packageResolver() : undefined;
  const queue = [entryFile];
  for (const path of queue) {
    if (records.has(path)) continue;
    const record = recordOf(path, known.get(path));
    if (record === undefined) continue;
    records.set(path, record);
    const found = importsOf(record, path, { roots, followed });
    imports.set(path, found);
    queue.push(...Array.from(found.targets.values(), (target) => target.file), ...found.more);
  }
  if (!records.has(entryFile)) throw entryNotFound(entry.file);
  if (cacheDir !== undefined && !sameRecords(known, records)) writeGraphCache(cacheDir, root, records);
  const files = nameFiles(records, imports, root);
  const blind = [...files.values()].filter(({ path }) => imports.get(path)?.blind).map(({ name }) => name);
  return { entry: entryFile, roots, files, blind, hash: hashOf(sorted(files)) };
}

/** Version 1 of the rules knew only paths that are spelled out; what its runs recorded must not look changed. */
function isFollowingAll({ semantics = REPLAY_SEMANTICS }: EntryPoint): boolean {
  return semantics >= 2;
}

interface FileImports {
  targets: Map<string, LocalTarget>;
  more: string[];
  blind: boolean;
}

interface Following {
  roots: readonly string[];
  followed: ReturnType<typeof packageResolver> | undefined;
}

function importsOf(record: FileRecord, path: string, { roots, followed }: Following): FileImports {
  const { specifiers, computed } = record;
  const directory = dirname(path);
  if (followed === undefined) {
    const targets = targetsOf(specifiers, path, (file) => isProjectFile(file, roots));
    return { targets, more: [], blind: false };
  }
  const isPart = (file: string): boolean => isOwn(file, roots);
  const targets = targetsOf(specifiers, path, isPart);
  const more: string[] = [];
  for (const specifier of specifiers.filter((one) => !isLocalSpecifier(one))) {
    const { target, files } = followed(specifier, directory);
    if (target !== undefined && isOwn(target.file, roots)) targets.set(specifier, target);
    else more.push(...files);
  }
  more.push(...Array.from(targetsOf(computed?.specifiers ?? [], path, isPart).values(), ({ file }) => file));
  let blind = computed?.blind ?? false;
  for (const pattern of computed?.patterns ?? []) {
    const files = matchingFiles(pattern, directory);
    blind ||= files === undefined;
    more.push(...(files ?? []).map(realOrGiven));
  }
  return { targets, more: more.filter(isPart), blind };
}

/** Not installed: of the project, or of a workspace around it. */
function isOwn(file: string, roots: readonly string[]): boolean {
  return isProjectFile(file, roots) || !file.split(sep).includes("node_modules");
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
    ...(graph.blind.length === 0 ? {} : { blind: graph.blind }),
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
  const text = CODE.test(extname(path)) ? bytes.toString("utf8") : "";
  return {
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    readAt,
    sha: sha256(bytes),
    specifiers: scanSpecifiers(text),
    ...(hasComputedImport(text) ? { computed: scanComputed(text) } : {}),
  };
}

function targetsOf(
  specifiers: readonly string[],
  path: string,
  isPart: (file: string) => boolean,
): Map<string, LocalTarget> {
  const targets = new Map<string, LocalTarget>();
  for (const specifier of specifiers.filter(isLocalSpecifier)) {
    const target = resolveLocal(specifier, dirname(path));
    // A link inside the project counts even when it points out of it.
    if (target && (isPart(target.file) || isPart(target.path))) targets.set(specifier, target);
  }
  return targets;
}

/** `readAt` counts: when a file had to be read again, the newer time spares the next reading. */
function sameRecords(known: FileRecords, records: FileRecords): boolean {
  return known.size === records.size && [...records].every(([path, record]) => known.get(path) === record);
}

function nameFiles(
  records: FileRecords,
  imports: ReadonlyMap<string, FileImports>,
  root: string,
): Map<string, CodeFile> {
  const taken = new Set<string>();
  const files = new Map<string, CodeFile>();
  for (const path of [...records.keys()].toSorted()) {
    const record = records.get(path);
    if (record === undefined) continue;
    const targets = imports.get(path)?.targets ?? new Map<string, LocalTarget>();
    files.set(path, {
      path,
      name: nameOf(path, root, taken),
      sha: record.sha,
      importsSdk: record.specifiers.includes(SDK_NAME),
      importsMore: record.computed !== undefined || record.specifiers.some((one) => isElsewhere(one, targets)),
      imports: targets,
      more: imports.get(path)?.more ?? [],
    });
  }
  return files;
}

function isElsewhere(specifier: string, targets: ReadonlyMap<string, LocalTarget>): boolean {
  return specifier !== SDK_NAME && !targets.has(specifier) && !isBuiltin(specifier);
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
