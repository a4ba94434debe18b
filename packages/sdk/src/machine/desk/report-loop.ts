import type { LoopReport } from "../../loop/texts/loop-report.js";
import { reportOf } from "../../loop-runs/report-of.js";
import type { RunJournal } from "../../runs/run-journal.js";

/** How the loop of a run stands: criteria with the checks and evidence that they rest on, turns, spend; undefined without a loop. */
export async function reportLoop(journal: RunJournal): Promise<LoopReport | undefined> {
  const { loop } = journal.summary;
  return loop === undefined ? undefined : reportOf(journal, loop);
}
