/** Readable copies of a loop: for people, and for scripts that know the formats of other tools. Never read back. */

import fs from "node:fs";
import path from "node:path";
import type { LoopNow } from "../../loop/loop-now.js";
import { loopStateView, renderLoopStateFile } from "../../loop/loop-state-file.js";
import { renderLoopReport } from "../../loop/render-loop-report.js";
import { renderTaskRecord, taskRecord } from "../../loop/task-record.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { reportOf } from "./report-of.js";

/** A copy that cannot be written is not worth failing for. */
export async function writeLoopViews(journal: RunJournal): Promise<void> {
  const { summary, runDir, runId } = journal;
  const { loop, cancelled } = summary;
  if (loop === undefined) return;
  const goal = await goalOf(journal, loop);
  const now: LoopNow = cancelled === undefined ? {} : { cancelled };
  writeOnce(path.join(runDir, "prompt.md"), goal);
  write(path.join(runDir, "task.json"), renderTaskRecord(taskRecord(loop, goal, { ...now, runId })));
  const { projectRoot } = journal.ports.locate(runDir, summary.created);
  const folder = path.join(projectRoot, ".loop");
  // Only where a project keeps its loop in this folder: nobody else wants a new one.
  if (fs.existsSync(folder))
    write(path.join(folder, "state.json"), renderLoopStateFile(loopStateView(loop, goal, now)));
  if (loop.ended !== undefined || loop.paused !== undefined || cancelled !== undefined)
    write(path.join(runDir, "report.md"), renderLoopReport(await reportOf(journal, loop)));
}

function writeOnce(file: string, text: string): void {
  if (!fs.existsSync(file)) write(file, text);
}

function write(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
