/**
 * Where a run stands, folded from its events: as large as what is pending. Most commands need no more; a replay also
 * needs the index of the whole run (replay-index.ts). Folding changes the given object in place; whoever loads it owns it.
 */
import { beginCode, type CodeStanding, foldCodeAccepted, foldCodeChanged } from "./code-versions.js";
import type { RecordedError } from "./errors.js";
import { EVENT_RULES, isKnownType } from "./event-rules.js";
import {
  type BreakpointCommented,
  type EffectStarted,
  EVENT_FORMAT,
  type EventFold,
  type Head,
  headOf,
  type JournalEvent,
  type RunCancelled,
  type RunCreated,
  type StoredValue,
} from "./events.js";
import type { EffectId } from "./ids.js";
import { defined, type JsonObject } from "./json.js";
import { beginLoop, foldLoop, type LoopState } from "./loop-state.js";
import { beginLedger, foldLedger, type RunLedger } from "./run-ledger.js";
import { isSamePlace, type RunPlace } from "./run-places.js";
import { rebase, sleepSpan, spanBetween, type TimeSpan } from "./time-spans.js";

/** Where a run stands. */
export type RunStatus = "created" | "running" | "waiting" | "blocked" | "paused" | "completed" | "failed" | "cancelled";

/** An effect that has no result yet. */
export interface PendingEffect {
  effectId: EffectId;
  invocationKey: string;
  taskId: string;
  kind: string;
  label?: string;
  labels?: string[];
  title?: string;
  requestedAt: string;
  attempt: number;
  until?: string;
  /** What the open attempt, or the sleep, waits for when it was given as a time span: see `waitEnds`. */
  span?: TimeSpan;
  /** Place of the request in the journal. */
  request: { seq: number; id: string };
  /** The open attempt has begun. */
  started?: EffectStarted & { at: string };
  /** The open attempt must not start before this. */
  notBefore?: string;
  /** How often the task itself has failed, and how often it was interrupted from outside. */
  failures?: number;
  interruptions?: number;
  /** Of an open question: the hash of what people are shown, and what they have said so far. */
  shown?: string;
  comments?: (BreakpointCommented & { at: string })[];
}

/** An effect that the process is to ask for anew; nobody can work on it before that. */
type RetriedEffect = Pick<
  PendingEffect,
  "effectId" | "invocationKey" | "taskId" | "kind" | "label" | "title" | "requestedAt" | "attempt" | "request"
>;

/** Where a run stands, folded from its journal: small, however long the run is. */
export interface RunSummary {
  head: Head;
  /** The latest time of any event since the clock was last found to be set back. */
  newestAt: string;
  /** Sequence number of the last process-side event. */
  processHead: number;
  /** Sequence number of the last resolution. */
  lastResolution: number;
  /** Highest `after` of any request. */
  lastAfter: number;
  created: RunCreated & { at: string };
  /** Where it has been, in the order in which it came there. */
  places: RunPlace[];
  iterations: number;
  pending: Record<string, PendingEffect>;
  /** By effect id. */
  retried?: Record<string, RetriedEffect>;
  /** Variables that its tasks have named as secrets. */
  secretEnv?: string[];
  counts: { requested: number; ok: number; error: number };
  completed?: { at: string; output: StoredValue; completionProof: string; abandoned: string[] };
  failed?: { at: string; error: RecordedError; codeHash: string };
  blocked?: BlockedRun;
  /** The code of its process; of a loop without one, that it has none. */
  code: CodeStanding;
  cancelled?: RunCancelled & { at: string };
  /** Of a run that keeps an agent going. */
  loop?: LoopState;
  /** Two heads near the end; see {@link endMarkOf}. */
  marks?: Head[];
  /** What reports count. */
  ledger?: RunLedger;
  /** An event this version does not understand: the run can be read, not written. */
  newer?: { seq: number; type: string; writer: string };
}

/** Why a run is blocked. `codes`: every version of the code that was blocked here. */
export interface BlockedRun {
  at: string;
  processHead: number;
  codeHash: string;
  codes: string[];
  report: JsonObject;
  code?: "GATES_CHANGED";
  /** The event that says so. */
  seq: number;
}

const summaryFold: EventFold<RunSummary> = {
  EFFECT_REQUESTED(state, { payload, effectId, invocationKey, taskId, timestamp, seq, id }) {
    notePlace(state, payload.place);
    const retried = state.retried?.[effectId];
    forgetRetried(state, effectId);
    if (retried === undefined) state.counts.requested += 1;
    if (payload.secretEnv !== undefined)
      state.secretEnv = [...new Set([...(state.secretEnv ?? []), ...payload.secretEnv])];
    state.lastAfter = Math.max(state.lastAfter, payload.after);
    state.iterations = Math.max(state.iterations, payload.iteration);
    state.pending[effectId] = defined({
      effectId,
      invocationKey,
      taskId,
      kind: payload.kind,
      label: payload.label,
      labels: payload.labels,
      title: payload.title,
      requestedAt: retried?.requestedAt ?? timestamp,
      attempt: payload.attempt ?? 1,
      until: payload.until,
      span: sleepSpan(payload),
      request: { seq, id },
    });
  },
  EFFECT_STARTED(state, { payload, effectId, timestamp }) {
    const pending = pendingOf(state, effectId);
    if (pending?.attempt === payload.attempt) pending.started = { ...payload, at: timestamp };
  },
  EFFECT_ATTEMPT_FAILED(state, { payload, effectId, timestamp }) {
    const pending = pendingOf(state, effectId);
    if (pending?.attempt !== payload.attempt) return;
    pending.attempt = payload.nextAttempt;
    delete pending.started;
    delete pending.notBefore;
    delete pending.span;
    if (payload.notBefore !== undefined) {
      pending.notBefore = payload.notBefore;
      pending.span = spanBetween(timestamp, payload.notBefore);
    }
    if (payload.reason === "interrupted") pending.interruptions = (pending.interruptions ?? 0) + 1;
    else pending.failures = (pending.failures ?? 0) + 1;
  },
  BREAKPOINT_OPENED(state, { payload, effectId }) {
    const pending = pendingOf(state, effectId);
    if (pending !== undefined) pending.shown = payload.shown;
  },
  BREAKPOINT_COMMENTED(state, { payload, effectId, timestamp }) {
    const pending = pendingOf(state, effectId);
    if (pending !== undefined) pending.comments = [...(pending.comments ?? []), { ...payload, at: timestamp }];
  },
  EFFECT_RESOLVED(state, { payload, effectId, seq }) {
    notePlace(state, payload.place);
    state.counts[payload.status] += 1;
    state.lastResolution = seq;
    delete state.pending[effectId];
  },
  EFFECT_REOPENED(state, { payload, effectId, invocationKey, taskId }) {
    state.counts.error -= 1;
    state.pending[effectId] = defined({
      effectId,
      invocationKey,
      taskId,
      kind: payload.kind,
      label: payload.label,
      title: payload.title,
      requestedAt: payload.requestedAt,
      attempt: payload.attempt,
      until: payload.until,
      span: sleepSpan(payload),
      request: { seq: payload.requestSeq, id: payload.requestId },
    });
  },
  EFFECT_RETRIED(state, { payload, effectId, invocationKey, taskId }) {
    if (payload.status !== undefined) state.counts[payload.status] -= 1;
    delete state.pending[effectId];
    const { requestSeq: seq, requestId: id, kind, label, title, requestedAt, attempt } = payload;
    const retried = { effectId, invocationKey, taskId, kind, label, title, requestedAt, attempt, request: { seq, id } };
    state.retried = { ...state.retried, [effectId]: defined(retried) };
  },
  EFFECT_DROPPED(state, { payload, effectId }) {
    state.iterations = Math.max(state.iterations, payload.iteration);
    state.counts.requested -= 1;
    forgetRetried(state, effectId);
  },
  PROCESS_LOGGED: (state, { payload }) => void (state.iterations = Math.max(state.iterations, payload.iteration)),
  PATCH_MARKED: (state, { payload }) => void (state.iterations = Math.max(state.iterations, payload.iteration)),
  RUN_COMPLETED(state, { payload, timestamp }) {
    state.iterations = Math.max(state.iterations, payload.iteration);
    state.completed = {
      at: timestamp,
      output: payload.output,
      completionProof: payload.completionProof,
      abandoned: payload.abandoned,
    };
  },
  RUN_FAILED(state, { payload, timestamp }) {
    state.iterations = Math.max(state.iterations, payload.iteration);
    state.failed = { at: timestamp, error: briefError(payload.error), codeHash: payload.codeHash };
  },
  RUN_REOPENED: (state) => void delete state.failed,
  RUN_BLOCKED(state, { payload: { processHead, codeHash, report, code }, timestamp: at, seq }) {
    const codes = [...(state.blocked?.codes ?? []), codeHash];
    state.blocked = { at, processHead, codeHash, codes, report, ...defined({ code }), seq };
  },
  CLOCK_SET_BACK(state, { payload, timestamp }) {
    state.newestAt = timestamp;
    for (const pending of Object.values(state.pending)) rebase(pending, Date.parse(timestamp), payload.byMs);
  },
  CODE_CHANGED: (state, event) => foldCodeChanged(state.code, event),
  CODE_ACCEPTED: (state, event) => foldCodeAccepted(state.code, event),
  RUN_CANCELLED: (state, { payload, timestamp }) => void (state.cancelled = { ...payload, at: timestamp }),
  LOOP_STARTED: (state, event) => void (state.loop = beginLoop(event)),
  PROCESS_ATTACHED(state, event) {
    const { manifest: _, ...payload } = event.payload;
    Object.assign(state.created, payload);
    state.code = beginCode(event);
  },
};

/** The summary after RUN_CREATED. */
export function beginSummary(event: Extract<JournalEvent, { type: "RUN_CREATED" }>): RunSummary {
  const { manifest: _, ...created } = event.payload;
  return {
    head: headOf(event),
    newestAt: event.timestamp,
    processHead: event.seq,
    lastResolution: 0,
    lastAfter: -1,
    created: { ...created, at: event.timestamp },
    places: created.place === undefined ? [] : [created.place],
    iterations: 0,
    pending: {},
    counts: { requested: 0, ok: 0, error: 0 },
    code: beginCode(event),
    ledger: beginLedger(event),
  };
}

/** Takes one more event into a summary. */
export function foldSummary(state: RunSummary, event: JournalEvent): void {
  state.head = headOf(event);
  if (Date.parse(event.timestamp) > Date.parse(state.newestAt)) state.newestAt = event.timestamp;
  if (event.seq % MARK_DISTANCE === 0) state.marks = [...(state.marks ?? []).slice(-1), headOf(event)];
  if (state.ledger !== undefined) foldLedger(state.ledger, event);
  if (event.format > EVENT_FORMAT || !isKnownType(event.type)) {
    state.newer ??= { seq: event.seq, type: event.type, writer: event.writer };
    return;
  }
  if (EVENT_RULES[event.type].side === "process") {
    state.processHead = event.seq;
    if (endsBlock(event, state.blocked)) delete state.blocked;
  }
  if (state.loop !== undefined) foldLoop(state.loop, event);
  (summaryFold[event.type] as ((s: RunSummary, e: JournalEvent) => void) | undefined)?.(state, event);
}

function forgetRetried(state: RunSummary, effectId: string): void {
  if (state.retried === undefined) return;
  const { [effectId]: _, ...rest } = state.retried;
  if (Object.keys(rest).length > 0) state.retried = rest;
  else delete state.retried;
}

const MARK_DISTANCE = 64;

/**
 * A head from which the end of a long journal can be read forwards: an event does not name the file before it.
 * Undefined for short journals, and if an older version, which sets no marks, has appended many events since.
 */
export function endMarkOf({ marks = [], head }: RunSummary): Head | undefined {
  const [mark] = marks;
  return mark !== undefined && head.seq - mark.seq < 4 * MARK_DISTANCE ? mark : undefined;
}

function notePlace({ places }: RunSummary, place: RunPlace | undefined): void {
  if (place !== undefined && !places.some((known) => isSamePlace(known, place))) places.push(place);
}

/** That people accept the code does not make it fit the journal: only a replay shows that. */
function endsBlock({ type }: JournalEvent, blocked: BlockedRun | undefined): boolean {
  return type === "CODE_ACCEPTED" ? blocked?.code === "GATES_CHANGED" : type !== "RUN_BLOCKED";
}

/** The pending effect with this id; ids come from outside, so inherited names must not be found. */
export function pendingOf(summary: RunSummary, effectId: string): PendingEffect | undefined {
  return Object.hasOwn(summary.pending, effectId) ? summary.pending[effectId] : undefined;
}

/** True when nothing can happen in a run any more. */
export function isFinished(summary: RunSummary): boolean {
  if (summary.cancelled !== undefined) return true;
  return hasProcess(summary.created) ? summary.completed !== undefined : summary.loop?.ended !== undefined;
}

/** False for a loop that only has a prompt. */
export function hasProcess({ entry }: Pick<RunCreated, "entry">): boolean {
  return entry.path !== "";
}

/** Where a run stands, from its summary. */
export function statusOf(summary: RunSummary): RunStatus {
  if (summary.completed !== undefined) return "completed";
  if (summary.cancelled !== undefined) return "cancelled";
  if (summary.loop !== undefined && !hasProcess(summary.created)) return loopStatusOf(summary.loop);
  // A failed run can be blocked afterwards, by code that was to reopen it.
  if (summary.blocked !== undefined) return "blocked";
  if (summary.failed !== undefined) return "failed";
  if (Object.keys(summary.pending).length > 0) return "waiting";
  return summary.counts.requested === 0 ? "created" : "running";
}

function loopStatusOf({ ended, paused }: LoopState): RunStatus {
  if (ended !== undefined) return "completed";
  return paused === undefined ? "running" : "paused";
}

/** Errors up to this many characters are kept whole in the summary; of larger ones the event has the rest. */
const BRIEF_ERROR_LIMIT = 16 * 1024;

function briefError(error: RecordedError): RecordedError {
  if (JSON.stringify(error).length <= BRIEF_ERROR_LIMIT) return error;
  const { name, message, code } = error;
  return { name, message: message.slice(0, BRIEF_ERROR_LIMIT / 4), ...defined({ code }) };
}
