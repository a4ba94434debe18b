import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../files/make-folders.js";

let counter = 0;

/**
 * Writes a cache file so that readers see the old content or the new one. Failing is fine: what a cache
 * does not hold is worked out again. `levels`: how many folders may be missing.
 */
export function writeCacheFile(path: string, content: string | Uint8Array, levels?: number): void {
  const temporary = `${path}.${process.pid}.${counter++}.tmp`;
  try {
    makeFolders(dirname(path), 0o700, levels);
    writeFileSync(temporary, content, { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // Nothing was written.
    }
  }
}
