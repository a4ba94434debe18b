/** What follows from an attempt to send: tried again later, repeated once, or given up. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { later } from "./notify-times.js";

/** Between two attempts; after the last one a message is given up. */
const BACK_OFF_MS: readonly number[] = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000];
/** Whoever did not answer in time may do so after this. */
const REPEAT_MS = 30_000;
/** A service that wants more is tried once a day all the same. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
const LONGEST_REASON = 300;

/** As a channel tells it. */
export interface Trouble {
  outcome: "not-sent" | "refused" | "answered-with-error" | "in-doubt";
  reason: string;
  retryAfterMs?: number | undefined;
  /** It was we who did not wait for an answer: the service may be as good as ever. */
  isStopped?: boolean;
}

/** `doubts`: how often the message was in doubt before. */
export function afterTrouble(
  { message, attempt, doubts }: { message: string; attempt: number; doubts: number },
  { outcome, reason: said, retryAfterMs = 0, isStopped = false }: Trouble,
  now: Date,
): notices.NewEntry {
  const reason = said.slice(0, LONGEST_REASON);
  if (outcome === "in-doubt") return inDoubt({ message, doubts }, reason, later(now, isStopped ? 0 : REPEAT_MS));
  const mayHaveArrived = outcome === "answered-with-error";
  const pause = outcome === "refused" ? undefined : BACK_OFF_MS[attempt - 1];
  if (pause === undefined) return { type: "FAILED", message, reason, mayHaveArrived };
  const wait = Math.min(Math.max(pause, retryAfterMs), LONGEST_WAIT_MS);
  return { type: "FAILED", message, reason, mayHaveArrived, retryAt: later(now, wait) };
}

/** Nobody knows whether it has arrived. The first time it is repeated. */
export function inDoubt(
  { message, doubts }: { message: string; doubts: number },
  reason: string,
  retryAt: string,
): notices.NewEntry {
  return { type: "UNKNOWN", message, reason, ...(doubts === 0 ? { retryAt } : {}) };
}
