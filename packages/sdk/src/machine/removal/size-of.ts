import fs from "node:fs";
import path from "node:path";

/** Bytes of a file, or of everything in a folder. Links are not followed; what cannot be read counts for nothing. */
export function sizeOf(file: string): number {
  try {
    const stat = fs.lstatSync(file);
    if (!stat.isDirectory()) return stat.size;
    return fs.readdirSync(file).reduce((total, name) => total + sizeOf(path.join(file, name)), 0);
  } catch {
    return 0;
  }
}
