/**
 * What must not change while a loop runs, because it defines what "done" means.
 *
 * Files that a glob of the contract matches, the programs and tests of the project that a criterion names, and the
 * scripts that it runs by name. Files that a command only looks at, as in `grep -q done NOTES.md`, are the work.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { ProtectedThing } from "../model/loop-contract.js";
import { namedByCommand } from "./command-files.js";
import { contentDigest } from "./file-digest.js";
import { fixedPart, globMatcher } from "./glob.js";
import { isEngineFile } from "./ignored-paths.js";

export interface ChangedThing {
  name: string;
  what: "changed" | "missing";
}

/** In the place of a digest: it does not exist, and must not come to exist. */
const ABSENT = "absent";
const SCRIPT = /^((?:.*\/)?package\.json)#scripts\.(.+)$/su;
const SKIPPED = new Set(["node_modules", ".git"]);
/** Scripts that run scripts that run scripts. */
const MAX_NAMES = 2000;

/** A file that a glob matches later is new, and not protected. */
export async function findProtected({
  root,
  globs,
  commands,
}: {
  root: string;
  globs: readonly string[];
  commands: readonly string[];
}): Promise<ProtectedThing[]> {
  const names = new Set<string>();
  for (const glob of globs) for (const name of matches(root, glob)) names.add(name);
  for (const name of namesOfCommands(root, commands)) names.add(name);
  return [...names]
    .toSorted()
    .filter((name) => !isEngineFile(name))
    .map((name) => ({ name, sha256: digestOf(root, name) }));
}

/** Reads every thing again: some tens of microseconds each, plus the time to read large files. */
export async function changedThings(root: string, things: readonly ProtectedThing[]): Promise<ChangedThing[]> {
  return things.flatMap(({ name, sha256 }): ChangedThing[] => {
    const now = digestOf(root, name);
    if (now === sha256) return [];
    return [{ name, what: now === ABSENT ? "missing" : "changed" }];
  });
}

/** What a thing is now. Links are followed: the content is what a check sees. */
function digestOf(root: string, name: string): string {
  const script = SCRIPT.exec(name);
  if (script !== null) {
    const text = scriptsOf(path.join(root, script[1] as string))[script[2] as string];
    return text === undefined ? ABSENT : crypto.createHash("sha256").update(text).digest("hex");
  }
  const file = realFile(root, name);
  if (file === undefined) return ABSENT;
  try {
    return contentDigest(file);
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code ?? "UNKNOWN"}`;
  }
}

function realFile(root: string, name: string): string | undefined {
  try {
    const file = fs.realpathSync(path.join(root, name));
    return fs.statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function scriptsOf(packageFile: string): Record<string, string> {
  try {
    // A pipe in its place would be waited for, and with it the host.
    if (!fs.statSync(packageFile).isFile()) return Object.create(null) as Record<string, string>;
    const { scripts } = JSON.parse(fs.readFileSync(packageFile, "utf8")) as { scripts?: unknown };
    const entries = Object.entries(scripts as Record<string, unknown>);
    const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(texts));
  } catch {
    return Object.create(null) as Record<string, string>;
  }
}

function matches(root: string, given: string): string[] {
  const glob = isFolder(path.join(root, given)) ? `${given}/` : given;
  const isMatch = globMatcher(glob);
  const found: string[] = [];
  const start = fixedPart(glob);
  const open = isInside(root, start) ? [start] : [];
  for (let dir = open.pop(); dir !== undefined; dir = open.pop())
    for (const entry of entriesOf(path.join(root, dir))) {
      const name = dir === "" ? entry.name : `${dir}/${entry.name}`;
      if (SKIPPED.has(entry.name) || isEngineFile(name)) continue;
      if (entry.isDirectory()) open.push(name);
      else if (isMatch(name) && realFile(root, name) !== undefined) found.push(name);
    }
  return found;
}

function isFolder(file: string): boolean {
  try {
    return fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}

function entriesOf(dir: string): fs.Dirent[] {
  try {
    return fs.readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Scripts are command lines themselves. */
function namesOfCommands(root: string, commands: readonly string[]): Set<string> {
  const names = new Set<string>();
  const open = commands.map((line) => ({ line, dir: "" }));
  for (let next = open.pop(); next !== undefined && names.size < MAX_NAMES; next = open.pop()) {
    const { line, dir } = next;
    const named = namedByCommand(line);
    const here = (file: string): string => fromRoot(root, dir, file);
    for (const file of named.files) addFile(names, root, here(file));
    for (const program of named.programs) addInstalled(names, root, { dir: here(program.dir), name: program.name });
    for (const words of named.scriptFiles) words.some((word) => addFile(names, root, here(word)));
    const scripts = named.scripts.map(({ packageDir, script }) => ({ folder: here(packageDir), script }));
    for (const script of scripts)
      for (const text of addScript(names, root, script)) open.push({ line: text, dir: script.folder });
    // Settings of a package manager, there or not: a new one can turn every script into success.
    const counts = scripts.some(({ folder, script }) => names.has(scriptName(folder, script)));
    for (const file of counts ? named.settings : []) {
      const name = inRoot(root, here(file));
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

/** True when it is a file of the project. */
function addFile(names: Set<string>, root: string, file: string): boolean {
  const name = inRoot(root, file);
  if (name === undefined || realFile(root, name) === undefined) return false;
  names.add(name);
  return true;
}

/** The program that a package manager finds before all others: the nearest one that a package has brought. */
function addInstalled(names: Set<string>, root: string, { dir, name }: { dir: string; name: string }): void {
  for (let folder = dir; ; folder = path.posix.dirname(folder)) {
    if (addFile(names, root, path.posix.join(folder, "node_modules/.bin", name))) return;
    if (folder === "." || folder === "" || folder.startsWith("..") || path.posix.isAbsolute(folder)) return;
  }
}

function scriptName(folder: string, script: string): string {
  return `${path.posix.join(folder, "package.json")}#scripts.${script}`;
}

/** Adds the script with those before and after it, there or not; returns the texts that are new. */
function addScript(names: Set<string>, root: string, { folder, script }: { folder: string; script: string }): string[] {
  const file = inRoot(root, path.posix.join(folder, "package.json"));
  const scripts = file === undefined ? {} : scriptsOf(path.join(root, file));
  // One that is still to be written is part of the work.
  if (file === undefined || scripts[script] === undefined) return [];
  return [`pre${script}`, script, `post${script}`].flatMap((each) => {
    const name = scriptName(folder, each);
    if (names.has(name)) return [];
    names.add(name);
    return scripts[each] ?? [];
  });
}

/** Absolute paths into the project are as good as relative ones. */
function fromRoot(root: string, dir: string, file: string): string {
  return path.isAbsolute(file) ? path.relative(root, file) || "." : path.posix.join(dir, file);
}

function inRoot(root: string, file: string): string | undefined {
  const name = path.posix.normalize(file).replace(/\/$/u, "");
  return name !== "." && isInside(root, name) ? name : undefined;
}

function isInside(root: string, name: string): boolean {
  const relative = path.relative(root, path.resolve(root, name));
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
