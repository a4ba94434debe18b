/** Finds the scripts that run for a hook type, and says why the others do not. */
import fs from "node:fs";
import path from "node:path";
import type { HookTier } from "../model/hook-types.js";
import { shellQuoted } from "../model/shell-quoted.js";
import { type HookFolder, type HookPlaces, lastFolders, ownFolders, parseHookType } from "./hook-folders.js";

/** A script that runs. */
export interface FoundHook {
  name: string;
  tier: HookTier;
  /** Absolute. */
  file: string;
}

/** Something beside the scripts that does not run. */
export interface SkippedHook extends FoundHook {
  reason: string;
  /** A command that makes it run. */
  fix?: string;
}

export interface FoundHooks {
  /** In the order in which they run. */
  hooks: FoundHook[];
  skipped: SkippedHook[];
  /** Scripts of the SDK in a plugin, which the engine does not run: it has functions in their place. */
  builtIn: FoundHook[];
  /** Where was looked, in that order. */
  folders: HookFolder[];
}

/**
 * Project, then user, then the first plugin that has a script for this type. In a folder the names are sorted by
 * their characters' codes, so that the order is the same everywhere.
 */
export function findHooks(hookType: string, places: HookPlaces): FoundHooks {
  parseHookType(hookType);
  const found: FoundHooks = { hooks: [], skipped: [], builtIn: [], folders: [] };
  const seen = new Set<string>();
  const look = (folder: HookFolder): number => {
    const here = { tier: folder.tier, dir: path.join(folder.dir, hookType) };
    // The same folder by two ways, such as a plugin that is the project, must not run twice.
    const identity = identityOf(here.dir);
    if (identity !== undefined && seen.has(identity)) return 0;
    if (identity !== undefined) seen.add(identity);
    found.folders.push(here);
    const { hooks, skipped } = lookInto(here);
    for (const hook of hooks) {
      const isBuiltIn = places.runShipped !== true && isShipped(hook, hookType, places);
      (isBuiltIn ? found.builtIn : found.hooks).push(hook);
    }
    found.skipped.push(...skipped);
    return hooks.length;
  };
  for (const folder of ownFolders(places)) look(folder);
  for (const folder of lastFolders(places)) if (look(folder) > 0) break;
  return found;
}

/** A plugin's copy of a script that comes with the SDK; one that somebody has edited is the plugin's own. */
function isShipped({ tier, name, file }: FoundHook, hookType: string, { shippedDir }: HookPlaces): boolean {
  if (tier !== "plugin" || shippedDir === undefined) return false;
  const shipped = contentOf(path.join(shippedDir, hookType, name));
  return shipped !== undefined && contentOf(file)?.equals(shipped) === true;
}

function contentOf(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

function identityOf(dir: string): string | undefined {
  try {
    return fs.realpathSync(dir);
  } catch {
    return undefined;
  }
}

function lookInto({ tier, dir }: HookFolder): Pick<FoundHooks, "hooks" | "skipped"> {
  let names: string[];
  try {
    names = fs.readdirSync(dir);
  } catch (error) {
    const { code = "UNKNOWN" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { hooks: [], skipped: [] };
    const reason = code === "ENOTDIR" ? "not a folder" : `the folder cannot be read (${code})`;
    return { hooks: [], skipped: [{ name: path.basename(dir), tier, file: dir, reason }] };
  }
  const hooks: FoundHook[] = [];
  const skipped: SkippedHook[] = [];
  for (const name of names.toSorted()) {
    const hook = { name, tier, file: path.join(dir, name) };
    const obstacle = obstacleOf(hook);
    if (obstacle === undefined) hooks.push(hook);
    else skipped.push({ ...hook, ...obstacle });
  }
  return { hooks, skipped };
}

type Obstacle = Pick<SkippedHook, "reason" | "fix">;

function obstacleOf({ name, file }: FoundHook): Obstacle | undefined {
  if (name.startsWith(".")) return { reason: "names that start with a dot are ignored" };
  if (name.endsWith("~") || /^#.*#$/u.test(name)) return { reason: "an editor's backup copy" };
  let stat: fs.Stats;
  try {
    stat = fs.statSync(file);
  } catch (error) {
    return lookFailure(file, error);
  }
  if (stat.isDirectory()) return { reason: "a folder; hooks are files directly inside the type's folder" };
  if (!stat.isFile()) return { reason: "not a regular file" };
  return isExecutable(file, stat) ? undefined : { reason: "not executable", fix: `chmod +x ${shellQuoted(file)}` };
}

function lookFailure(file: string, error: unknown): Obstacle {
  const { code = "UNKNOWN" } = error as NodeJS.ErrnoException;
  if (code === "ELOOP") return { reason: "a symbolic link that points to itself" };
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (code === "ENOENT" && isLink) return { reason: "a symbolic link to something that does not exist" };
  return { reason: `it cannot be read (${code})` };
}

/** Root may execute what has any x bit; others need one that is theirs. */
function isExecutable(file: string, { mode }: fs.Stats): boolean {
  if ((mode & 0o111) === 0) return false;
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
