/** What somebody types in a shell to remove a part of us, once our own command is gone. */
import fs from "node:fs";
import path from "node:path";
import { shellQuoted } from "../../model/shell-quoted.js";
import type { Item } from "./parts.js";

export function byHand({ part, pid, commands = [], paths }: Item): string {
  if (pid !== undefined) return `kill ${pid}`;
  if (commands.length > 0) return commands.map((words) => words.map(shellQuoted).join(" ")).join(" && ");
  return ["rm -r", ...(part === "runs" ? foldersOf(paths) : paths).map(shellQuoted)].join(" ");
}

/** A folder in the place of its runs, where nothing else is in it. */
function foldersOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((file) => path.dirname(file)))].flatMap((folder) => {
    const runs = paths.filter((file) => path.dirname(file) === folder);
    return fs.readdirSync(folder).length === runs.length ? [folder] : runs;
  });
}
