/** How long, to the tenth of a second while that says something. */
export function durationText(ms: number): string {
  return ms < 59_950 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : longText(Math.round(ms / 1000));
}

/** How long so far: whole seconds, so that it changes once a second. */
export function elapsedText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  return seconds < 60 ? `${seconds} s` : longText(seconds);
}

function longText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${twoDigits(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${twoDigits(hours % 24)}h`;
}

/** The time of day in UTC, `12:03:05`. */
export function utcTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** When someone at this machine can expect it: the time of day, or the day when that is another one. */
export function momentText(ms: number, nowMs: number): string {
  const then = new Date(ms);
  // `Wed Mar 04 2026`
  const [, month, day, year] = then.toDateString().split(" ");
  const now = new Date(nowMs);
  if (Number(year) !== now.getFullYear()) return `${month} ${year}`;
  if (then.toDateString() !== now.toDateString()) return `${month} ${Number(day)}`;
  return [then.getHours(), then.getMinutes(), then.getSeconds()].map(twoDigits).join(":");
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
