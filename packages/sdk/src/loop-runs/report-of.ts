/** The report of a loop, with what only its journal tells. */

import { diffFile } from "../journal/rules/chain.js";
import type { BreakerWarning, LoopReport, ReportedCodeChange } from "../loop/texts/loop-report.js";
import { loopReport } from "../loop/texts/loop-report.js";
import type { JournalEvent } from "../model/events.js";
import type { LoopState } from "../model/loop-state.js";
import { RunJournal } from "../runs/run-journal.js";
import { goalOf } from "./goal-of.js";
export async function reportOf(journal: RunJournal, loop: LoopState, tree?: string): Promise<LoopReport> {
  const { summary, runId, ports } = journal;
  const events = (await ports.store.read(runId, undefined)) ?? [];
  return loopReport(loop, await goalOf(journal, loop), {
    runId,
    now: ports.clock.now().toISOString(),
    warnings: events.flatMap(warningOf),
    codeChanges: events.flatMap(codeChangeOf),
    ...(tree === undefined ? {} : { tree }),
    ...(summary.cancelled === undefined ? {} : { cancelled: summary.cancelled }),
  });
}

function codeChangeOf({ type, payload, timestamp: at, seq }: JournalEvent): ReportedCodeChange[] {
  if (type !== "CODE_CHANGED" && type !== "CODE_ACCEPTED") return [];
  const missing = payload.lost.map(({ file, text }) => ({ file, text }));
  const { files } = payload;
  return type === "CODE_CHANGED"
    ? [{ at, files, missing, diff: diffFile({ seq }) }]
    : [{ at, files, missing, accepted: { by: payload.by, via: payload.via } }];
}

function warningOf({ type, payload, timestamp }: JournalEvent): BreakerWarning[] {
  if (type !== "STOP_HOOK_INVOKED" || payload.warned === undefined) return [];
  return [{ code: payload.warned, iteration: payload.iteration, at: timestamp }];
}
