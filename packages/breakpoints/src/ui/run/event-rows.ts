/** Which events stand in the list of a run, and which rows they make. Pure. */
import type { JournalEvent, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import { eventWords, isMinor, type TitleOf } from "./event-words.js";

export const EVENT_LEVELS = ["compact", "detailed", "raw"] as const;
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** Empty texts mean everything. */
export interface EventFilter {
  type: string;
  search: string;
}

/** `step`: stands for all events of a step, where they are grouped. */
export interface EventRow {
  event: JournalEvent;
  step?: TimelineSpan;
}

export interface RowsWanted {
  level: EventLevel;
  filter: EventFilter;
  titleOf: TitleOf;
  spans: readonly TimelineSpan[];
}

export function eventRows(events: readonly JournalEvent[], { level, filter, titleOf, spans }: RowsWanted): EventRow[] {
  const isWanted = matcher(filter, titleOf);
  if (level !== "compact") return events.filter(isWanted).map((event) => ({ event }));
  const steps = new Map(spans.map((span) => [span.id, span]));
  const seen = new Set<string>();
  const rows: EventRow[] = [];
  for (const event of events) {
    if (!isWanted(event)) continue;
    const step = event.effectId === undefined ? undefined : steps.get(event.effectId);
    if (step === undefined) {
      if (!isMinor(event) || filter.type !== "") rows.push({ event });
    } else if (!seen.has(step.id)) {
      seen.add(step.id);
      rows.push({ event, step });
    }
  }
  return rows;
}

/** Words are made once per event: a search asks for all of them with every letter. */
const words = new WeakMap<JournalEvent, string>();

function matcher({ type, search }: EventFilter, titleOf: TitleOf): (event: JournalEvent) => boolean {
  const wanted = search.trim().toLowerCase();
  return (event) => {
    if (type !== "" && event.type !== type) return false;
    return wanted === "" || String(event.seq) === wanted || searchText(event, titleOf).includes(wanted);
  };
}

function searchText(event: JournalEvent, titleOf: TitleOf): string {
  const known = words.get(event);
  if (known !== undefined) return known;
  const text = [eventWords(event, titleOf).text, event.type, event.effectId ?? "", event.taskId ?? ""]
    .join("\n")
    .toLowerCase();
  words.set(event, text);
  return text;
}

/** The row of an event: its own, or that of its step; -1 when it is not in the list. */
export function rowOf(rows: readonly EventRow[], events: readonly JournalEvent[], seq: number | undefined): number {
  if (seq === undefined) return -1;
  const own = indexAt(rows, seq);
  if (rows[own]?.event.seq === seq) return own;
  const id = events[seq - 1]?.effectId;
  return id === undefined ? -1 : rows.findIndex(({ step }) => step?.id === id);
}

/** The first row that is not before an event; rows are in the order of their events. */
function indexAt(rows: readonly EventRow[], seq: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as EventRow).event.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The event of the row after the chosen one, or before it; from the beginning, or the end, when none is chosen. */
export function neighbourRow(
  rows: readonly EventRow[],
  events: readonly JournalEvent[],
  { seq, by }: { seq: number | undefined; by: 1 | -1 },
): number | undefined {
  const own = rowOf(rows, events, seq);
  if (own >= 0) return rows[own + by]?.event.seq;
  if (seq === undefined) return rows.at(by === 1 ? 0 : -1)?.event.seq;
  const next = indexAt(rows, seq);
  return rows[by === 1 ? next : next - 1]?.event.seq;
}

/** The types that there are, with how often, by name. */
export function typesIn(events: readonly JournalEvent[]): { type: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => ({ type, count })).toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
