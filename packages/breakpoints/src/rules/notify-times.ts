/** When something is due, by a clock that may be set back, and by the local time of the person. */

/** Clocks may be apart, and be corrected, by this much. */
const SLACK_MS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** The time of the day in minutes, and the day, where the person is. */
export interface LocalTime {
  day: string;
  minutes: number;
}

/** `timeZone`: that of this machine, if not told otherwise. */
export function localTime(now: Date, timeZone?: string): LocalTime {
  const parts = new Map<string, string>(
    formatOf(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day, hour, minute] = ["year", "month", "day", "hour", "minute"].map((name) => parts.get(name));
  return { day: `${year}-${month}-${day}`, minutes: Number(hour) * 60 + Number(minute) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone = ""): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone === "" ? {} : { timeZone }),
  });
  formats.set(timeZone, made);
  return made;
}

/** True within hours such as `22:00-07:00`; two equal times are no hours at all. */
export function isQuiet(hours: string | null, { minutes }: LocalTime): boolean {
  const [from, to] = (hours ?? "").split("-").map(minutesOf);
  if (from === undefined || to === undefined) return false;
  return from <= to ? from <= minutes && minutes < to : from <= minutes || minutes < to;
}

function minutesOf(text: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/u.exec(text) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

/** Whoever opens their machine in the morning still wants the report; in the afternoon it is about another day. */
const REPORT_MINUTES = 4 * 60;

/** The report that is due: its day, and since when. A time that a change of clocks leaves out is followed by the next. */
export function dueReport(reportAt: string, now: Date, timeZone?: string): { day: string; since: number } | undefined {
  const at = minutesOf(reportAt);
  if (at === undefined) return undefined;
  const { day, minutes } = localTime(now, timeZone);
  const late = (minutes - at + DAY_MINUTES) % DAY_MINUTES;
  if (late >= REPORT_MINUTES) return undefined;
  return { day: minutes < at ? dayBefore(day) : day, since: now.getTime() - late * MINUTE_MS };
}

/** By the calendar: not every day has 24 hours. */
function dayBefore(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  noon.setUTCDate(noon.getUTCDate() - 1);
  return noon.toISOString().slice(0, day.length);
}

/**
 * True when the time has come. `since` is when the waiting began: if that is yet to come, the clock was set back, and
 * nobody can tell how long to wait. Times that cannot be read are over.
 */
export function isDue({ since, due }: { since: string; due: string }, now: Date): boolean {
  return !(Date.parse(due) > now.getTime()) || isAhead(since, now);
}

/** The same for a time span. */
export function isOver({ since, ms }: { since: string; ms: number }, now: Date): boolean {
  return !(now.getTime() - Date.parse(since) < ms) || isAhead(since, now);
}

function isAhead(at: string, now: Date): boolean {
  return Date.parse(at) > now.getTime() + SLACK_MS;
}

/** A time that many milliseconds from now. */
export function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
