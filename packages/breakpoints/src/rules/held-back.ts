/** A notification that waits for the end of the quiet hours says so, and until when. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { isQuiet, localTime } from "./notify-times.js";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** `timeZone`: that of this machine, if not told otherwise. */
export function heldBack(
  receipt: notices.Receipt,
  { quietHours, now, timeZone }: { quietHours: string | null; now: Date; timeZone?: string },
): notices.Receipt {
  if (receipt.state !== "queued") return receipt;
  const due = new Date(Math.max(Date.parse(receipt.due ?? "") || 0, now.getTime()));
  if (!isQuiet(quietHours, localTime(due, timeZone))) return receipt;
  return { ...receipt, due: endOf(quietHours ?? "", due, timeZone).toISOString(), why: "quiet hours" };
}

/** The first time after this that the clock on the wall shows the end of the hours. */
function endOf(hours: string, from: Date, timeZone: string | undefined): Date {
  const [hour = 0, minute = 0] = (hours.split("-")[1] ?? "").split(":").map(Number);
  const missing = (at: Date): number => hour * 60 + minute - localTime(at, timeZone).minutes;
  const end = minutesAfter(from, (missing(from) + DAY_MINUTES) % DAY_MINUTES);
  // Where the clocks are changed meanwhile, it shows another time by an hour.
  const off = missing(end);
  return minutesAfter(end, off > DAY_MINUTES / 2 ? off - DAY_MINUTES : off);
}

function minutesAfter(at: Date, minutes: number): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS);
}
