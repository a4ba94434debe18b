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

/** The same, from the state after an earlier event on, which stays as it is: for whoever moves about in a long run. */
export function stateOn(earlier: RunSummary, events: readonly JournalEvent[], seq: number): RunSummary {
  const summary = structuredClone(earlier);
  for (let index = earlier.head.seq; index < events.length; index += 1) {
    const event = events[index] as JournalEvent;
    if (event.seq > seq) break;
    foldSummary(summary, event);
  }
  return summary;
}
