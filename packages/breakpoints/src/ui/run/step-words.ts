/** Where a step stands, in a word with its icon and colour. Pure. */
import type { TimelineAttempt, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import type { Standing } from "./run-words.js";

export function spanStanding({ state, who, attempts }: TimelineSpan): Standing {
  if (state !== "open") return ENDED[state];
  if (who === "person") return { icon: "hand", word: "Waiting for a person", tone: "needs" };
  if (who === "time") return { icon: "part", word: "Waiting for its time", tone: "quiet" };
  return attempts.some(({ end }) => end === "running")
    ? { icon: "play", word: "Running", tone: "live" }
    : { icon: "part", word: "Pending", tone: "quiet" };
}

const ENDED: Readonly<Record<Exclude<TimelineSpan["state"], "open">, Standing>> = {
  ok: { icon: "check", word: "Done", tone: "good" },
  approved: { icon: "check", word: "Approved", tone: "good" },
  rejected: { icon: "cross", word: "Rejected", tone: "bad" },
  error: { icon: "cross", word: "Failed", tone: "bad" },
  dropped: { icon: "none", word: "No longer asked for", tone: "quiet" },
};

/** Which step it is, and which events of the journal tell of it, from the one that asked for it. */
export function stepPlace({ id, seq, endSeq }: TimelineSpan, spans: readonly TimelineSpan[]): string {
  const place = spans.findIndex((span) => span.id === id) + 1;
  const events = endSeq === undefined ? `since journal event ${seq}` : `journal events ${seq} to ${endSeq}`;
  return `step ${place} of ${spans.length} · ${events}`;
}

export const ATTEMPT_WORDS: Readonly<Record<TimelineAttempt["end"], string>> = {
  running: "running, started",
  ok: "done",
  error: "failed",
  failed: "failed",
  "timed-out": "stopped because it took too long,",
  interrupted: "interrupted",
};
