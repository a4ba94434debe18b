import fs from "node:fs";

/** Replaces a readable copy in one step, in a folder that is there; what cannot be written is not worth failing for. */
export function writeCopy(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
