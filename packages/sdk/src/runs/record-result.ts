/** How a result gets into the journal: alone, or together with what the living process does with it. */
import type { EventDraft, JournalEvent } from "../model/events.js";
import type { RunSummary } from "../model/run-state.js";
import type { Delivery, Outcome } from "../replay/call.js";
import type { RunJournal } from "./run-journal.js";

/** A result as it is to be recorded, and as the process is to see it. */
export interface ComingResult {
  draft: EventDraft & Pick<Delivery, "effectId">;
  outcome: Outcome;
}

/** What is to be recorded in this state; undefined when there is nothing to record any more. */
export type DecideResult = (summary: RunSummary) => ComingResult | undefined;

/** Records what is decided; answers the event. */
export type RecordResult = (journal: RunJournal, decide: DecideResult) => Promise<JournalEvent | undefined>;

export const recordAlone: RecordResult = async (journal, decide) => {
  const [event] = await journal.commit((summary, done) => (done.length > 0 ? [] : draftsOf(decide(summary))));
  return event;
};

/**
 * Records the result and what `foresee` wants behind it in one append. The process has seen the result in one place
 * of the journal: `isTrue` says that the result is there, with everything that belongs behind it.
 */
export async function recordTogether(
  journal: RunJournal,
  decide: DecideResult,
  foresee: (coming: Delivery) => Promise<EventDraft[]>,
): Promise<{ appended: readonly JournalEvent[]; isTrue: boolean }> {
  const { head, processHead } = journal.summary;
  const coming = decide(journal.summary);
  if (coming === undefined) return { appended: [], isTrue: true };
  const { draft, outcome } = coming;
  const seq = head.seq + 1;
  const batch = [draft, ...(await foresee({ seq, at: draft.timestamp, effectId: draft.effectId, outcome }))];
  const appended = await journal.commit((summary, done) => {
    const [first, ...others] = done;
    if (first === undefined) return summary.head.checksum === head.checksum ? batch : draftsOf(decide(summary));
    const isUndisturbed = first.seq === seq && summary.processHead === (others.at(-1)?.seq ?? processHead);
    return isUndisturbed ? batch.slice(done.length) : [];
  });
  return { appended, isTrue: appended[0]?.seq === seq && appended.length === batch.length };
}

function draftsOf(coming: ComingResult | undefined): EventDraft[] {
  return coming === undefined ? [] : [coming.draft];
}
