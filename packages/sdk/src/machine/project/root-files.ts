/** A look at the files in the root of a project. */
import fs from "node:fs";
import path from "node:path";
import type { RootFiles } from "./detect-checks.js";

export function rootFiles(root: string): RootFiles {
  return {
    read: (name) => contentOf(path.join(root, name)),
    has: (name) => fs.existsSync(path.join(root, name)),
  };
}

/** Undefined when there is no such file, or none that can be read. */
export function contentOf(file: string): string | undefined {
  try {
    return fs.statSync(file).isFile() ? fs.readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
