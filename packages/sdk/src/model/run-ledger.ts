/** What reports count, taken down event by event, so that no report reads a long journal again. */
import type { JournalEvent } from "./events.js";

/** All times are in milliseconds. */
export interface RunLedger {
  /** The last event that is in. An older version of the engine leaves the ledger behind; then it does not count. */
  seq: number;
  /** When attempts failed. */
  failed: number[];
  /** When turns of the agent ended with an error of its host. */
  turns: number[];
  /** Questions that have no answer: since when each is open. */
  open: Record<string, number>;
  /** When answered questions were open. */
  answered: [from: number, to: number][];
  /** What happened up to here may be missing: a long run has too much of it. */
  from?: number;
}

/** The summary, which every command reads, must stay small. */
const MAX_ENTRIES = 400;

/** A ledger that has seen nothing but the first event. */
export function beginLedger({ seq }: Pick<JournalEvent, "seq">): RunLedger {
  return { seq, failed: [], turns: [], open: {}, answered: [] };
}

/** Takes in the next event; does nothing when one is missing in between. */
export function foldLedger(ledger: RunLedger, event: JournalEvent, maxEntries = MAX_ENTRIES): void {
  if (event.seq !== ledger.seq + 1) return;
  ledger.seq = event.seq;
  const at = Date.parse(event.timestamp);
  const add = <T extends number | [number, number]>(entries: T[], entry: T): void => {
    // A time that nobody can read is in no report.
    if (Number.isNaN(at)) return;
    entries.push(entry);
    if (entries.length > maxEntries) drop(ledger, entries);
  };
  if (isFailedAttempt(event)) add(ledger.failed, at);
  if (event.type === "TURN_FAILED") add(ledger.turns, at);
  if (event.type === "EFFECT_REQUESTED" || event.type === "EFFECT_REOPENED") {
    if (event.payload.kind === "breakpoint" && !Number.isNaN(at)) ledger.open[event.effectId] = at;
  } else if (event.type === "EFFECT_RESOLVED" && Object.hasOwn(ledger.open, event.effectId)) {
    add(ledger.answered, [ledger.open[event.effectId] as number, at]);
    delete ledger.open[event.effectId];
  }
}

/** True when there is nothing to report. */
export function isEmpty({ failed, turns, open, answered, from }: RunLedger): boolean {
  return [failed, turns, answered, Object.keys(open)].every(({ length }) => length === 0) && from === undefined;
}

/** True when the ledger has everything that happened since then. */
export function covers({ from }: RunLedger, since: Date): boolean {
  return from === undefined || from < since.getTime();
}

function isFailedAttempt(event: JournalEvent): boolean {
  return (
    event.type === "EFFECT_ATTEMPT_FAILED" || (event.type === "EFFECT_RESOLVED" && event.payload.status === "error")
  );
}

function drop(ledger: RunLedger, entries: (number | [number, number])[]): void {
  const dropped = entries.splice(0, entries.length >> 1).map((entry) => (typeof entry === "number" ? entry : entry[1]));
  // Clocks go back, so the last of them need not be the latest.
  ledger.from = Math.max(ledger.from ?? 0, ...dropped);
}
