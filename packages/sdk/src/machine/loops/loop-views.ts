/** Readable copies of a loop: for people, and for scripts that know the formats of other tools. Never read back. */

import fs from "node:fs";
import path from "node:path";
import { renderTaskRecord, taskRecord } from "../../loop/formats/task-record.js";
import { renderLoopReport } from "../../loop/texts/render-loop-report.js";
import { goalOf } from "../../loop-runs/goal-of.js";
import { reportOf } from "../../loop-runs/report-of.js";
import { defined } from "../../model/json.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { writeLoopState } from "./loop-state-view.js";
import { writeCopy } from "./write-copy.js";

/** Answers what the user should know about them, once. `tree`: the working tree as it is now, where someone has looked. */
export async function writeLoopViews(journal: RunJournal, tree?: string): Promise<string | undefined> {
  const { summary, runDir, runId } = journal;
  const { loop, cancelled } = summary;
  if (loop === undefined) return undefined;
  const goal = await goalOf(journal, loop);
  const prompt = path.join(runDir, "prompt.md");
  if (!fs.existsSync(prompt)) writeCopy(prompt, goal);
  writeCopy(
    path.join(runDir, "task.json"),
    renderTaskRecord(taskRecord(loop, goal, { runId, ...defined({ cancelled }) })),
  );
  if (loop.ended !== undefined || loop.paused !== undefined || cancelled !== undefined)
    writeCopy(path.join(runDir, "report.md"), renderLoopReport(await reportOf(journal, loop)));
  return writeLoopState(journal, tree);
}
