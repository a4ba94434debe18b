/** Makes a run directory aside and moves it into place in one step, so that a run exists wholly or not at all. */
import path from "node:path";
import type { JournalEvent } from "../../model/events.js";
import type { RunId } from "../../model/ids.js";
import type { RunExtras } from "../../model/store.js";
import { blobValue } from "../rules/blobs.js";
import { brokenEvent, eventFileName, renderEvent } from "../rules/chain.js";
import { runExists } from "../rules/refusals.js";
import { getBlob, putBlob } from "./blobs.js";
import { withDiskErrors } from "./disk-errors.js";
import { tempName } from "./event-log.js";
import { DIR_MODE, type DurableFiles } from "./journal-fs.js";
import { codeFile, RUN_GITATTRIBUTES, RUN_GITIGNORE, type RunLayout, runLayout } from "./layout.js";
import { renderJson, runDocument, writeViews } from "./views.js";

/** Prefix of directories that are still being made; listings pass them over. */
export const UNFINISHED_PREFIX = ".creating-";

export interface NewRun extends RunExtras {
  /** The folder of all runs. */
  folder: string;
  /** The directory of this one. */
  target: string;
  runId: RunId;
  events: readonly JournalEvent[];
}

export async function createRunDirectory(files: DurableFiles, run: NewRun): Promise<void> {
  const { folder, target, runId, blobs = [] } = run;
  if (files.fs.existsSync(target)) throw runExists(runId, { runDir: target });
  const aside = path.join(folder, `${UNFINISHED_PREFIX}${tempName(runId)}`);
  const layout = runLayout(aside);
  try {
    const dirs = withDiskErrors(folder, () => {
      files.makeDir(folder);
      ignoreRunsInGit(files, folder);
      return makeDirectories(files, layout);
    });
    for await (const text of blobs) withDiskErrors(folder, () => putBlob(files, layout, text));
    withDiskErrors(folder, () => {
      fillDirectory(files, layout, { ...run, dirs });
      moveIntoPlace(files, aside, target, runId);
      files.syncUp(target);
    });
  } catch (error) {
    discardTree(files, aside);
    throw error;
  }
}

function makeDirectories(files: DurableFiles, layout: RunLayout): Set<string> {
  const { root, journal, blobs, state, temp, tasks, code } = layout;
  const dirs = new Set([root, journal, blobs, state, temp, tasks, code, path.join(root, "artifacts")]);
  for (const dir of dirs) files.fs.mkdirSync(dir, { recursive: true, mode: DIR_MODE });
  return dirs;
}

function fillDirectory(files: DurableFiles, layout: RunLayout, run: NewRun & { dirs: Set<string> }): void {
  const { root } = layout;
  const { events, dirs } = run;
  const [first] = events;
  if (first?.type !== "RUN_CREATED") throw brokenEvent("journal/", "it does not start with RUN_CREATED");
  for (const event of events) {
    // Published as every later event will be: a file system that has no hard links is noticed now.
    const temp = path.join(layout.temp, tempName("event"));
    files.write(temp, renderEvent(event));
    files.fs.linkSync(temp, path.join(layout.journal, eventFileName(event)));
    files.discard(temp);
    writeViews(files, layout, event);
  }
  const { inputs } = first.payload;
  const value = "value" in inputs ? inputs.value : blobValue(inputs.blob, getBlob(files, layout, inputs.blob));
  files.write(path.join(root, "run.json"), renderJson(runDocument(first.payload, first.timestamp)));
  files.write(path.join(root, "inputs.json"), renderJson(value));
  files.write(path.join(root, ".gitignore"), RUN_GITIGNORE);
  files.write(path.join(root, ".gitattributes"), RUN_GITATTRIBUTES);
  for (const { path: name, text } of run.code?.files ?? []) {
    const file = codeFile(layout, name);
    for (let dir = path.dirname(file); !dirs.has(dir); dir = path.dirname(dir)) dirs.add(dir);
    files.fs.mkdirSync(path.dirname(file), { recursive: true, mode: DIR_MODE });
    files.write(file, text);
  }
  for (const dir of [...dirs].toSorted((a, b) => b.length - a.length)) files.syncDir(dir);
}

function discardTree(files: DurableFiles, dir: string): void {
  try {
    files.fs.rmSync(dir, { recursive: true, force: true });
  } catch {
    // Listings pass it over.
  }
}

function moveIntoPlace(files: DurableFiles, aside: string, target: string, runId: RunId): void {
  try {
    files.fs.renameSync(aside, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR") throw runExists(runId, { runDir: target });
    throw error;
  }
}

/** Runs are private by default: the first one tells git to leave them alone. */
function ignoreRunsInGit(files: DurableFiles, runsDir: string): void {
  const home = path.dirname(runsDir);
  if (path.basename(runsDir) !== "runs" || path.basename(home) !== ".a5c") return;
  const ignore = path.join(home, ".gitignore");
  if (!files.fs.existsSync(ignore)) files.write(ignore, "runs/\n");
}
