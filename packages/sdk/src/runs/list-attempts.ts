/** What became of each attempt at an effect, from the journal. */
import type { AttemptEnd, EffectAttemptFailed, EffectResolved, JournalEvent } from "../model/events.js";
import type { EffectId } from "../model/ids.js";
import { defined, isJsonObject, type Json } from "../model/json.js";

export interface Attempt {
  attempt: number;
  executor?: string;
  host?: string;
  startedAt?: string;
  finishedAt?: string;
  durationMs?: number;
  end: "ok" | "error" | AttemptEnd | "running";
  exitCode?: number;
  signal?: string;
  /** Message of the error that it ended with. */
  error?: string;
}

/**
 * The attempts at an effect in their order. When the run has finished, nobody records any more how an open
 * attempt ended: it was interrupted.
 */
export function attemptsOf(
  events: readonly JournalEvent[],
  effectId: EffectId,
  { finished }: { finished: boolean },
): Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const event of events) {
    if (event.effectId !== effectId) continue;
    const { timestamp } = event;
    if (event.type === "EFFECT_STARTED") {
      const { attempt, executor, host } = event.payload;
      attempts.set(attempt, {
        attempt,
        executor,
        host,
        startedAt: timestamp,
        end: finished ? "interrupted" : "running",
      });
    } else if (event.type === "EFFECT_ATTEMPT_FAILED" || event.type === "EFFECT_RESOLVED") {
      const { payload } = event;
      attempts.set(payload.attempt, ended(attempts.get(payload.attempt), payload, timestamp));
    }
  }
  return [...attempts.values()].toSorted((a, b) => a.attempt - b.attempt);
}

function ended(known: Attempt | undefined, payload: EffectAttemptFailed | EffectResolved, recordedAt: string): Attempt {
  const facts = factsOf("metadata" in payload ? payload.metadata : payload.error?.data);
  const startedAt = payload.startedAt ?? known?.startedAt;
  const finishedAt = payload.finishedAt ?? recordedAt;
  return defined({
    attempt: payload.attempt,
    executor: facts.executor ?? known?.executor,
    host: known?.host,
    startedAt,
    finishedAt,
    durationMs: facts.durationMs ?? millisecondsBetween(startedAt, finishedAt),
    end: "reason" in payload ? payload.reason : payload.status,
    exitCode: facts.exitCode,
    signal: facts.signal,
    error: payload.error?.message,
  });
}

/** What the executor noted; anyone may post metadata of any shape. */
function factsOf(data: Json | undefined): {
  executor?: string | undefined;
  durationMs?: number | undefined;
  exitCode?: number | undefined;
  signal?: string | undefined;
} {
  if (!isJsonObject(data)) return {};
  const { executor, durationMs, exitCode, signal } = data;
  return {
    executor: typeof executor === "string" ? executor : undefined,
    durationMs: typeof durationMs === "number" ? durationMs : undefined,
    exitCode: typeof exitCode === "number" ? exitCode : undefined,
    signal: typeof signal === "string" ? signal : undefined,
  };
}

function millisecondsBetween(from: string | undefined, to: string): number | undefined {
  const duration = Date.parse(to) - Date.parse(from ?? "");
  return Number.isNaN(duration) || duration < 0 ? undefined : duration;
}
