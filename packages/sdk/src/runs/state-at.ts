import { BabysitterError } from "../model/errors.js";
import type { RunSummary } from "../model/run-state.js";
import { stateAfter } from "../model/state-after.js";
import type { RunJournal } from "./run-journal.js";

/** The state of a run right after one of its events. */
export async function stateAt(journal: RunJournal, seq: number): Promise<RunSummary> {
  const events = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  const state = Number.isInteger(seq) && seq <= events.length ? stateAfter(events, seq) : undefined;
  if (state === undefined)
    throw new BabysitterError(
      "USAGE",
      `Run ${journal.runId} has events 1 to ${events.length}; there is no event ${seq}.`,
    );
  return state;
}
