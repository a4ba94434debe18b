/** Makes a run directory aside and moves it into place in one step, so that a run exists wholly or not at all. */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import type { EventDraft, JournalEvent } from "../../model/events.js";
import type { RunId } from "../../model/ids.js";
import type { CodeSnapshot, Fill } from "../../model/ports.js";
import { eventFileName, firstPlace, renderEvent, sealEvent } from "../rules/chain.js";
import { spillValues } from "./blobs.js";
import { withDiskErrors } from "./disk-errors.js";
import { EventLog, tempName } from "./event-log.js";
import { DIR_MODE, type DurableFiles } from "./journal-fs.js";
import { RUN_GITATTRIBUTES, RUN_GITIGNORE, runLayout } from "./layout.js";
import { renderJson, runDocument, writeViews } from "./views.js";

/** Prefix of directories that are still being made; listings pass them over. */
export const UNFINISHED_PREFIX = ".creating-";

export interface NewRun {
  runsDir: string;
  runId: RunId;
  first: EventDraft & { type: "RUN_CREATED" };
  code: CodeSnapshot;
  fill?: Fill;
}

export async function createRunDirectory(files: DurableFiles, run: NewRun): Promise<void> {
  const target = path.join(run.runsDir, run.runId);
  if (files.fs.existsSync(target)) throw runExists(run.runId, target);
  const aside = path.join(run.runsDir, `${UNFINISHED_PREFIX}${tempName(run.runId)}`);
  try {
    const first = withDiskErrors(run.runsDir, () => {
      files.makeDir(run.runsDir);
      ignoreRunsInGit(files, run.runsDir);
      return fillDirectory(files, aside, run);
    });
    await run.fill?.(appendTo(files, aside, first));
    withDiskErrors(run.runsDir, () => {
      moveIntoPlace(files, aside, target, run.runId);
      files.syncUp(target);
    });
  } catch (error) {
    discardTree(files, aside);
    throw error;
  }
}

/** Appends to a run that nobody can see yet. */
function appendTo(files: DurableFiles, aside: string, first: JournalEvent): (draft: EventDraft) => JournalEvent {
  const layout = runLayout(aside);
  const log = new EventLog(files, layout);
  let head = first;
  return (draft) => {
    const spilled = withDiskErrors(aside, () => spillValues(files, layout, draft));
    const [event] = log.append(head, [spilled]).events;
    if (event === undefined) throw new BabysitterError("RUN_CONTENDED", `Somebody else writes to ${aside}.`);
    writeViews(files, layout, event);
    head = event;
    return event;
  };
}

function fillDirectory(files: DurableFiles, root: string, run: NewRun): JournalEvent {
  const layout = runLayout(root);
  const dirs = new Set([
    root,
    layout.journal,
    layout.blobs,
    layout.state,
    layout.temp,
    layout.tasks,
    path.join(root, "code"),
    path.join(root, "artifacts"),
  ]);
  for (const dir of dirs) files.fs.mkdirSync(dir, { recursive: true, mode: DIR_MODE });
  const inputs = "value" in run.first.payload.inputs ? run.first.payload.inputs.value : null;
  const place = firstPlace(run.runId, run.first.timestamp);
  const event = sealEvent(spillValues(files, layout, run.first), place, { prev: null });
  files.write(path.join(layout.journal, eventFileName(place)), renderEvent(event));
  files.write(path.join(root, "run.json"), renderJson(runDocument(run.first.payload, run.first.timestamp)));
  files.write(path.join(root, "inputs.json"), renderJson(inputs));
  files.write(path.join(root, ".gitignore"), RUN_GITIGNORE);
  files.write(path.join(root, ".gitattributes"), RUN_GITATTRIBUTES);
  for (const { path: name, text } of run.code.files) {
    const file = path.join(
      root,
      "code",
      ...name.split("/").filter((part) => part !== ".." && part !== "." && part !== ""),
    );
    for (let dir = path.dirname(file); !dirs.has(dir); dir = path.dirname(dir)) dirs.add(dir);
    files.fs.mkdirSync(path.dirname(file), { recursive: true, mode: DIR_MODE });
    files.write(file, text);
  }
  for (const dir of [...dirs].toSorted((a, b) => b.length - a.length)) files.syncDir(dir);
  return event;
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
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR") throw runExists(runId, target);
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

function runExists(runId: RunId, target: string): BabysitterError {
  return new BabysitterError("RUN_EXISTS", `Run ${runId} exists already.`, {
    hint: "Choose another --run-id, or leave it out to get a fresh one.",
    details: { runId, runDir: target },
  });
}
