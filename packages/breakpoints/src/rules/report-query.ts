/** Since when a report is wanted. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";

const DAY_MS = 24 * 3_600_000;
/** Whoever wants more reads journals. */
const MOST_MS = 92 * DAY_MS;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/u;

/** A day, if nothing is said. */
export function parseSince(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() - DAY_MS);
  const since = new Date(ISO.test(text) ? text : Number.NaN);
  const age = now.getTime() - since.getTime();
  // A clock that is a little ahead is no reason to refuse.
  if (age > -DAY_MS && age <= MOST_MS) return since;
  throw new BabysitterError("USAGE", '"since" must be a time of the last 92 days, such as 2026-01-20T18:00:00Z.');
}
