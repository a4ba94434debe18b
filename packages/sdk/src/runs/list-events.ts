/** The journal of a run as it is asked for. */
import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import { endMarkOf } from "../model/run-state.js";
import type { RunJournal } from "./run-journal.js";

export interface EventQuery {
  limit?: number | undefined;
  reverse: boolean;
  type?: string | undefined;
  /** Only what comes after, or before, the event with this number: for the next page. */
  after?: number | undefined;
  before?: number | undefined;
}

/** Events of a run: filtered, then turned around, then cut. */
export async function listEvents(journal: RunJournal, query: EventQuery): Promise<JournalEvent[]> {
  const wanted = query.type?.toLowerCase();
  const events: JournalEvent[] = [];
  const { limit = Number.POSITIVE_INFINITY } = query;
  if (limit > 0)
    for await (const event of walk(journal, query)) {
      if (isPast(query, event)) break;
      if (isBefore(query, event) || (wanted !== undefined && event.type.toLowerCase() !== wanted)) continue;
      if (events.push(event) >= limit) break;
    }
  if (query.type !== undefined && events.length === 0 && !/^[A-Za-z_]+$/.test(query.type)) {
    throw new BabysitterError("USAGE", `${JSON.stringify(query.type)} is not a valid event type.`, {
      hint: "Types are names such as EFFECT_REQUESTED; docs/reference/events.md lists them.",
    });
  }
  return events;
}

function isBefore(
  { reverse, after = 0, before = Number.POSITIVE_INFINITY }: EventQuery,
  { seq }: JournalEvent,
): boolean {
  return reverse ? seq >= before : seq <= after;
}

function isPast(query: EventQuery, event: JournalEvent): boolean {
  return isBefore({ ...query, reverse: !query.reverse }, event);
}

/** Events in the order of a query. Of a long journal few more are read than are asked for, as far as the store can. */
async function* walk(journal: RunJournal, { limit, reverse, after = 0 }: EventQuery): AsyncGenerator<JournalEvent> {
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
  } else if (after > summary.head.seq / 2) {
    const late: JournalEvent[] = [];
    for await (const event of walk(journal, { reverse: true, limit: 1 })) {
      if (event.seq <= after) break;
      late.push(event);
    }
    yield* late.toReversed();
  } else yield* store.walk(runId);
}
