/** Whether the files of a tree were touched, although their contents are the same now. */
import fs from "node:fs";
import path from "node:path";
import { GitProblem } from "../spawn/git-command.js";
import { lstatOf } from "./file-digest.js";
import { listMembers } from "./git-tree.js";
import { namesIn } from "./git-tree-changes.js";
import { fileSystemTime, readCachedTree } from "./tree-cache.js";
import { filesBelow } from "./walk-tree.js";

/** A moment in the time of the file system; undefined when that cannot be told. */
export function momentNow(cacheDir: string): number | undefined {
  try {
    return fileSystemTime(cacheDir);
  } catch {
    return undefined;
  }
}

/**
 * True when a file was written, or a folder moved, since then: the time of the last change of an inode is set by the
 * kernel alone. Without a moment nobody can say, and nobody is accused.
 */
export function isTouchedSince(moment: number | undefined, projectRoot: string, cacheDir: string): boolean {
  if (moment === undefined) return false;
  try {
    const root = fs.realpathSync(projectRoot);
    const known = readCachedTree(fs.realpathSync(cacheDir), root);
    const names = known === undefined ? filesBelow(root, path.relative(root, cacheDir)) : namesIn(known.members);
    return names.some((name) => (lstatOf(root, name)?.ctimeMs ?? 0) > moment) || hasMovedFolder(root, names, moment);
  } catch {
    return false;
  }
}

/** Files that were written since then, the first few of them in order. New ones are in no cache: git is asked. */
export async function writtenSince(
  moment: number | undefined,
  projectRoot: string,
  cacheDir: string,
): Promise<string[]> {
  if (moment === undefined) return [];
  try {
    const root = fs.realpathSync(projectRoot);
    const names = await countedNames(root, fs.realpathSync(cacheDir));
    return names
      .filter((name) => (lstatOf(root, name)?.ctimeMs ?? 0) > moment)
      .slice(0, MAX_WRITTEN)
      .map((name) => Buffer.from(name, "latin1").toString("utf8"));
  } catch {
    return [];
  }
}

const MAX_WRITTEN = 10;

async function countedNames(root: string, cacheDir: string): Promise<string[]> {
  try {
    return namesIn(await listMembers(root, cacheDir));
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    return filesBelow(root, path.relative(root, cacheDir));
  }
}

/** A folder that was only moved has changed itself, and nothing in its list of names. */
function hasMovedFolder(root: string, names: readonly string[], moment: number): boolean {
  const folders = new Set<string>();
  for (const name of names)
    for (
      let end = name.lastIndexOf("/");
      end > 0 && !folders.has(name.slice(0, end));
      end = name.lastIndexOf("/", end - 1)
    )
      folders.add(name.slice(0, end));
  return [...folders].some((name) => {
    const stat = lstatOf(root, name);
    return stat !== undefined && stat.ctimeMs > moment && stat.mtimeMs <= moment;
  });
}
