import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../../files/make-folders.js";

/** Replaces a readable copy in one step; one that cannot be written is not worth failing for. */
export function writeCopy(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    makeFolders(path.dirname(file), 0o700);
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
