import { BabysitterError } from "../model/errors.js";
import type { RunCancelled } from "../model/events.js";
import { isFinished, type RunSummary } from "../model/run-state.js";
import type { RunJournal } from "./run-journal.js";

export interface CancelAnswer {
  /** False if the run had already been cancelled. */
  cancelled: boolean;
  /** What is recorded: of the first cancellation. */
  recorded: NonNullable<RunSummary["cancelled"]>;
}

/** The same with what was ended on this machine, and what may still be running on others. */
export interface CancelledWork extends CancelAnswer {
  tasks: { effectId: string; processes: number; survivors: number }[];
  elsewhere: { effectId: string; host: string }[];
}

/** Ends a run for good; the first to do so gives the reason. A run that has completed stays completed. */
export async function cancelRun(journal: RunJournal, cancelled: RunCancelled): Promise<CancelAnswer> {
  const timestamp = journal.ports.clock.now().toISOString();
  const events = await journal.commit((summary, appended) =>
    appended.length > 0 || isFinished(summary) ? [] : [{ type: "RUN_CANCELLED", timestamp, payload: cancelled }],
  );
  // Whoever is told that it is cancelled relies on it, whoever recorded it.
  if (events.length === 0) await journal.catchUp({ durable: true });
  await journal.saveCaches();
  const { cancelled: recorded } = journal.summary;
  if (recorded === undefined || journal.summary.completed !== undefined) {
    throw nothingToCancel(journal.runId);
  }
  return { cancelled: events.length > 0, recorded };
}

export function nothingToCancel(runId: string): BabysitterError {
  return new BabysitterError("RUN_FINISHED", `Run ${runId} has completed; there is nothing to cancel.`, {
    hint: `To archive it: babysitter run:archive ${runId}`,
    details: { runId },
  });
}
