/**
 * Makes a folder and what is missing above it. Node's own way spins for ever where a file system refuses with "not
 * there", as /proc does, and calls a read-only disk a missing folder.
 *
 * `levels` says how many may be missing: of a run that someone has deleted meanwhile, nothing must be made again.
 */
import fs from "node:fs";
import path from "node:path";

export function makeFolders(dir: string, mode: number, levels = Number.POSITIVE_INFINITY): void {
  if (isFolder(dir)) return;
  try {
    fs.mkdirSync(dir, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = path.dirname(dir);
    // Someone else may have made it just now.
    if (isFolder(dir)) return;
    if (code !== "ENOENT" || parent === dir || levels <= 1 || isFolder(parent)) throw error;
    makeFolders(parent, mode, levels - 1);
    makeFolder(dir, mode);
  }
}

function makeFolder(dir: string, mode: number): void {
  try {
    fs.mkdirSync(dir, { mode });
  } catch (error) {
    if (!isFolder(dir)) throw error;
  }
}

function isFolder(dir: string): boolean {
  try {
    return fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
