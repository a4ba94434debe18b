/**
 * Waiting for a time span, with clocks that cannot be trusted. A span begins at a time by somebody's clock. Where a
 * clock is earlier than that, one of the two was wrong, and nobody can say which: the span then has one more
 * beginning, and counts from the latest that the clock has reached.
 */

/** A clock that is less than this behind an event is not called wrong: machines differ by so much. */
const CLOCK_TOLERANCE_MS = 60_000;

/** How long, and from when: milliseconds since 1970, each earlier than the one before. */
export interface TimeSpan {
  ms: number;
  from: number[];
}

interface Waiting {
  until?: string;
  notBefore?: string;
  span?: TimeSpan | undefined;
}

/** The span of a sleep that was asked for as one. */
export function sleepSpan({ until, sleepMs }: { until?: string; sleepMs?: number }): TimeSpan | undefined {
  return sleepMs === undefined || until === undefined
    ? undefined
    : { ms: sleepMs, from: [Date.parse(until) - sleepMs] };
}

/** The span between two times of the same clock. */
export function spanBetween(from: string, to: string): TimeSpan {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  return { ms: end - begin, from: [begin] };
}

/** When a pending effect is due by a clock that shows `nowMs`; undefined if it waits for no time. */
export function waitEnds({ until, notBefore, span }: Waiting, nowMs: number): number | undefined {
  if (span !== undefined) return (span.from.find((time) => time <= nowMs) ?? span.from.at(-1) ?? nowMs) + span.ms;
  const time = until ?? notBefore;
  return time === undefined ? undefined : Date.parse(time);
}

/** When a sleep ends, as text; undefined for what is no sleep. */
export function sleepEnds(waiting: Waiting, nowMs: number): string | undefined {
  const end = waiting.until === undefined ? undefined : waitEnds(waiting, nowMs);
  return end === undefined ? undefined : new Date(end).toISOString();
}

/** Takes in that the clock was found at `nowMs`; `byMs`, if known, is how far it went back. Never shortens a wait. */
export function rebase({ span }: Waiting, nowMs: number, byMs: number | undefined): void {
  const last = span?.from.at(-1);
  if (span === undefined || last === undefined || last <= nowMs) return;
  span.from.push(byMs === undefined ? nowMs : Math.min(last - byMs, nowMs));
}

/** How far a clock that shows `nowMs` is behind the events of a run; undefined if that is no more than usual. */
export function clockBehind({ newestAt }: { newestAt: string }, nowMs: number): number | undefined {
  const behind = Date.parse(newestAt) - nowMs;
  return behind > CLOCK_TOLERANCE_MS ? behind : undefined;
}

/** The clock has gone back and the journal is still to say so, which the next iteration does. */
export function isSetBack(summary: { newestAt: string; created: { semantics: number } }, nowMs: number): boolean {
  return summary.created.semantics >= 2 && clockBehind(summary, nowMs) !== undefined;
}

/** The time of a process after something that happened at `atMs`: it does not follow every wrong clock's lead for ever. */
export function processTime(beforeMs: number, atMs: number): number {
  return atMs < beforeMs - CLOCK_TOLERANCE_MS ? atMs : Math.max(beforeMs, atMs);
}
