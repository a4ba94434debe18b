import { renderStatusBlock } from "../../loop/texts/status-block.js";
import { reportOf } from "../../loop-runs/report-of.js";
import type { Environment } from "../../machine/caller.js";
import { localLoopPorts } from "../../machine/loops/local-loop-ports.js";
import type { LoopState } from "../../model/loop-state.js";
import { hasProcess } from "../../model/run-state.js";
import type { RunJournal } from "../../runs/run-journal.js";
import { type LoopDocument, loopDocument } from "./loop-document.js";

/** A loop as it is shown. */
export interface SeenLoop {
  document: LoopDocument;
  block: string;
}

export async function seeLoop(env: Environment, journal: RunJournal, loop: LoopState): Promise<SeenLoop> {
  const { runDir, summary } = journal;
  const world = localLoopPorts(env);
  const { projectRoot } = journal.place;
  // What was checked says something only about the files that it was checked on.
  const tree = loop.contract.criteria.length === 0 ? undefined : await world.tree({ projectRoot, runDir });
  const report = await reportOf(journal, loop, tree);
  const isVerifying = loop.verification !== undefined && world.isAlive(loop.verification, runDir);
  const block = renderStatusBlock(report, { isWholeRun: !hasProcess(summary.created) });
  return { document: loopDocument(loop, report, isVerifying), block };
}
