/**
 * Which runs there are, and whether one has changed: appending to a journal changes its directory, and another journal in
 * its place is another directory. One look at each run, none of them opened.
 */
import fs from "node:fs/promises";

export interface RunStamp {
  stamp: string;
  /** When the journal was last written to. */
  changedAt: number;
}

/** File systems may give two changes the same time when they are closer than this. */
const CLOSE_MS = 3_000;
const AT_ONCE = 64;

/** Undefined when the folder cannot be read; then nothing is known, and nothing is gone. */
export async function listRunNames(runsDir: string): Promise<{ names: string[] } | { problem: string }> {
  try {
    const entries = await fs.readdir(runsDir, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
    return { names };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? { names: [] } : { problem: `Cannot read ${runsDir}: ${code}.` };
  }
}

export async function stampsOf(runsDir: string, names: readonly string[]): Promise<Map<string, RunStamp>> {
  const stamps = new Map<string, RunStamp>();
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map((name) => stampOf(runsDir, name)));
    for (const [n, stamp] of found.entries()) if (stamp !== undefined) stamps.set(some[n] as string, stamp);
  }
  return stamps;
}

/** A change that has only just been made may be followed by another one of the same time: it must be looked at again. */
export async function stampOf(runsDir: string, name: string): Promise<RunStamp | undefined> {
  for (const place of [`${runsDir}/${name}/journal`, `${runsDir}/${name}`]) {
    try {
      const { ino, ctimeMs } = await fs.lstat(place);
      const age = Date.now() - ctimeMs;
      return { stamp: `${ino} ${ctimeMs}${age > CLOSE_MS ? "" : " fresh"}`, changedAt: ctimeMs };
    } catch {
      // Whatever is there instead of a journal: opening the run says what is wrong.
    }
  }
  return undefined;
}

/** True when a run may be other than it was when that stamp was taken. */
export function hasChanged(known: string | undefined, { stamp }: RunStamp): boolean {
  return known !== stamp || stamp.endsWith(" fresh");
}
