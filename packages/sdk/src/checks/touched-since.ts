/** Whether the files of a tree were touched, although their contents are the same now. */
import fs from "node:fs";
import path from "node:path";
import { lstatOf } from "./file-digest.js";
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
