/** Deletes runs. A run gets a hidden name first, so that a crash in the middle leaves no half of it in sight. */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import type { Head } from "../../model/events.js";
import { hasGrown } from "./archive.js";
import { withDiskErrors } from "./disk-errors.js";
import { tempName } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";

/** Prefix of directories that are being deleted; listings pass them over. */
export const REMOVING_PREFIX = ".removing-";

/** False if something was appended after `head`; then nothing was deleted. */
export function removeRunDirectory(files: DurableFiles, runDir: string, head: Head): boolean {
  const runsDir = path.dirname(runDir);
  const hidden = path.join(runsDir, `${REMOVING_PREFIX}${tempName(path.basename(runDir))}`);
  return withDiskErrors(runsDir, () => {
    rename(files, runDir, hidden);
    if (hasGrown(files, hidden, head)) {
      rename(files, hidden, runDir);
      return false;
    }
    // Without this a power cut could bring the name back, with files missing.
    files.syncDir(runsDir);
    files.fs.rmSync(hidden, { recursive: true, force: true });
    return true;
  });
}

function rename(files: DurableFiles, from: string, to: string): void {
  try {
    files.fs.renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new BabysitterError("RUN_NOT_FOUND", `${from} is no longer there.`, { details: { runDir: from } });
  }
}
