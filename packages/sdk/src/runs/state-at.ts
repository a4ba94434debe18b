import { BabysitterError } from "../model/errors.js";
import { beginSummary, foldSummary, type RunSummary } from "../model/run-state.js";
import type { RunJournal } from "./run-journal.js";

/** The state of a run right after one of its events. */
export async function stateAt(journal: RunJournal, seq: number): Promise<RunSummary> {
  const [first, ...rest] = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  const last = 1 + rest.length;
  if (first?.type !== "RUN_CREATED" || !Number.isInteger(seq) || seq < 1 || seq > last)
    throw new BabysitterError("USAGE", `Run ${journal.runId} has events 1 to ${last}; there is no event ${seq}.`);
  const summary = beginSummary(first);
  for (const event of rest.slice(0, seq - 1)) foldSummary(summary, event);
  return summary;
}
