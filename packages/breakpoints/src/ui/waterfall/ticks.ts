/** Round times along the top. Pure. */
import type { Gap } from "./quiet-times.js";
import { firstIndex, type TimeScale } from "./time-scale.js";

export interface Tick {
  at: number;
  x: number;
  text: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 10, 100].flatMap((n) => [n, 2 * n, 5 * n]),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 91, 364].map((n) => n * DAY),
];
/** From one to the next, in pixels. */
const APART = 92;
/** The last moment that has a date. */
const LAST_DATE = 8.64e15;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `zone`: how far the reader's clock is ahead of UTC, in milliseconds. Times that are shortened have no ticks. */
export function ticksOf(scale: TimeScale, gaps: readonly Gap[], zone: number): Tick[] {
  const [from, to] = [scale.at(0), scale.at(scale.width)];
  const quietMs = gaps.reduce((sum, gap) => sum + Math.max(0, Math.min(gap.to, to) - Math.max(gap.from, from)), 0);
  const quietPx = gaps.reduce((sum, gap) => sum + Math.max(0, clip(scale, gap.to) - clip(scale, gap.from)), 0);
  const [shownMs, shownPx] = [to - from - quietMs, scale.width - quietPx];
  if (!(shownMs > 0) || !(shownPx > 0)) return [];
  const least = (shownMs / shownPx) * APART;
  const step = stepOf(least);
  const ticks: Tick[] = [];
  let at = Math.ceil((from + zone) / step) * step - zone;
  while (at <= to && ticks.length <= scale.width) {
    const inside = gaps.find((gap) => at > gap.from && at < gap.to);
    const x = scale.x(at);
    const last = ticks.at(-1);
    if (inside !== undefined) {
      at = Math.max(at + step, Math.ceil((inside.to + zone) / step) * step - zone);
      continue;
    }
    if (last === undefined || x - last.x >= APART / 2)
      ticks.push({ at, x, text: tickText(at + zone, step, last === undefined ? undefined : last.at + zone) });
    at += step;
  }
  return ticks;
}

/** The smallest that is long enough. A journal may say that a run took thousands of years. */
function stepOf(least: number): number {
  const step = STEPS[firstIndex(STEPS.length - 1, (n) => (STEPS[n] as number) >= least)] as number;
  return step >= least ? step : step * 2 ** Math.ceil(Math.log2(least / step));
}

function clip(scale: TimeScale, at: number): number {
  return Math.min(scale.width, Math.max(0, scale.x(at)));
}

/** As much of the time as the step changes, and the day where it is another than before. */
function tickText(at: number, step: number, before: number | undefined): string {
  const time = new Date(Math.min(at, LAST_DATE));
  const day = `${MONTHS[time.getUTCMonth()]} ${time.getUTCDate()}`;
  if (step >= DAY) return day;
  const digits = time.toISOString().slice(11, step < SECOND ? 23 : step < MINUTE ? 19 : 16);
  const isNewDay = before !== undefined && Math.floor(before / DAY) !== Math.floor(at / DAY);
  return isNewDay ? `${day}, ${digits}` : digits;
}
