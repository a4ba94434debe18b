/** Lifecycle hooks are programs: those that existed when a run was created were agreed to, others were not. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { lastFolders, ownFolders } from "../../hooks/hook-folders.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** Nobody has this many. */
const MAX_FILES = 1_000;

/** True when nothing in the folders of hooks has changed since the run was made. */
export function areHooksOlder(
  env: Readonly<Record<string, string | undefined>>,
  { place: { projectRoot }, summary }: RunJournal,
): boolean {
  // Without the plugin of the host: the agent's commands do not have the variables that the host gives to hooks.
  const places = { projectRoot, home: env["HOME"] || os.homedir(), env };
  const made = Date.parse(summary.created.at);
  const folders = [...ownFolders(places), ...lastFolders(places)].map(({ dir }) => dir);
  const files = folders.flatMap(filesBelow);
  if (files.length > MAX_FILES) return false;
  return (
    folders.every((dir) => changedAt(dir) <= made) &&
    files.every((file) => !isLinkedFolder(file) && changedAt(file) <= made)
  );
}

function filesBelow(dir: string): string[] {
  try {
    return fs.readdirSync(dir, { recursive: true, encoding: "utf8" }).map((name) => path.join(dir, name));
  } catch {
    return [];
  }
}

/** The time that nobody can set: of the name, and of what it leads to. */
function changedAt(file: string): number {
  const own = fs.lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  return Math.max(own, fs.statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0);
}

/** Its contents were not checked. */
function isLinkedFolder(file: string): boolean {
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink && (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
