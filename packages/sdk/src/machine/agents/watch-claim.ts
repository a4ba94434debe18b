/** Of several programs that want to do the same thing for a run, one does it. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";

/**
 * True for the first who asks about this name; earlier claims of the same kind (up to the first dash) are forgotten. The
 * claim stays, because another program may look only after this one has ended. Without a place to write to, rather two
 * of them than none.
 */
export function claimOnce(runDir: string, name: string): boolean {
  const dir = path.join(runDir, "state");
  const kind = name.slice(0, name.indexOf("-") + 1);
  try {
    makeFolders(dir, 0o700, 1);
    fs.writeFileSync(path.join(dir, name), String(process.pid), { flag: "wx", mode: 0o600 });
    for (const other of fs.readdirSync(dir))
      if (other.startsWith(kind) && other !== name) fs.rmSync(path.join(dir, other), { force: true });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}
