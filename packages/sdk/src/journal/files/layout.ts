import path from "node:path";
import type { EffectId } from "../../model/ids.js";

/** Where things are inside a run directory. */
export interface RunLayout {
  root: string;
  journal: string;
  blobs: string;
  state: string;
  temp: string;
  tasks: string;
  /** The process as it was when the run was created. */
  code: string;
  /** What has changed in it since. */
  codeChanges: string;
  summary: string;
  index: string;
  quarantine: string;
}

/** The journal and the first of its caches, inside a run directory. */
export const JOURNAL = "journal";
export const SUMMARY = "state/head.json";

/** The paths of a run. */
export function runLayout(root: string): RunLayout {
  const state = path.join(root, "state");
  return {
    root,
    journal: path.join(root, JOURNAL),
    blobs: path.join(root, "blobs"),
    state,
    temp: path.join(state, "tmp"),
    tasks: path.join(root, "tasks"),
    code: path.join(root, "code"),
    codeChanges: path.join(root, "code-changes"),
    summary: path.join(root, SUMMARY),
    index: path.join(state, "state.json"),
    quarantine: path.join(root, "quarantine"),
  };
}

/** Folder of an effect's readable copies and logs. */
export function taskDir(layout: RunLayout, effectId: EffectId): string {
  return path.join(layout.tasks, effectId);
}

/** The copy of a file of the process; names come from the project's paths and stay inside. */
export function codeFile({ code }: RunLayout, name: string): string {
  return path.join(code, ...name.split("/").filter((part) => part !== ".." && part !== "." && part !== ""));
}

/** A run with this file has, or had, a loop. */
export const LOOP_MARK = "contract.json";

/** What git should not see of a run: everything that can be made again, and logs. */
export const RUN_GITIGNORE = "state/\nquarantine/\nhooks/\nevidence/\ntasks/*/*.log\n";

/** Checksums are over bytes: git must not touch line endings. */
export const RUN_GITATTRIBUTES = "* -text\n";

/** Notes about all runs, in their folder. Its name starts with a dot: no run's does. */
export function notesDirOf(runsDir: string): string {
  return path.join(runsDir, ".index");
}

/** `archive` beside `runs`; a folder of runs with another name has an archive named after it. */
export function archiveDirOf(runsDir: string): string {
  const name = path.basename(runsDir);
  return path.join(path.dirname(runsDir), name === "runs" ? "archive" : `${name}-archive`);
}
