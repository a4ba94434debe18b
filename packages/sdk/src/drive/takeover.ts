/** What the last driver of a run left behind if it did not end cleanly. */
import { judge, retryPolicyOf } from "../effects/retry-policy.js";
import type { EffectRequested, ProcessGroupRef } from "../model/events.js";
import { isJsonObject } from "../model/json.js";
import type { LeaseRecord } from "../model/ports.js";
import type { PendingEffect } from "../model/run-state.js";
import { recordFailedAttempt } from "../runs/attempts.js";
import { postResult } from "../runs/post-result.js";
import type { RunJournal } from "../runs/run-journal.js";
import { endProcessGroup } from "../spawn/end-process-group.js";

const GRACE_MS = 2_000;

export interface TakeoverReport {
  /** Processes that were still running. */
  ended: number;
  /** Attempts that nobody will finish. */
  interrupted: PendingEffect[];
}

/**
 * Ends what still runs, then opens the interrupted attempts again. In this order: two attempts at one task
 * must never run side by side.
 */
export async function takeOver(
  journal: RunJournal,
  previous: LeaseRecord | undefined,
  host: string,
): Promise<TakeoverReport> {
  const interrupted = Object.values(journal.summary.pending).filter(({ started }) => started !== undefined);
  const groups: ProcessGroupRef[] = interrupted.flatMap(({ started }) =>
    started?.group !== undefined && isFrom(host, started.host, started.group.startTime) ? [started.group] : [],
  );
  // Everything that driver had started is marked, also what it had no time to record.
  const gone = previous === undefined || previous.released ? [] : [...(previous.unsettled ?? []), previous];
  for (const { pid, startTime, nonce, host: where } of gone)
    if (isFrom(host, where, startTime) && nonce !== "") groups.push({ pid, startTime, marker: nonce });
  const reports = await Promise.all(groups.map((group) => endProcessGroup(group, GRACE_MS)));
  const ended = reports.reduce((sum, report) => sum + report.ended, 0);
  for (const pending of interrupted) await recordInterruption(journal, pending);
  return { ended, interrupted };
}

/** A time with the id of the boot proves by itself where it is from; a host may get another name meanwhile. */
function isFrom(host: string, other: string | undefined, startTime: string): boolean {
  return other === host || startTime.includes("@");
}

async function recordInterruption(journal: RunJournal, pending: PendingEffect): Promise<void> {
  const { effectId, attempt, started, title, taskId } = pending;
  const event = await journal.ports.store.readAt(journal.runId, pending.request);
  const definition = await journal.valueOf((event.payload as EffectRequested).definition);
  const policy = retryPolicyOf(isJsonObject(definition) ? definition : {});
  const error = {
    name: "TaskError",
    message: `"${title ?? taskId}" was interrupted: the program that ran it has ended.`,
    code: "TASK_INTERRUPTED",
  };
  const now = journal.ports.clock.now().toISOString();
  const startedAt = started?.at ?? now;
  const facts = { startedAt, finishedAt: now, durationMs: 0 };
  const record = { failures: pending.failures ?? 0, interruptions: pending.interruptions ?? 0 };
  const result = { status: "error", reason: "interrupted", error, facts } as const;
  if (!("problem" in policy) && judge(policy, record, result).again) {
    const again = {
      attempt,
      reason: "interrupted",
      error,
      nextAttempt: attempt + 1,
      startedAt,
      finishedAt: now,
    } as const;
    await recordFailedAttempt(journal, effectId, again);
    return;
  }
  const metadata = { executor: started?.executor ?? null };
  await postResult(journal, { effectId, attempt, result: { status: "error", error, startedAt, metadata } });
}
