import { sealBehind } from "../journal/rules/chain.js";
import type { EventDraft } from "../model/events.js";
import type { ProcessCode } from "../model/ports.js";
import { foldIndex, type ReplayIndex } from "../model/replay-index.js";
import { failedSteps } from "./failed-steps.js";
import { retriedEffect } from "./retried-effect.js";
import type { RunJournal } from "./run-journal.js";
import { stepName } from "./step-facts.js";

/** What opens a failed run again. It is recorded together with the first thing that the process does then. */
export interface Reopening {
  drafts: EventDraft[];
  /** What the process is replayed against: the journal as it will be. */
  index: ReplayIndex;
  notices: string[];
}

/**
 * Undefined for a run that has not failed. With changed code, or on request, the failed tasks that it ended on are
 * retried; questions that people have decided are not.
 */
export async function reopenRun(
  journal: RunJournal,
  code: ProcessCode,
  { retry = false, keepFailures = false }: { retry?: boolean; keepFailures?: boolean },
): Promise<Reopening | undefined> {
  const { failed, head } = journal.summary;
  if (failed === undefined) return undefined;
  // Code that cannot even be loaded leaves the run as it is.
  await code.load();
  const isChanged = failed.codeHash !== code.hash;
  const steps = (retry || isChanged) && !keepFailures ? (await failedSteps(journal)).failed : [];
  const timestamp = journal.ports.clock.now().toISOString();
  const reason = retry ? "retry" : "code-changed";
  const drafts: EventDraft[] = [
    ...steps.map((step) => retriedEffect(step, { timestamp })),
    { type: "RUN_REOPENED", timestamp, payload: { reason, codeHash: code.hash } },
  ];
  const index = structuredClone(await journal.index());
  for (const event of sealBehind(head, drafts)) foldIndex(index, event);
  const how = isChanged ? " with the changed code" : "";
  return { drafts, index, notices: steps.map((step) => `Retrying ${stepName(step)}${how}.`) };
}
