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
export function parseDuration(text: string): number | undefined {
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

/** How long to wait for tasks, where the caller says it. */
export function waitOption({ name, options }: Pick<Invocation, "name" | "options">): number | undefined {
  const text = options.text("wait");
  return text === undefined ? undefined : durationOf(name, "wait", text);
}
