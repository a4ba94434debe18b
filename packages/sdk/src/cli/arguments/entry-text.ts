import fs from "node:fs";
import path from "node:path";

/** `path#export`; a file whose own name has a # in it is taken as it is. */
export function splitEntry(text: string, cwd: string): { file: string; export?: string } {
  const hash = text.lastIndexOf("#");
  if (hash === -1 || fs.existsSync(path.resolve(cwd, text))) return { file: text };
  return { file: text.slice(0, hash), export: text.slice(hash + 1) };
}
