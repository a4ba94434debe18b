/** Moments in words. Journals of others may say anything. */
import { clockTime, exactTime } from "../model/ages.js";

/** The last moment that has a date. */
const LAST_DATE = 8.64e15;

function isoOf(at: number): string {
  return Math.abs(at) <= LAST_DATE ? new Date(at).toISOString() : "an unknown time";
}

export function shownMoment(at: number): string {
  return exactTime(isoOf(at));
}

/** Short, with the day unless it is near `beside`. */
export function shownClock(at: number, beside: number): string {
  return clockTime(isoOf(at), beside);
}
