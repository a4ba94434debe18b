/** What happens to an effect between its request and its result: attempts begin, fail, and are tried again. */
import type { EffectAttemptFailed, EffectStarted, EventDraft } from "../model/events.js";
import type { EffectId } from "../model/ids.js";
import { isFinished, type PendingEffect, pendingOf, type RunSummary } from "../model/run-state.js";
import type { RunJournal } from "./run-journal.js";

/** Records that an attempt has begun; false when it is not the one that is open. */
export async function recordStart(journal: RunJournal, effectId: EffectId, started: EffectStarted): Promise<boolean> {
  return recordOnce(journal, effectId, started.attempt, (frame) => ({
    ...frame,
    type: "EFFECT_STARTED",
    payload: started,
  }));
}

/** Records that an attempt came to nothing and another one is open; false when it is not the open one. */
export async function recordFailedAttempt(
  journal: RunJournal,
  effectId: EffectId,
  failed: EffectAttemptFailed,
): Promise<boolean> {
  return recordOnce(journal, effectId, failed.attempt, (frame) => ({
    ...frame,
    type: "EFFECT_ATTEMPT_FAILED",
    payload: failed,
  }));
}

type Frame = Pick<PendingEffect, "effectId" | "invocationKey" | "taskId"> & { timestamp: string };

async function recordOnce(
  journal: RunJournal,
  effectId: EffectId,
  attempt: number,
  draft: (frame: Frame) => EventDraft,
): Promise<boolean> {
  const timestamp = journal.ports.clock.now().toISOString();
  const events = await journal.commit((summary, appended) => {
    const open = openAttempt(summary, effectId, attempt);
    if (appended.length > 0 || open === undefined) return [];
    const { invocationKey, taskId } = open;
    return [draft({ effectId, invocationKey, taskId, timestamp })];
  });
  return events.length > 0;
}

function openAttempt(summary: RunSummary, effectId: EffectId, attempt: number): PendingEffect | undefined {
  const pending = pendingOf(summary, effectId);
  return isFinished(summary) || pending?.attempt !== attempt ? undefined : pending;
}
