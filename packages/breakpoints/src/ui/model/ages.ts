/** Times as people say them. The steps are coarse, so that a list does not twitch. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago: "now", "12 min", "3 h", "5 d". A clock that is behind says "now". */
export function ageOf(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (Number.isNaN(age)) return "";
  if (age < MINUTE) return "now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h`;
  return `${Math.floor(age / DAY)} d`;
}

/** As part of a sentence: "just now", "12 min ago". */
export function agoOf(iso: string, now: number): string {
  const age = ageOf(iso, now);
  if (age === "") return "";
  return age === "now" ? "just now" : `${age} ago`;
}

/** How long it will be: "in 12 h". What is over says nothing. */
export function untilOf(iso: string, now: number): string {
  const rest = Date.parse(iso) - now;
  if (Number.isNaN(rest) || rest <= 0) return "";
  if (rest < HOUR) return `in ${Math.ceil(rest / MINUTE)} min`;
  if (rest < 2 * DAY) return `in ${Math.round(rest / HOUR)} h`;
  return `in ${Math.round(rest / DAY)} d`;
}

/** The time of day, with the day unless it is within twelve hours: "07:00", "Nov 18, 07:00". */
export function clockTime(iso: string, now: number): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const isNear = Math.abs(time.getTime() - now) < DAY / 2;
  const day = isNear ? {} : ({ month: "short", day: "numeric" } as const);
  return time.toLocaleString(undefined, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** Made once: making it takes longer than using it a hundred times, and long lists are full of times. */
let inFull: Intl.DateTimeFormat | undefined;

/** In full, with the second, as the reader's machine writes it. */
export function exactTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  inFull ??= new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return inFull.format(time);
}

/** The same without the seconds, for times about which they say nothing. */
export function minuteTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** How long a list may wait before an age in it can read differently. */
export const AGE_STEP = 30_000;
