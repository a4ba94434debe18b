/** Archives finished runs next to the runs folder. A run moves in one rename: it is never in both places, or in neither. */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import type { Head } from "../../model/events.js";
import type { RunId } from "../../model/ids.js";
import { withDiskErrors } from "./disk-errors.js";
import { EventLog } from "./event-log.js";
import type { DurableFiles } from "./journal-fs.js";
import { runLayout } from "./layout.js";

interface Move {
  runId: RunId;
  /** The run's directory. */
  from: string;
  /** The folder it goes to. */
  toDir: string;
}

/** Returns the new directory; undefined if something was appended after `head` and the run was not moved. */
export function archiveRunDirectory(files: DurableFiles, move: Move & { head: Head }): string | undefined {
  return withDiskErrors(move.toDir, () => {
    makeArchive(files, move.toDir);
    const target = path.join(move.toDir, move.runId);
    if (files.fs.existsSync(target)) throw inTheWay(move.runId, target);
    moveRun(files, move, target);
    if (!hasGrown(files, target, move.head)) return target;
    // Someone reopened it between the check and the move.
    moveRun(files, { ...move, from: target }, move.from);
    return undefined;
  });
}

export function restoreRunDirectory(files: DurableFiles, move: Move): string {
  return withDiskErrors(move.toDir, () => {
    files.makeDir(move.toDir);
    const target = path.join(move.toDir, move.runId);
    discardShell(files, target);
    if (files.fs.existsSync(target)) throw inTheWay(move.runId, target);
    moveRun(files, move, target);
    return target;
  });
}

/** True unless `head` is proved to be the last event. */
export function hasGrown(files: DurableFiles, runDir: string, head: Head): boolean {
  try {
    return new EventLog(files, runLayout(runDir)).readAfter(head)?.length !== 0;
  } catch (error) {
    if (BabysitterError.is(error)) return true;
    throw error;
  }
}

/** True for what a command leaves that wrote its cache just after the run was moved away. */
export function isShell(files: DurableFiles, dir: string): boolean {
  try {
    const [only, ...others] = files.fs.readdirSync(dir);
    if (only !== "state" || others.length > 0) return false;
    return files.fs.readdirSync(path.join(dir, only)).every((name) => CACHES.has(name));
  } catch {
    return false;
  }
}

const CACHES = new Set(["tmp", "head.json", "state.json", "code.json"]);

function discardShell(files: DurableFiles, dir: string): void {
  if (isShell(files, dir)) files.fs.rmSync(dir, { recursive: true, force: true });
}

/** Archived runs are as private as runs: the first one tells git to leave them alone. */
function makeArchive(files: DurableFiles, dir: string): void {
  if (files.fs.existsSync(dir)) return;
  files.makeDir(dir);
  files.write(path.join(dir, ".gitignore"), "*\n");
  files.syncUp(dir);
}

function moveRun(files: DurableFiles, { runId, from }: Move, target: string): void {
  try {
    files.fs.renameSync(from, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") throw inTheWay(runId, target);
    if (code === "EXDEV") throw otherFileSystem(from, target, error);
    if (code === "ENOENT") throw goneMeanwhile(runId, from);
    throw error;
  }
  // The new name first: after a power cut the run may have two names for a moment, but never none.
  files.syncDir(path.dirname(target));
  files.syncDir(path.dirname(from));
}

function inTheWay(runId: RunId, target: string): BabysitterError {
  return new BabysitterError("RUN_EXISTS", `${path.dirname(target)} already contains ${runId}; nothing was moved.`, {
    hint: "Move or remove one of the two.",
    details: { runId, runDir: target },
  });
}

function otherFileSystem(from: string, target: string, cause: unknown): BabysitterError {
  return new BabysitterError(
    "ARCHIVE_OTHER_FILE_SYSTEM",
    `${path.dirname(target)} and ${path.dirname(from)} are on different file systems; nothing was moved.`,
    {
      hint: "A run is moved in one step or not at all. Put both folders on one file system, or copy the run directory yourself.",
      details: { from, to: target },
      cause,
    },
  );
}

function goneMeanwhile(runId: RunId, from: string): BabysitterError {
  return new BabysitterError("RUN_NOT_FOUND", `Run ${runId} is no longer in ${path.dirname(from)}.`, {
    hint: "Someone else has moved or removed it; see `babysitter run:list` and `babysitter run:list --archived`.",
    details: { runId },
  });
}
