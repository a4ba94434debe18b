/** Readable copies of a loop: for people, and for scripts that know the formats of other tools. Never read back. */

import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { loopStateView, renderLoopStateFile } from "../../loop/formats/loop-state-file.js";
import { renderTaskRecord, taskRecord } from "../../loop/formats/task-record.js";
import type { LoopNow } from "../../loop/rules/loop-now.js";
import { renderLoopReport } from "../../loop/texts/render-loop-report.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { reportOf } from "../../loop-runs/report-of.js";
import { isJsonObject } from "../../model/json.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** A copy that cannot be written is not worth failing for. */
export async function writeLoopViews(journal: RunJournal): Promise<void> {
  const { summary, runDir, runId } = journal;
  const { loop, cancelled } = summary;
  if (loop === undefined) return;
  const goal = await goalOf(journal, loop);
  const now: LoopNow = cancelled === undefined ? {} : { cancelled };
  writeOnce(path.join(runDir, "prompt.md"), goal);
  write(path.join(runDir, "task.json"), renderTaskRecord(taskRecord(loop, goal, { ...now, runId })));
  const { projectRoot } = journal.place;
  const folder = path.join(projectRoot, ".loop");
  // Only where a project keeps its loop in this folder: nobody else wants a new one.
  if (fs.existsSync(folder))
    writeLoopState(folder, { runDir, goal }, renderLoopStateFile(loopStateView(loop, goal, now)));
  if (loop.ended !== undefined || loop.paused !== undefined || cancelled !== undefined)
    write(path.join(runDir, "report.md"), renderLoopReport(await reportOf(journal, loop)));
}

/** In the run directory: what we have written there last, as a digest. */
const WRITTEN = path.join("state", "loop-view");

/** A file that someone else has written about another task is the only copy of what it says. */
function writeLoopState(folder: string, { runDir, goal }: { runDir: string; goal: string }, text: string): void {
  const file = path.join(folder, "state.json");
  if (!isFree(file, path.dirname(runDir), goal)) return;
  write(path.join(runDir, WRITTEN), digestOf(text));
  write(file, text);
}

/** Nothing is there, or it is about this very task, or a loop of ours has written it and nobody since. */
function isFree(file: string, runsDir: string, goal: string): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  const text = stat.isFile() ? textOf(file) : undefined;
  return text !== undefined && (specOf(text) === goal || isWrittenByUs(text, runsDir));
}

function specOf(text: string): unknown {
  try {
    const file: unknown = JSON.parse(text);
    return isJsonObject(file) ? file["spec"] : undefined;
  } catch {
    return undefined;
  }
}

function isWrittenByUs(text: string, runsDir: string): boolean {
  const digest = digestOf(text);
  return namesIn(runsDir).some((run) => textOf(path.join(runsDir, run, WRITTEN)) === digest);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function digestOf(text: string): string {
  return crypto.createHash("sha256").update(text).digest("hex");
}

function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function writeOnce(file: string, text: string): void {
  if (!fs.existsSync(file)) write(file, text);
}

function write(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
