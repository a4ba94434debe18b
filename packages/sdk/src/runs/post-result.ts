import type { AnswerOption, BreakpointQuestion } from "../model/breakpoint-question.js";
import { whyUnclear } from "../model/breakpoint-result.js";
import { BabysitterError, type RecordedError, recordError } from "../model/errors.js";
import type { EffectResolved, JournalEvent } from "../model/events.js";
import { type EffectId, parseEffectId } from "../model/ids.js";
import { canonicalJson, defined, isJsonObject, type Json, toJson } from "../model/json.js";
import { type RecordedRequest, requestOf } from "../model/replay-index.js";
import type { RunPlace } from "../model/run-places.js";
import { isFinished, type PendingEffect, pendingOf, type RunSummary } from "../model/run-state.js";
import { shownLine } from "../model/shown-text.js";
import type { Outcome } from "../replay/call.js";
import { readQuestion } from "./asked-question.js";
import { checkDecision, type DecisionTerms, sameAnswer, stampAnswer } from "./decision-checks.js";
import { type ComingResult, type RecordResult, recordAlone } from "./record-result.js";
import type { RunJournal } from "./run-journal.js";

/** A result for an effect. */
export interface EffectResult {
  status: "ok" | "error";
  value?: unknown;
  error?: unknown;
  startedAt?: string;
  finishedAt?: string;
  stdoutRef?: string;
  stderrRef?: string;
  metadata?: unknown;
}

export interface PostRequest {
  effectId: string;
  result: EffectResult;
  /** When given, it must be the effect's own. */
  invocationKey?: string;
  /** When given, it must be the attempt that is open. */
  attempt?: number;
  dryRun?: boolean;
  /** Of an answer to a question: where it comes from. By default a bare post, which proves nothing. */
  decision?: DecisionTerms;
}

/** What is recorded for an effect. */
export interface RecordedOutcome {
  status: "ok" | "error";
  value?: Json;
  error?: RecordedError;
}

/** What became of a posted result. */
export interface PostAnswer {
  outcome: "committed" | "duplicate";
  effectId: EffectId;
  recorded: RecordedOutcome;
  event: JournalEvent | undefined;
}

/**
 * Records a result, once. The same result again is a duplicate; another one is refused and told what is
 * recorded; nothing is ever overwritten.
 */
export async function postResult(
  journal: RunJournal,
  request: PostRequest,
  record: RecordResult = recordAlone,
): Promise<PostAnswer> {
  const effectId = parseEffectId(request.effectId);
  const given = toOutcome(request.result);
  let wanted = given;
  const question = await openQuestion(journal, effectId);
  const terms: DecisionTerms = request.decision ?? { source: { via: "task:post" } };
  const timestamp = journal.ports.clock.now().toISOString();
  const event = await record(journal, (summary) => {
    const pending = pendingOf(summary, effectId);
    if (pending === undefined) return undefined;
    checkPost(summary, pending, request);
    // First who answers: nobody who may not is told how an answer looks.
    if (question !== undefined) checkDecision(summary, pending, question, terms);
    if (pending.kind === "breakpoint") checkClarity(pending, given, question?.options ?? []);
    if (question !== undefined && given.status === "ok")
      wanted = { status: "ok", value: stampAnswer(given.value ?? null, pending, terms.source, timestamp) };
    if (request.dryRun === true) return undefined;
    const ending = { result: request.result, outcome: wanted, by: "post", timestamp, ...journal.newPlace } as const;
    return { draft: resolution(pending, ending), outcome: wanted as Outcome };
  });
  if (event !== undefined) return { outcome: "committed", effectId, recorded: wanted, event };
  if (request.dryRun === true && pendingOf(journal.summary, effectId) !== undefined)
    return { outcome: "committed", effectId, recorded: wanted, event: undefined };
  return answerSettled(journal, effectId, request, given);
}

/** The question that an effect is, while it is open. */
async function openQuestion(journal: RunJournal, effectId: EffectId): Promise<BreakpointQuestion | undefined> {
  // Whoever posts may know of a request that came after this journal was opened.
  if (pendingOf(journal.summary, effectId) === undefined) await journal.catchUp();
  const pending = pendingOf(journal.summary, effectId);
  return pending?.kind === "breakpoint" ? readQuestion(journal, pending) : undefined;
}

function checkPost(summary: RunSummary, pending: PendingEffect, request: PostRequest): void {
  if (request.invocationKey !== undefined && request.invocationKey !== pending.invocationKey)
    throw wrongKey(request, pending.invocationKey);
  if (isFinished(summary)) throw runFinished(summary, pending.effectId);
  if (request.attempt !== undefined && request.attempt !== pending.attempt) {
    throw new BabysitterError(
      "ATTEMPT_STALE",
      `Attempt ${request.attempt} of ${pending.effectId} is over; attempt ${pending.attempt} is open.`,
      {
        details: { outcome: "rejected", effectId: pending.effectId, attempt: pending.attempt },
      },
    );
  }
}

function checkClarity(
  { effectId }: PendingEffect,
  { status, value = null }: RecordedOutcome,
  options: AnswerOption[],
): void {
  const why = status === "ok" ? whyUnclear(value, options) : undefined;
  if (why === undefined) return;
  throw new BabysitterError("BREAKPOINT_ANSWER_UNCLEAR", `The answer to breakpoint ${effectId} ${why}.`, {
    hint: 'Post {"approved": true} or {"approved": false, "feedback": "why"}.',
    details: { outcome: "rejected", effectId },
  });
}

async function answerSettled(
  journal: RunJournal,
  effectId: EffectId,
  request: PostRequest,
  wanted: RecordedOutcome,
): Promise<PostAnswer> {
  const index = await journal.index();
  const known: RecordedRequest | undefined = requestOf(index, effectId);
  if (known?.retried !== undefined) throw notRequestedYet(journal, effectId, known.retried);
  if (known?.resolution === undefined) throw effectNotFound(effectId, journal);
  if (request.invocationKey !== undefined && request.invocationKey !== known.invocationKey)
    throw wrongKey(request, known.invocationKey);
  const event = await journal.ports.store.readAt(journal.runId, known.resolution);
  const recorded = await recordedOutcome(journal, event);
  // Whoever is told "it is recorded" relies on it as if they had recorded it themselves.
  await journal.catchUp({ durable: true });
  const isSame = known.kind === "breakpoint" ? sameDecision(recorded, wanted) : sameOutcome(recorded, wanted);
  if (isSame) return { outcome: "duplicate", effectId, recorded, event };
  throw new BabysitterError(
    "EFFECT_ALREADY_RESOLVED",
    `${effectId} already has a different result, which stays: ${shownOutcome(recorded)}`,
    {
      hint: "`babysitter task:show` shows the recorded result. To retry a failed step: `babysitter run:retry --effect`.",
      details: { outcome: "duplicate", effectId, recorded: recorded as unknown as Json },
    },
  );
}

const MAX_SHOWN_VALUE = 120;

function shownOutcome({ value = null, error }: RecordedOutcome): string {
  const text = error === undefined ? JSON.stringify(value) : `${error.name}: ${error.message}`;
  return shownLine(text, MAX_SHOWN_VALUE);
}

/** What an EFFECT_RESOLVED event says. */
export async function recordedOutcome(journal: RunJournal, event: JournalEvent): Promise<RecordedOutcome> {
  const { status, result, error } = event.payload as EffectResolved;
  if (status === "error") return { status, error: await wholeError(journal, error) };
  return { status, value: result === undefined ? null : await journal.valueOf(result) };
}

async function wholeError(journal: RunJournal, error: RecordedError | undefined): Promise<RecordedError> {
  const { dataRef, ...rest } = error ?? { name: "Error", message: "unknown" };
  return dataRef === undefined ? rest : { ...rest, data: await journal.valueOf(dataRef) };
}

/** What is to be written about the end of an effect. */
interface Ending {
  result: Omit<EffectResult, "value" | "error">;
  outcome: RecordedOutcome;
  by: "post" | "engine";
  timestamp: string;
  place?: RunPlace;
}

/** The event that resolves a pending effect. */
export function resolution(
  pending: PendingEffect,
  { result, outcome, by, timestamp, place }: Ending,
): ComingResult["draft"] {
  const { startedAt, finishedAt, stdoutRef, stderrRef, metadata } = result;
  return {
    type: "EFFECT_RESOLVED",
    timestamp,
    effectId: pending.effectId,
    invocationKey: pending.invocationKey,
    taskId: pending.taskId,
    payload: defined({
      status: outcome.status,
      attempt: pending.attempt,
      by,
      result: outcome.status === "ok" ? { value: outcome.value ?? null } : undefined,
      error: outcome.status === "ok" ? undefined : outcome.error,
      startedAt,
      finishedAt,
      stdoutRef,
      stderrRef,
      metadata: metadata === undefined ? undefined : toJson(metadata, "The metadata"),
      place,
    }),
  };
}

function toOutcome(result: EffectResult): RecordedOutcome {
  if (result.status === "ok") return { status: "ok", value: toJson(result.value, "The value") };
  if (result.status !== "error")
    throw new BabysitterError(
      "USAGE",
      `The status of a result is "ok" or "error", not ${JSON.stringify(result.status)}.`,
    );
  return { status: "error", error: toRecordedError(result.error) };
}

function toRecordedError(error: unknown): RecordedError {
  if (error instanceof Error) return recordError(error);
  if (error === undefined || error === null) return { name: "Error", message: "The task failed without saying why." };
  const json = toJson(error, "The error");
  if (typeof json === "string") return { name: "Error", message: json };
  if (!isJsonObject(json)) return { name: "Error", message: JSON.stringify(json) };
  const { name, message, stack, code, data, ...rest } = json;
  const extra = isJsonObject(data) || data === undefined ? { ...rest, ...data } : { ...rest, data };
  const isCode = typeof code === "string" || typeof code === "number";
  return {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : JSON.stringify(json),
    ...defined({
      stack: typeof stack === "string" ? stack : undefined,
      code: isCode ? String(code) : undefined,
      data: Object.keys(extra).length === 0 ? undefined : extra,
    }),
  };
}

function sameOutcome(a: RecordedOutcome, b: RecordedOutcome): boolean {
  const comparable = ({ status, value, error }: RecordedOutcome): string => {
    const { stack: _stack, cause: _cause, ...rest } = error ?? { stack: "" };
    return canonicalJson([status, value ?? null, rest], "The result");
  };
  return comparable(a) === comparable(b);
}

function sameDecision(recorded: RecordedOutcome, wanted: RecordedOutcome): boolean {
  if (recorded.status !== "ok" || wanted.status !== "ok") return sameOutcome(recorded, wanted);
  return sameAnswer(recorded.value ?? null, wanted.value ?? null);
}

/** The error for an effect id that the run does not know. */
export function effectNotFound(effectId: string, journal: RunJournal): BabysitterError {
  return new BabysitterError("EFFECT_NOT_FOUND", `Run ${journal.runId} has no effect ${effectId}.`, {
    hint: "`babysitter task:list` lists the effects of a run.",
    details: { runId: journal.runId, effectId },
  });
}

function notRequestedYet({ runId }: RunJournal, effectId: EffectId, attempt: number): BabysitterError {
  return new BabysitterError(
    "ATTEMPT_STALE",
    `${effectId} is to be retried, but the process has not requested it again yet.`,
    {
      hint: `Let the process request it first: babysitter run:iterate ${runId}`,
      details: { outcome: "rejected", effectId, attempt },
    },
  );
}

function wrongKey(request: PostRequest, actual: string): BabysitterError {
  return new BabysitterError(
    "INVOCATION_KEY_MISMATCH",
    `${request.effectId} has the invocation key "${actual}", not "${request.invocationKey}".`,
    {
      details: { outcome: "rejected", effectId: request.effectId, invocationKey: actual },
    },
  );
}

function runFinished(summary: RunSummary, effectId: string): BabysitterError {
  return new BabysitterError(
    "RUN_FINISHED",
    `Run ${summary.created.runId} has ${summary.completed === undefined ? "been cancelled" : "completed"}; it accepts no more results.`,
    {
      details: { outcome: "rejected", runId: summary.created.runId, effectId },
    },
  );
}
