/**
 * Tells a run from a copy of it. Both journals name the same processes, and only the run that started them may end
 * them, or wait for them.
 */
import { realpathSync, statSync } from "node:fs";
import type { DirectoryRef } from "../model/events.js";
import { mayBeHere, type ProcessRecord } from "./liveness.js";
import { thisMachine } from "./machine-facts.js";

/** Undefined when the directory cannot be looked at. */
export function directoryRef(path: string): DirectoryRef | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return { path: realpathSync(path), device: String(dev), inode: String(ino) };
  } catch {
    return undefined;
  }
}

/** A process that was started for a run. */
type StartedFor = ProcessRecord & { dir?: DirectoryRef | undefined };

/**
 * True if the process was started for the run in this directory. A directory that was moved to another disk looks
 * like a copy; then the original is gone, as far as that can be seen from where the process is.
 */
export function isOfThisRun({ dir, namespace }: StartedFor, runDir: string): boolean {
  const here = directoryRef(runDir);
  if (dir === undefined || here === undefined || isSame(dir, here)) return true;
  return namespace === thisMachine().namespace && !isSame(dir, directoryRef(dir.path));
}

/** True if whoever works on the run in this directory may end the process; whether it is still the same is looked at then. */
export function mayEnd(record: StartedFor, runDir: string): boolean {
  return isOfThisRun(record, runDir) && mayBeHere(record, thisMachine());
}

function isSame(one: DirectoryRef, other: DirectoryRef | undefined): boolean {
  return one.device === other?.device && one.inode === other.inode;
}
