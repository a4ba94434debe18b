import type { JournalEvent } from "./events.js";
import { beginSummary, foldSummary, type RunSummary } from "./run-state.js";

/** The state of a run right after one of its events, by the fold that every command uses; undefined where there is none. */
export function stateAfter(events: readonly JournalEvent[], seq: number): RunSummary | undefined {
  const [first, ...rest] = events;
  if (first?.type !== "RUN_CREATED" || !(seq >= 1)) return undefined;
  const summary = beginSummary(first);
  for (const event of rest) {
    if (event.seq > seq) break;
    foldSummary(summary, event);
  }
  return summary;
}
