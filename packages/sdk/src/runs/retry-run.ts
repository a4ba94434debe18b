import { BabysitterError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { isFinished } from "../model/run-state.js";
import { type AnswersPolicy, type ChangeSource, type DecisionSource, whyNotDecide } from "../model/who-may-decide.js";
import { failedSteps, isRejected, wayOnOf } from "./failed-steps.js";
import { findStep } from "./find-step.js";
import { retriedEffect } from "./retried-effect.js";
import type { RunJournal } from "./run-journal.js";
import { hasFailed, isUnused, stepName } from "./step-facts.js";

export interface RetryRequest {
  /** The failed step by effect id, invocation key, task id, title or label; by default those that the run failed on. */
  step?: string | undefined;
  /** Who wants that: a decided question is asked again only for someone who may decide it. */
  decider: { source: DecisionSource; answers: AnswersPolicy; by: ChangeSource };
  /** How to name the run in commands that the user can copy. */
  name?: string;
}

export interface RetryAnswer {
  reopened: { effectId: string; invocationKey: string; attempt: number }[];
}

/**
 * Retries failed steps: their recorded errors no longer count, and the process requests them anew with today's code.
 * A question that was decided with no is asked again.
 */
export async function retryRun(
  journal: RunJournal,
  { step: wanted, decider, name = journal.runId }: RetryRequest,
): Promise<RetryAnswer> {
  const steps = wanted === undefined ? await stepsToRetry(journal, name) : [await namedStep(journal, wanted, name)];
  for (const step of steps) if (step.kind === "breakpoint") requireDecider(journal, step, { ...decider, name });
  const timestamp = journal.ports.clock.now().toISOString();
  const drafts = steps.map((step): EventDraft => {
    const source = step.kind === "breakpoint" ? decider.by : undefined;
    return retriedEffect(step, { timestamp, source });
  });
  const { failed } = journal.summary;
  if (failed !== undefined)
    drafts.push({ type: "RUN_REOPENED", timestamp, payload: { reason: "retry", codeHash: failed.codeHash } });
  const events = await journal.commit((summary, appended) => {
    if (appended.length > 0) return drafts.slice(appended.length);
    if (isFinished(summary)) throw finished(journal, name);
    // Someone else has just done the same.
    if (steps.some(({ resolution }) => resolution === undefined)) return [];
    for (const step of steps) if (!isUnused(journal, step)) throw notInPlace(step, name);
    return drafts;
  });
  await journal.saveCaches();
  const retried = events.filter((event) => event.type === "EFFECT_RETRIED");
  return {
    reopened: retried.map(({ effectId, invocationKey, payload: { attempt } }) => ({
      effectId,
      invocationKey,
      attempt,
    })),
  };
}

/** The steps that a failed run ended on; why none of them can be retried, otherwise. */
export async function stepsToRetry(journal: RunJournal, name: string = journal.runId): Promise<RecordedRequest[]> {
  const { cancelled, completed } = journal.summary;
  const way = await wayOnOf(journal);
  if (way === undefined) {
    const { failed, rejected } = await failedSteps(journal);
    if (completed !== undefined || cancelled !== undefined) throw finished(journal, name);
    const others = [...failed, ...rejected].map((step) => `babysitter run:retry ${name} --task ${step.effectId}`);
    throw new BabysitterError("NOTHING_TO_RETRY", `Run ${journal.runId} has not failed.`, {
      hint:
        others.length === 0
          ? `\`babysitter task:list ${name}\` lists the steps; run:retry --task names a failed one.`
          : `To retry a failed step of it: ${others.slice(0, 3).join("  or  ")}`,
    });
  }
  if (way.is === "copy") throw notInPlace(way.step, name);
  return way.is === "correct" ? [] : way.steps;
}

async function namedStep(journal: RunJournal, step: string, name: string): Promise<RecordedRequest> {
  const index = await journal.index();
  const failed: RecordedRequest[] = [];
  for (const request of index.resolved)
    if (hasFailed(request) || (await isRejected(journal, request))) failed.push(request);
  const command = `babysitter run:retry ${name} --task`;
  const request = findStep(journal, index, { step, command, preferred: failed });
  if (failed.includes(request)) return request;
  const state = request.resolution === undefined ? "is pending" : "has succeeded";
  throw new BabysitterError(
    "NOTHING_TO_RETRY",
    `${stepName(request)} ${state}; only a step that has failed can be retried.`,
    {
      ...(request.resolution === undefined
        ? {}
        : { hint: `To repeat it in a copy: babysitter run:fork ${name} --at-task ${request.effectId}` }),
      details: { effectId: request.effectId },
    },
  );
}

/** Asking again takes back what a person has decided. */
function requireDecider(
  { summary, runId }: RunJournal,
  step: RecordedRequest,
  { source, answers, name }: { source: DecisionSource; answers: AnswersPolicy; name: string },
): void {
  const bound = summary.created.session !== undefined || (summary.loop?.sessions.length ?? 0) > 0;
  const refusal = whyNotDecide(source, { bound, risk: undefined, answers });
  if (refusal === undefined) return;
  throw new BabysitterError(
    "DECISION_NOT_ALLOWED",
    `${stepName(step)} was rejected, and only a person may have it asked again: the run belongs to an agent's session.`,
    {
      hint: `In your own terminal, type: babysitter run:retry ${name} --task ${step.effectId}`,
      details: { outcome: "rejected", runId, effectId: step.effectId, why: refusal.why, via: source.via },
    },
  );
}

function finished({ runId }: RunJournal, name: string): BabysitterError {
  return new BabysitterError("RUN_FINISHED", `Run ${runId} has finished; nothing in it can be retried.`, {
    hint: `To repeat a step in a copy: babysitter run:fork ${name} --at-task <task>    (babysitter task:list ${name} lists them)`,
    details: { runId },
  });
}

/** A result may be taken back only while nothing was requested after it. */
function notInPlace(step: RecordedRequest, name: string): BabysitterError {
  const { effectId, resolution } = step;
  const seq = resolution?.seq ?? 0;
  return new BabysitterError(
    "EFFECT_NOT_REOPENABLE",
    `${stepName(step)} cannot be retried in place: the process has already used its result.`,
    {
      hint: `To retry it in a copy: babysitter run:fork ${name} --at-task ${effectId}`,
      details: { effectId, resolvedAt: seq, forkAt: seq - 1 },
    },
  );
}
