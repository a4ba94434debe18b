/** The journal of a run as it is asked for. */
import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import { endMarkOf } from "../model/run-state.js";
import type { RunJournal } from "./run-journal.js";

export interface EventQuery {
  limit?: number | undefined;
  reverse: boolean;
  type?: string | undefined;
}

/** Events of a run: filtered, then turned around, then cut. */
export async function listEvents(journal: RunJournal, query: EventQuery): Promise<JournalEvent[]> {
  const wanted = query.type?.toLowerCase();
  const events: JournalEvent[] = [];
  const { limit = Number.POSITIVE_INFINITY } = query;
  if (limit > 0)
    for await (const event of walk(journal, query)) {
      if (wanted !== undefined && event.type.toLowerCase() !== wanted) continue;
      if (events.push(event) >= limit) break;
    }
  if (query.type !== undefined && events.length === 0 && !/^[A-Za-z_]+$/.test(query.type)) {
    throw new BabysitterError("USAGE", `${JSON.stringify(query.type)} is not a valid event type.`, {
      hint: "Types are names such as EFFECT_REQUESTED; docs/reference/events.md lists them.",
    });
  }
  return events;
}

/** Events in the order of a query. Of a long journal only those are read that are asked for, as far as the store can. */
async function* walk(journal: RunJournal, { limit, reverse }: EventQuery): AsyncGenerator<JournalEvent> {
  const { runId, summary } = journal;
  const { store } = journal.ports;
  if (store.walk === undefined || limit === undefined) {
    const all = (await store.read(runId, undefined)) ?? [];
    yield* reverse ? all.toReversed() : all;
  } else if (reverse) {
    const mark = endMarkOf(summary);
    const end = mark === undefined ? undefined : await store.read(runId, mark);
    yield* (end ?? []).toReversed();
    yield* store.walk(runId, end === undefined ? summary.head : mark);
  } else yield* store.walk(runId);
}
