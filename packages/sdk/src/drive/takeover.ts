/** What the last driver of a run left behind if it did not end cleanly. */
import { finalError, judge, retryPolicyOf, type Verdict } from "../effects/retry-policy.js";
import type { EffectRequested, EffectStarted, JournalEvent, ProcessGroupRef } from "../model/events.js";
import { isJsonObject } from "../model/json.js";
import type { LeaseRecord } from "../model/ports.js";
import type { PendingEffect } from "../model/run-state.js";
import { recordFailedAttempt } from "../runs/attempts.js";
import { postResult } from "../runs/post-result.js";
import type { RunJournal } from "../runs/run-journal.js";
import { mayEnd } from "../spawn/directory-ref.js";
import { endProcessGroup } from "../spawn/end-process-group.js";
import { unsettledIn } from "./lease.js";

const GRACE_MS = 2_000;

export interface TakeoverReport {
  /** Processes that were still running. */
  ended: number;
  /** Attempts that nobody will finish. */
  interrupted: PendingEffect[];
  /** Results that were recorded for them. */
  results: JournalEvent[];
}

/**
 * Ends what still runs, then opens the interrupted attempts again. In this order: two attempts at one task
 * must never run side by side.
 */
export async function takeOver(journal: RunJournal, previous: LeaseRecord | undefined): Promise<TakeoverReport> {
  const { runDir } = journal;
  const interrupted = Object.values(journal.summary.pending).filter(({ started }) => started !== undefined);
  const groups = interrupted.flatMap(({ started }) => groupOf(started, runDir));
  // Everything that driver had started is marked, also what it had no time to record.
  for (const { nonce, ...holder } of unsettledIn(previous, runDir)) groups.push({ ...holder, marker: nonce });
  const reports = await Promise.all(groups.map((group) => endProcessGroup(group, GRACE_MS)));
  const ended = reports.reduce((sum, report) => sum + report.ended, 0);
  const results: JournalEvent[] = [];
  for (const pending of interrupted) {
    const result = await recordInterruption(journal, pending);
    if (result !== undefined) results.push(result);
  }
  return { ended, interrupted, results };
}

/** Those of a copy belong to the original. */
function groupOf(started: EffectStarted | undefined, runDir: string): ProcessGroupRef[] {
  const { group, dir, host } = started ?? {};
  return group !== undefined && mayEnd({ ...group, host, dir }, runDir) ? [group] : [];
}

/** The result, when there is no further attempt. */
async function recordInterruption(journal: RunJournal, pending: PendingEffect): Promise<JournalEvent | undefined> {
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
  const verdict: Verdict = "problem" in policy ? { again: false } : judge(policy, record, result);
  if (verdict.again) {
    const again = {
      attempt,
      reason: "interrupted",
      error,
      nextAttempt: attempt + 1,
      startedAt,
      finishedAt: now,
    } as const;
    await recordFailedAttempt(journal, effectId, again);
    return undefined;
  }
  const metadata = { executor: started?.executor ?? null };
  const posted = { status: "error", error: finalError(error, verdict), startedAt, metadata } as const;
  return (await postResult(journal, { effectId, attempt, result: posted })).event;
}
