import fs from "node:fs";
import path from "node:path";

/** Bytes of all files below a path; links count as themselves, and what vanishes meanwhile as nothing. */
export function treeBytes(root: string): number {
  const stat = fs.lstatSync(root, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  let bytes = 0;
  for (const name of namesIn(root)) bytes += treeBytes(path.join(root, name));
  return bytes;
}

/** Names in a folder; none when it cannot be read. */
export function namesIn(dir: string): string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}
