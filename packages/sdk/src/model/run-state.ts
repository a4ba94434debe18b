/**
 * The state of a run, folded from its events. Two halves, because most commands need only the first:
 * the summary (size of what is pending) and the replay index (size of the whole run).
 * Folding changes the given object in place; whoever loads it owns it.
 */
import { beginCode, type CodeStanding, foldCodeAccepted, foldCodeChanged } from "./code-versions.js";
import type { RecordedError } from "./errors.js";
import { EVENT_RULES } from "./event-rules.js";
import {
  type BreakpointCommented,
  type EffectStarted,
  EVENT_FORMAT,
  type EventPayloads,
  type Head,
  headOf,
  isKnownType,
  type JournalEvent,
  type RunCancelled,
  type RunCreated,
  type StoredValue,
} from "./events.js";
import type { EffectId } from "./ids.js";
import { defined, type Json, type JsonObject } from "./json.js";
import { beginLoop, foldLoop, type LoopState } from "./loop-state.js";

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

/** Where a run stands, folded from its journal: small, however long the run is. */
export interface RunSummary {
  head: Head;
  /** Sequence number of the last process-side event. */
  processHead: number;
  /** Sequence number of the last resolution. */
  lastResolution: number;
  /** Highest `after` of any request. */
  lastAfter: number;
  created: RunCreated & { at: string };
  iterations: number;
  pending: Record<string, PendingEffect>;
  counts: { requested: number; ok: number; error: number };
  completed?: { at: string; output: StoredValue; completionProof: string; abandoned: string[] };
  failed?: { at: string; error: RecordedError; codeHash: string };
  blocked?: BlockedRun;
  /** The code of its process; of a loop without one, that it has none. */
  code: CodeStanding;
  cancelled?: RunCancelled & { at: string };
  /** Of a run that keeps an agent going. */
  loop?: LoopState;
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

/** A request as replay needs it. */
export interface RecordedRequest {
  seq: number;
  id: string;
  effectId: EffectId;
  invocationKey: string;
  taskId: string;
  kind: string;
  scope: string;
  argsHash: string;
  after: number;
  at: string;
  label?: string;
  title?: string;
  until?: string;
  resolution?: RecordedResolution;
}

/** Results up to this many characters of JSON are kept in the index; others are read from their event. */
const INDEXED_VALUE_LIMIT = 1024;

interface RecordedResolution {
  seq: number;
  id: string;
  at: string;
  status: "ok" | "error";
  attempt: number;
  /** Small results only. */
  value?: Json;
}

/** What replay needs to know of the whole run: every request, with what has become of it. */
export interface ReplayIndex {
  head: Head;
  /** By invocation key, in the order of their requests. */
  requests: Record<string, RecordedRequest>;
  /** Invocation keys by effect id. */
  keys: Record<string, string>;
  /** Requests that have a result, in the order of their results. */
  resolved: RecordedRequest[];
  /** The turns in which each scope has logged its lines. */
  logs: Record<string, number[]>;
  patches: Record<string, number>;
}

type Fold<T> = { [K in keyof EventPayloads]?: (state: T, event: Extract<JournalEvent, { type: K }>) => void };

const summaryFold: Fold<RunSummary> = {
  EFFECT_REQUESTED(state, { payload, effectId, invocationKey, taskId, timestamp, seq, id }) {
    state.counts.requested += 1;
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
      requestedAt: timestamp,
      attempt: 1,
      until: payload.until,
      request: { seq, id },
    });
  },
  EFFECT_STARTED(state, { payload, effectId, timestamp }) {
    const pending = pendingOf(state, effectId);
    if (pending?.attempt === payload.attempt) pending.started = { ...payload, at: timestamp };
  },
  EFFECT_ATTEMPT_FAILED(state, { payload, effectId }) {
    const pending = pendingOf(state, effectId);
    if (pending?.attempt !== payload.attempt) return;
    pending.attempt = payload.nextAttempt;
    delete pending.started;
    delete pending.notBefore;
    if (payload.notBefore !== undefined) pending.notBefore = payload.notBefore;
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
      request: { seq: payload.requestSeq, id: payload.requestId },
    });
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
    processHead: event.seq,
    lastResolution: 0,
    lastAfter: -1,
    created: { ...created, at: event.timestamp },
    iterations: 0,
    pending: {},
    counts: { requested: 0, ok: 0, error: 0 },
    code: beginCode(event),
  };
}

/** Takes one more event into a summary. */
export function foldSummary(state: RunSummary, event: JournalEvent): void {
  state.head = headOf(event);
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

/** That people accept the code does not make it fit the journal: only a replay shows that. */
function endsBlock({ type }: JournalEvent, blocked: BlockedRun | undefined): boolean {
  return type === "CODE_ACCEPTED" ? blocked?.code === "GATES_CHANGED" : type !== "RUN_BLOCKED";
}

const indexFold: Fold<ReplayIndex> = {
  EFFECT_REQUESTED(index, { payload, effectId, invocationKey, taskId, timestamp, seq, id }) {
    const key = invocationKey;
    index.keys[effectId] = key;
    index.requests[key] = defined({
      seq,
      id,
      effectId,
      invocationKey: key,
      taskId,
      kind: payload.kind,
      scope: payload.scope,
      argsHash: payload.argsHash,
      after: payload.after,
      at: timestamp,
      label: payload.label,
      title: payload.title,
      until: payload.until,
    });
  },
  EFFECT_RESOLVED(index, { payload, effectId, seq, id, timestamp }) {
    const request = index.requests[index.keys[effectId] ?? ""];
    if (request === undefined) return;
    request.resolution = {
      seq,
      id,
      at: timestamp,
      status: payload.status,
      attempt: payload.attempt,
      ...smallValue(payload.result),
    };
    index.resolved.push(request);
  },
  EFFECT_REOPENED(index, { effectId, payload }) {
    // What the process said after the result that no longer counts may be said differently now.
    for (const [scope, turns] of Object.entries(index.logs))
      index.logs[scope] = turns.filter((turn) => turn < payload.resolution);
    const request = index.requests[index.keys[effectId] ?? ""];
    if (request === undefined) return;
    delete request.resolution;
    index.resolved = index.resolved.filter((other) => other !== request);
  },
  PROCESS_LOGGED(index, { payload }) {
    for (const { scope, after } of payload.entries) (index.logs[scope] ??= []).push(after);
  },
  PATCH_MARKED(index, { payload }) {
    if (!Object.hasOwn(index.patches, payload.id)) index.patches[payload.id] = payload.after;
  },
};

/** An index that has seen nothing but RUN_CREATED. */
export function beginIndex(head: Head): ReplayIndex {
  return { head: headOf(head), requests: {}, keys: {}, resolved: [], logs: {}, patches: {} };
}

/** Takes one more event into an index. */
export function foldIndex(index: ReplayIndex, event: JournalEvent): void {
  index.head = headOf(event);
  if (event.format > EVENT_FORMAT) return;
  (indexFold[event.type] as ((i: ReplayIndex, e: JournalEvent) => void) | undefined)?.(index, event);
}

/** The pending effect with this id; ids come from outside, so inherited names must not be found. */
export function pendingOf(summary: RunSummary, effectId: string): PendingEffect | undefined {
  return Object.hasOwn(summary.pending, effectId) ? summary.pending[effectId] : undefined;
}

/** The recorded request with this effect id. */
export function requestOf(index: ReplayIndex, effectId: string): RecordedRequest | undefined {
  return Object.hasOwn(index.keys, effectId) ? index.requests[index.keys[effectId] as string] : undefined;
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

function smallValue(stored: StoredValue | undefined): { value?: Json } {
  if (stored === undefined || !("value" in stored)) return {};
  return JSON.stringify(stored.value).length <= INDEXED_VALUE_LIMIT ? { value: stored.value } : {};
}
