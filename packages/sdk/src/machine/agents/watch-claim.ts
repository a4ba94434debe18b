/** Of several programs that want to do the same thing for a run, one does it. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";

/** A program that asks about something old asks within seconds, unless the machine has slept meanwhile. */
const KEPT_MS = 60 * 60_000;

/**
 * True for the first who asks about this name. The claim stays, because another program may look only after this one
 * has ended, and newer claims of the same kind (up to the first dash) may be there by then; those that are much older
 * are forgotten. Without a place to write to, rather two of them than none.
 */
export function claimOnce(runDir: string, name: string): boolean {
  const dir = path.join(runDir, "state");
  const kind = name.slice(0, name.indexOf("-") + 1);
  try {
    makeFolders(dir, 0o700, 1);
    fs.writeFileSync(path.join(dir, name), String(process.pid), { flag: "wx", mode: 0o600 });
    const oldest = madeAt(path.join(dir, name)) - KEPT_MS;
    for (const other of fs.readdirSync(dir).filter((one) => one.startsWith(kind)))
      if (madeAt(path.join(dir, other)) < oldest) fs.rmSync(path.join(dir, other), { force: true });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}

function madeAt(file: string): number {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}
