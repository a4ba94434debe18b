/** Where this program was installed from: people who have several want to know which one they are talking to. */
import fs from "node:fs";
import path from "node:path";
import type { Installation } from "../../hosts/host.js";

/** What is in the root of each, in the order in which they contain one another. */
const MARKS: readonly [Installation["kind"], string[]][] = [
  ["clone", ["packages/sdk/package.json", "plugins/babysitter"]],
  ["plugin", ["skills/babysit", "dist/babysitter.cjs"]],
  ["package", ["package.json", "dist/cli"]],
];

/** `program`: its real path. */
export function installedFrom(program: string): Installation {
  const folders = foldersAbove(program);
  for (const [kind, marks] of MARKS) {
    const dir = folders.find((folder) => marks.every((mark) => fs.existsSync(path.join(folder, mark))));
    if (dir !== undefined) return { kind, dir };
  }
  return { kind: "folder", dir: path.dirname(program) };
}

function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let dir = path.dirname(file); dir !== path.dirname(dir); dir = path.dirname(dir)) folders.push(dir);
  return folders;
}
