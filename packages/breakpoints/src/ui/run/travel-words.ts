/** Where events stand on the slider, and when they were. Pure. */
import type { TimelineMark } from "@a5c-ai/babysitter-sdk/view";

/** In percent of its length. */
export function positionOf(seq: number, total: number): number {
  return total < 2 ? 0 : ((seq - 1) / (total - 1)) * 100;
}

/** More cannot be told apart. */
const MOST_MARKS = 200;
/** The rarest and most telling ones first. */
const ORDER: readonly TimelineMark["kind"][] = [
  "failed",
  "ended",
  "code-changed",
  "contract-changed",
  "paused",
  "resumed",
  "retried",
  "clock",
];

export function sliderMarks(marks: readonly TimelineMark[], total: number): TimelineMark[] {
  const inside = marks.filter(({ seq }) => seq >= 1 && seq <= total);
  if (inside.length <= MOST_MARKS) return inside;
  return inside
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_MARKS)
    .toSorted((a, b) => a.seq - b.seq);
}

function rank({ kind }: TimelineMark): number {
  return ORDER.indexOf(kind);
}

/** The time of day with the second, and the day unless it is today. */
export function secondsTime(iso: string, now = Date.now()): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const isToday = time.toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ month: "short", day: "numeric" } as const);
  return time.toLocaleString(undefined, {
    ...day,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
}
