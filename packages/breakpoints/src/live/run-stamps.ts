/**
 * Which runs there are, and whether one has changed: appending to a journal changes its directory, and another journal in
 * its place is another directory. One look at each run, none of them opened.
 */
import fs from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface RunStamp {
  stamp: string;
  /** Tells apart what has been in the same place. */
  directory: string;
  /** When the journal was last written to. */
  changedAt: number;
}

/** File systems may give two changes the same time when they are closer than this. */
const CLOSE_MS = 3_000;
/** Looking at so many runs takes about a millisecond. */
const AT_ONCE = 200;

/** A folder that cannot be read says nothing: no run is gone for that. */
export function listRunNames(runsDir: string): { names: string[] } | { problem: string } {
  try {
    const entries = fs.readdirSync(runsDir, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
    return { names };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? { names: [] } : { problem: `Cannot read ${runsDir}: ${code}.` };
  }
}

/** Lets other work in between. */
export async function stampsOf(runsDir: string, names: readonly string[]): Promise<Map<string, RunStamp>> {
  const stamps = new Map<string, RunStamp>();
  for (const [n, name] of names.entries()) {
    const stamp = stampOf(runsDir, name);
    if (stamp !== undefined) stamps.set(name, stamp);
    if (n % AT_ONCE === AT_ONCE - 1) await nextTurn();
  }
  return stamps;
}

/** A change that has only just been made may be followed by another one of the same time: it must be looked at again. */
export function stampOf(runsDir: string, name: string): RunStamp | undefined {
  for (const place of [`${runsDir}/${name}/journal`, `${runsDir}/${name}`]) {
    try {
      const stat = fs.lstatSync(place, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const { ino, ctimeMs } = stat;
      const isFresh = Date.now() - ctimeMs <= CLOSE_MS;
      return { stamp: `${ino} ${ctimeMs}${isFresh ? FRESH : ""}`, directory: `${place} ${ino}`, changedAt: ctimeMs };
    } catch {
      // Whatever is there instead of a journal: opening the run says what is wrong.
    }
  }
  return undefined;
}

const FRESH = " fresh";

/** True when a run may be other than it was when that stamp was taken. */
export function hasChanged(known: string | undefined, { stamp }: RunStamp): boolean {
  return known !== stamp || stamp.endsWith(FRESH);
}
