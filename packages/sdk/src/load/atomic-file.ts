import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

let counter = 0;

/**
 * Writes a cache file so that readers see the old text or the new one. Failing is fine: what a cache
 * does not hold is worked out again.
 */
export function writeCacheFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${counter++}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // Nothing was written.
    }
  }
}
