/** What a replay needs to know of the whole run, folded from its events: as large as the run. */
import {
  EVENT_FORMAT,
  type EventFold,
  type Head,
  headOf,
  type JournalEvent,
  type StoredValue,
  type TimerFiring,
} from "./events.js";
import type { EffectId } from "./ids.js";
import { defined, type Json } from "./json.js";

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
  /** Where the call was. */
  location?: string;
  until?: string;
  sleepMs?: number;
  fired?: TimerFiring[];
  late?: number;
  resolution?: RecordedResolution;
  /** The process is to ask for it anew, and that opens this attempt. */
  retried?: number;
  /** The process no longer asks for it: only its name is taken. */
  dropped?: true;
  /** Places of the requests that this one has replaced, the first one first. */
  earlier?: { seq: number; id: string }[];
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

const indexFold: EventFold<ReplayIndex> = {
  EFFECT_REQUESTED(index, { payload, effectId, invocationKey, taskId, timestamp, seq, id }) {
    const key = invocationKey;
    const replaced = index.requests[key];
    index.keys[effectId] = key;
    // A request that replaces another one keeps its place and time.
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
      at: replaced?.at ?? timestamp,
      label: payload.label,
      title: payload.title,
      location: payload.location,
      until: payload.until,
      sleepMs: payload.sleepMs,
      fired: payload.fired,
      late: payload.late,
      earlier: replaced && [...(replaced.earlier ?? []), { seq: replaced.seq, id: replaced.id }],
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
  EFFECT_REOPENED: (index, { effectId, payload }) => void takeBack(index, effectId, payload.resolution),
  EFFECT_RETRIED(index, { effectId, payload }) {
    const request = takeBack(index, effectId, payload.resolution);
    if (request !== undefined) request.retried = payload.attempt;
  },
  EFFECT_DROPPED(index, { effectId }) {
    const request = requestOf(index, effectId);
    if (request === undefined) return;
    delete request.retried;
    request.dropped = true;
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

/** The recorded request with this effect id. */
export function requestOf(index: ReplayIndex, effectId: string): RecordedRequest | undefined {
  return Object.hasOwn(index.keys, effectId) ? index.requests[index.keys[effectId] as string] : undefined;
}

/** A result no longer counts. What the process said after it may be said differently now. */
function takeBack(index: ReplayIndex, effectId: string, resolution = Infinity): RecordedRequest | undefined {
  for (const [scope, turns] of Object.entries(index.logs))
    index.logs[scope] = turns.filter((turn) => turn < resolution);
  const request = requestOf(index, effectId);
  if (request === undefined) return undefined;
  delete request.resolution;
  index.resolved = index.resolved.filter((other) => other !== request);
  return request;
}

function smallValue(stored: StoredValue | undefined): { value?: Json } {
  if (stored === undefined || !("value" in stored)) return {};
  return JSON.stringify(stored.value).length <= INDEXED_VALUE_LIMIT ? { value: stored.value } : {};
}
