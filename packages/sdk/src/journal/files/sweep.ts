/** Deletes what crashes left behind: no command sees it, it only takes up space. */
import fs from "node:fs";
import path from "node:path";
import type { Leftover } from "../../model/upkeep.js";
import { isShell } from "./archive.js";
import { UNFINISHED_PREFIX } from "./create-run.js";
import { withDiskErrors } from "./disk-errors.js";
import type { DurableFiles } from "./journal-fs.js";
import { runLayout } from "./layout.js";
import { REMOVING_PREFIX } from "./remove-run.js";
import { namesIn, treeBytes } from "./tree-size.js";

export interface SweepOptions {
  runsDir: string;
  /** Directories of the runs whose temporary files may go. */
  own: string[];
  /** Younger ones may belong to a running command. */
  before: Date;
  dryRun: boolean;
}

export function sweepLeftovers(files: DurableFiles, options: SweepOptions): Leftover[] {
  const found = [...leftDirectories(files, options), ...temporaryFiles(files, options)];
  if (options.dryRun) return found;
  for (const { path: leftover } of found)
    withDiskErrors(options.runsDir, () => files.fs.rmSync(leftover, { recursive: true, force: true }));
  return found;
}

function leftDirectories(files: DurableFiles, { runsDir, before }: SweepOptions): Leftover[] {
  return namesIn(runsDir).flatMap((name) => {
    const dir = path.join(runsDir, name);
    const what = kindOf(files, name, dir);
    // What is being deleted is useless at any age.
    if (what === undefined || (what !== "half-removed run" && !isOlder(dir, before))) return [];
    return [{ path: dir, what, bytes: treeBytes(dir) }];
  });
}

function kindOf(files: DurableFiles, name: string, dir: string): Leftover["what"] | undefined {
  if (name.startsWith(REMOVING_PREFIX)) return "half-removed run";
  if (name.startsWith(UNFINISHED_PREFIX)) return "unfinished creation";
  return !name.startsWith(".") && isShell(files, dir) ? "empty shell of a run" : undefined;
}

function temporaryFiles({ fs: disk }: DurableFiles, { own, before }: SweepOptions): Leftover[] {
  return own.flatMap((runDir) => {
    const { state, temp } = runLayout(runDir);
    // What a link leads to is not the run's to delete.
    if ([state, temp].some((dir) => disk.kindOf(dir) !== "folder")) return [];
    return namesIn(temp)
      .map((name) => path.join(temp, name))
      .filter((file) => isOlder(file, before))
      .map((file) => ({ path: file, what: "temporary file" as const, bytes: treeBytes(file) }));
  });
}

function isOlder(file: string, before: Date): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < before.getTime();
}
