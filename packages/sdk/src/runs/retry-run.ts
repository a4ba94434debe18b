import { BabysitterError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import { parseEffectId } from "../model/ids.js";
import { defined } from "../model/json.js";
import { isFinished, type RecordedRequest, type ReplayIndex, requestOf } from "../model/run-state.js";
import { effectNotFound } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

export interface RetryAnswer {
  reopened: { effectId: string; invocationKey: string; attempt: number }[];
}

/**
 * Opens a failed step again: its recorded error no longer counts, the process will wait for a new result.
 * Without an effect: the failed steps that the failed run ended on.
 */
export async function retryRun(journal: RunJournal, effect: string | undefined): Promise<RetryAnswer> {
  const index = await journal.index();
  const requests = effect === undefined ? retryable(journal, index) : [named(journal, index, effect)];
  const timestamp = journal.ports.clock.now().toISOString();
  const drafts: EventDraft[] = requests.map((request) => reopening(request, timestamp));
  const { failed } = journal.summary;
  if (failed !== undefined) {
    drafts.push({ type: "RUN_REOPENED", timestamp, payload: { reason: "retry", codeHash: failed.codeHash } });
  }
  const events = await journal.commit((summary, appended) => {
    if (appended.length > 0) return drafts.slice(appended.length);
    if (isFinished(summary)) throw finished(journal);
    // Someone else has just done the same.
    if (requests.some(({ resolution }) => resolution === undefined)) return [];
    for (const request of requests) requireReopenable(journal, request, summary.lastAfter);
    return drafts;
  });
  await journal.saveCaches();
  const reopened = events.filter((event) => event.type === "EFFECT_REOPENED");
  return {
    reopened: reopened.map(({ effectId, invocationKey, payload }) => ({
      effectId,
      invocationKey,
      attempt: payload.attempt,
    })),
  };
}

function finished({ runId }: RunJournal): BabysitterError {
  return new BabysitterError("RUN_FINISHED", `Run ${runId} has finished; nothing in it can be retried.`, {
    hint: `To continue in a copy: babysitter run:fork ${runId} --at <seq>`,
    details: { runId },
  });
}

function named(journal: RunJournal, index: ReplayIndex, effect: string): RecordedRequest {
  const effectId = parseEffectId(effect);
  const request = requestOf(index, effectId);
  if (request === undefined) throw effectNotFound(effectId, journal);
  if (request.resolution?.status !== "error") {
    const state = request.resolution === undefined ? "is pending" : "has succeeded";
    throw new BabysitterError("NOTHING_TO_RETRY", `${effectId} ${state}; only a failed step can be retried.`, {
      details: { effectId },
    });
  }
  return request;
}

function retryable(journal: RunJournal, index: ReplayIndex): RecordedRequest[] {
  const { failed, lastAfter, cancelled } = journal.summary;
  if (failed === undefined) {
    throw new BabysitterError(
      "NOTHING_TO_RETRY",
      `Run ${journal.runId} ${cancelled === undefined ? "has not failed" : "was cancelled"}.`,
      {
        hint: "Name a failed step with --effect, or run `babysitter run:iterate`.",
      },
    );
  }
  return index.resolved.filter(({ resolution }) => resolution?.status === "error" && resolution.seq > lastAfter);
}

/** A result may be taken back only while nothing was asked for after it. */
function requireReopenable(journal: RunJournal, request: RecordedRequest, lastAfter: number): void {
  const seq = request.resolution?.seq ?? 0;
  if (lastAfter < seq && !isFinished(journal.summary)) return;
  throw new BabysitterError(
    "EFFECT_NOT_REOPENABLE",
    `${request.effectId} (${request.invocationKey}) cannot be retried in place: the process has already used its result.`,
    {
      hint: `To go back to before it in a copy: babysitter run:fork ${journal.runId} --at ${seq - 1}`,
      details: { effectId: request.effectId, resolvedAt: seq, forkAt: seq - 1 },
    },
  );
}

function reopening(request: RecordedRequest, timestamp: string): EventDraft {
  const { effectId, invocationKey, taskId, kind, label, title, at, seq, id, resolution, until } = request;
  const payload = defined({
    resolution: resolution?.seq ?? 0,
    attempt: (resolution?.attempt ?? 1) + 1,
    kind,
    requestSeq: seq,
    requestId: id,
    requestedAt: at,
    label,
    title,
    until,
  });
  return { type: "EFFECT_REOPENED", timestamp, effectId, invocationKey, taskId, payload };
}
