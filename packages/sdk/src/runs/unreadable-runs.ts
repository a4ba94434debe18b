/** Runs that cannot be read: whoever goes through many names them and goes on. */
import { BabysitterError } from "../model/errors.js";
import type { RunId } from "../model/ids.js";
import type { Ports } from "../model/ports.js";

/** A run that cannot be read, and why. */
export interface UnreadableRun {
  runId: RunId;
  runDir: string;
  why: string;
}

/** Told of each of them. */
export type OnUnreadable = (run: UnreadableRun) => void;

/**
 * What `read` answers; undefined for a run that cannot be read, of which `tell` has heard then, and for one that has
 * been archived or deleted in the meantime.
 */
export async function ifReadable<T>(
  { ports, runId }: { ports: Ports; runId: RunId },
  tell: OnUnreadable,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!saysSomethingOfTheRun(error)) throw error;
    if (error.code !== "RUN_NOT_FOUND") tell({ runId, runDir: ports.workspace.runDir(runId), why: error.message });
    return undefined;
  }
}

/** A machine that is out of descriptors or memory says nothing: no run may be called damaged for that. */
export function saysSomethingOfTheRun(error: unknown): error is BabysitterError {
  return BabysitterError.is(error) && error.code !== "SYSTEM_REFUSED";
}
