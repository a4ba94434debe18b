/**
 * One hash for everything in a project that a check may depend on.
 *
 * Two equal hashes mean equal files: names, contents, executable bits, targets of links. What git ignores does
 * not count, except lock files in the root; nor do the files of the engine itself, and empty folders.
 */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { gitTreeHash } from "./git-tree.js";
import { walkTreeHash } from "./walk-tree.js";

export interface TreeHash {
  hash: string;
  /** A walk counts ignored files too, other than `node_modules`. */
  by: "git" | "walk";
}

/**
 * Hash of what is below `root`, whether or not that is the top of a repository. `cacheDir` makes following calls
 * fast; it may be deleted, damaged, or used by many processes at once. After the deadline it may reject.
 */
export async function treeHash(root: string, cacheDir: string, deadline = Number.POSITIVE_INFINITY): Promise<TreeHash> {
  const realRoot = fs.realpathSync(root);
  const realCache = realPlace(cacheDir);
  const hashNested = async (nested: string, nestedCache: string): Promise<string> => {
    // Without a repository of its own, git would look at the one around it, which does not know the files.
    if (fs.existsSync(path.join(nested, ".git"))) return (await treeHash(nested, nestedCache, deadline)).hash;
    return walkTreeHash(nested, nestedCache, deadline);
  };
  const inGit = await gitTreeHash(realRoot, realCache, hashNested);
  if (inGit !== undefined) return { hash: inGit, by: "git" };
  return { hash: walkTreeHash(realRoot, realCache, deadline), by: "walk" };
}

/** Without links, so that it can be seen whether it is inside the root. */
function realPlace(cacheDir: string): string {
  try {
    makeFolders(cacheDir, 0o700, 2);
    return fs.realpathSync(cacheDir);
  } catch {
    // Everything is hashed without a cache then.
    return path.resolve(cacheDir);
  }
}
