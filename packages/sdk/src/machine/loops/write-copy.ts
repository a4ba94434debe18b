import fs from "node:fs";
import path from "node:path";

/** Replaces a readable copy in one step; one that cannot be written is not worth failing for. */
export function writeCopy(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
