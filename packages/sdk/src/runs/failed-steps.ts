/** On which steps a failed run stands, and whether they can be retried in place. */
import { isThrownBy } from "../model/failure.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { breakpointState } from "./list-breakpoints.js";
import { recordedOutcome } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";
import { hasFailed, isUnused } from "./step-facts.js";
import { decideWayOn, type WayOn } from "./way-on.js";

export interface FailedSteps {
  /** Failed tasks that nothing was requested after: they can be retried in place. */
  failed: RecordedRequest[];
  /** Questions that were decided with no, and that nothing was requested after. */
  rejected: RecordedRequest[];
  /** The failed task or rejected question that ended the run, if the process used it before: retrying others does not help. */
  used: RecordedRequest | undefined;
}

export async function failedSteps(journal: RunJournal): Promise<FailedSteps> {
  const { resolved } = await journal.index();
  const last = resolved.filter((request) => isUnused(journal, request));
  const failed = last.filter(hasFailed);
  const rejected: RecordedRequest[] = [];
  for (const request of last) if (await isRejected(journal, request)) rejected.push(request);
  const isNone = failed.length === 0 && rejected.length === 0;
  const thrown = resolved.find((request) => hasFailed(request) && isThrown(journal, request));
  // A map with a limit requests its next items although one has failed.
  if (thrown !== undefined && !isUnused(journal, thrown)) return { failed, rejected, used: thrown };
  return { failed, rejected, used: isNone ? await usedFailure(journal, resolved) : undefined };
}

function isThrown({ summary }: RunJournal, { invocationKey }: RecordedRequest): boolean {
  return isThrownBy(summary.failed?.error, invocationKey);
}

/** What gets a run on that has failed; undefined for any other. */
export async function wayOnOf(journal: RunJournal): Promise<WayOn | undefined> {
  const { failed } = journal.summary;
  if (failed === undefined) return undefined;
  return decideWayOn(await failedSteps(journal), failed.error.code === REJECTED);
}

const REJECTED = "BREAKPOINT_REJECTED";

/** A question that was answered with no, or could not be answered. */
export async function isRejected(journal: RunJournal, request: RecordedRequest): Promise<boolean> {
  if (request.kind !== "breakpoint" || request.resolution === undefined) return false;
  return (await breakpointState(journal, request)).state !== "approved";
}

async function usedFailure(
  journal: RunJournal,
  resolved: readonly RecordedRequest[],
): Promise<RecordedRequest | undefined> {
  const { code, message } = journal.summary.failed?.error ?? {};
  if (message === undefined) return undefined;
  if (code === REJECTED) {
    for (const request of resolved.toReversed()) if (await isRejected(journal, request)) return request;
  }
  for (const request of resolved.filter(hasFailed).toReversed()) {
    const event = await journal.ports.store.readAt(journal.runId, request.resolution as { seq: number; id: string });
    const { error } = await recordedOutcome(journal, event);
    // A process may wrap the error that it throws on.
    if (error !== undefined && error.message !== "" && message.includes(error.message)) return request;
  }
  return undefined;
}
