import type { Invocation } from "./invocation.js";
import { usageError } from "./parse-arguments.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
};

/** Milliseconds of a text such as 90s, 30m, 12h, 3d or 2w; undefined for anything else. */
function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(amount) * (UNITS[unit] as number);
}

/** Milliseconds of an option. */
export function durationOf(command: string, flag: string, text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw usageError(
    { name: command },
    `--${flag} must be a number followed by s, m, h or d, not ${JSON.stringify(text)}.`,
  );
}

/** The age of runs to act on, in hours, days or weeks: nobody means minutes, and m could be months. */
export function ageOf(command: string, flag: string, text: string): number {
  if (/^\d{1,5}[hdw]$/.test(text)) return parseDuration(text) as number;
  throw usageError({ name: command }, `--${flag} must be a number followed by h, d or w, not ${JSON.stringify(text)}.`);
}

/** A moment that was given as an age or a date. */
export function sinceOf(invocation: Pick<Invocation, "name">, text: string, now: Date): Date {
  const duration = parseDuration(text);
  if (duration !== undefined) return new Date(now.getTime() - duration);
  // A date alone means the morning of that day where the user is, not in Greenwich.
  const time = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw usageError(
    invocation,
    `--since must be an age or a date, such as 12h or 2026-01-20, not ${JSON.stringify(text)}.`,
  );
}

/** How long to wait for tasks, where the caller says it. */
export function waitOption({ name, options }: Pick<Invocation, "name" | "options">): number | undefined {
  const text = options.text("wait");
  return text === undefined ? undefined : durationOf(name, "wait", text);
}
