/** Questions about runs. Nothing here writes to a journal. */
import { BabysitterError } from "../model/errors.js";
import type { EffectRequested, EffectResolved, JournalEvent } from "../model/events.js";
import { parseEffectId } from "../model/ids.js";
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import {
  type PendingEffect,
  type RecordedRequest,
  type RunStatus,
  type RunSummary,
  requestOf,
  statusOf,
} from "../model/run-state.js";
import { waitingReason } from "./iteration.js";
import { effectNotFound, recordedOutcome } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

/** Where a run stands, why, and what to do next. */
export interface RunDescription {
  runId: string;
  runDir: string;
  state: RunStatus;
  /** Why it stands where it stands, in words. */
  why: string;
  /** The command that gets it on, or undefined when there is nothing to do. */
  next: string | undefined;
  needsMoreIterations: boolean;
  iterationCount: number;
  completionProof: string | null;
  error?: JsonObject;
  pendingEffects: {
    effectId: string;
    invocationKey: string;
    kind: string;
    label?: string;
    requestedAt: string;
    until?: string;
  }[];
  metadata: {
    processId: string;
    stateVersion: number;
    pendingEffectsByKind: Record<string, number>;
    entry: string;
    createdAt: string;
    lastEventAt: string;
    effects: { requested: number; ok: number; error: number };
  };
}

/** Where a run stands, why, and what to do. */
export function describeRun(journal: RunJournal): RunDescription {
  const { summary, runId } = journal;
  const state = statusOf(summary);
  const pending = Object.values(summary.pending);
  const undigested =
    state === "running" ||
    state === "created" ||
    // A request that was made after the last result shows that the process has seen it.
    (summary.lastAfter < summary.lastResolution && journal.lastReplay?.lastResolution !== summary.lastResolution);
  const open = state === "created" || state === "running" || state === "waiting";
  const wakes = pending.some(
    ({ kind, until }) =>
      kind === "sleep" && until !== undefined && Date.parse(until) <= journal.ports.clock.now().getTime(),
  );
  const needsMoreIterations = open && (undigested || wakes);
  const byKind: Record<string, number> = {};
  for (const { kind } of pending) byKind[kind] = (byKind[kind] ?? 0) + 1;
  return {
    runId,
    runDir: journal.runDir,
    state,
    why: explain(summary, state, needsMoreIterations),
    next: nextCommand(summary, state, needsMoreIterations),
    needsMoreIterations,
    iterationCount: summary.iterations,
    completionProof: summary.completed?.completionProof ?? null,
    ...(summary.failed === undefined ? {} : { error: summary.failed.error as unknown as JsonObject }),
    pendingEffects: pending.map(({ effectId, invocationKey, kind, label, requestedAt, until }) => ({
      effectId,
      invocationKey,
      kind,
      ...(label === undefined ? {} : { label }),
      requestedAt,
      ...(until === undefined ? {} : { until }),
    })),
    metadata: {
      processId: summary.created.processId,
      stateVersion: summary.head.seq,
      pendingEffectsByKind: byKind,
      entry: `${summary.created.entry.path}#${summary.created.entry.export}`,
      createdAt: summary.created.at,
      lastEventAt: summary.head.timestamp,
      effects: summary.counts,
    },
  };
}

function explain(summary: RunSummary, state: RunStatus, needsMoreIterations: boolean): string {
  const { failed } = summary;
  const words: Record<RunStatus, () => string> = {
    created: () => "It has not been iterated yet.",
    running: () => "All results are in; the process has not seen the last ones yet.",
    waiting: () => explainWaiting(Object.values(summary.pending), needsMoreIterations),
    blocked: () => "Its process no longer matches its journal.",
    failed: () => `Its process threw ${failed?.error.name ?? "Error"}: ${failed?.error.message.split("\n")[0] ?? ""}`,
    completed: () => "Its process has returned.",
    paused: () => "It is paused.",
    cancelled: () => "It was cancelled.",
  };
  return words[state]();
}

function explainWaiting(pending: PendingEffect[], needsMoreIterations: boolean): string {
  const [only] = pending;
  const count = `${pending.length} ${pending.length === 1 ? "result" : "results"}`;
  if (needsMoreIterations) return `Something happened that the process has not seen yet; ${count} still pending.`;
  if (pending.length === 1 && only?.kind === "breakpoint") return "It waits for a human to answer a question.";
  if (pending.length === 1 && only?.until !== undefined) return `It sleeps until ${only.until}.`;
  return `It waits for ${count} (${waitingReason(pending)}).`;
}

function nextCommand(summary: RunSummary, state: RunStatus, needsMoreIterations: boolean): string | undefined {
  const { runId } = summary.created;
  const pending: PendingEffect[] = Object.values(summary.pending);
  if (state === "completed" || state === "cancelled") return undefined;
  if (state === "failed")
    return `babysitter run:retry ${runId}    (or fix the process, then: babysitter run:iterate ${runId})`;
  if (needsMoreIterations || state === "blocked") return `babysitter run:iterate ${runId}`;
  const work = pending.find(({ kind }) => kind !== "sleep");
  if (work === undefined) return `babysitter run:iterate ${runId}    (when the sleep is over)`;
  const value =
    work.kind === "breakpoint"
      ? `--value answer.json    (answer.json: {"approved": true} or {"approved": false, "feedback": "why"})`
      : "--value result.json";
  return `babysitter task:post ${runId} ${work.effectId} --status ok ${value}`;
}

export interface TaskListing {
  effectId: string;
  taskId: string;
  invocationKey: string;
  kind: string;
  label?: string;
  status: "requested" | "resolved_ok" | "resolved_error" | "abandoned";
  requestedAt: string;
  resolvedAt?: string;
  attempt: number;
  resultRef?: string;
}

/** The effects of a run, in the order they were requested. */
export async function listTasks(
  journal: RunJournal,
  filter: { pending: boolean; kind?: string | undefined },
): Promise<TaskListing[]> {
  const ofKind = (kind: string): boolean => filter.kind === undefined || kind === filter.kind;
  const finished = journal.summary.completed !== undefined;
  const pending = Object.values(journal.summary.pending).filter(({ kind }) => ofKind(kind));
  if (filter.pending)
    return finished ? [] : pending.map((effect) => listing(effect, effect.requestedAt, effect.attempt, "requested"));
  const index = await journal.index();
  return Object.values(index.requests)
    .filter(({ kind }) => ofKind(kind))
    .map((request) => {
      const { resolution } = request;
      if (resolution !== undefined) {
        return {
          ...listing(request, request.at, resolution.attempt, `resolved_${resolution.status}`),
          resolvedAt: resolution.at,
          resultRef: `tasks/${request.effectId}/result.json`,
        };
      }
      return listing(
        request,
        request.at,
        journal.summary.pending[request.effectId]?.attempt ?? 1,
        finished ? "abandoned" : "requested",
      );
    });
}

function listing(
  effect: Pick<PendingEffect, "effectId" | "taskId" | "invocationKey" | "kind" | "label">,
  requestedAt: string,
  attempt: number,
  status: TaskListing["status"],
): TaskListing {
  const { effectId, taskId, invocationKey, kind, label } = effect;
  return {
    effectId,
    taskId,
    invocationKey,
    kind,
    ...(label === undefined ? {} : { label }),
    status,
    requestedAt,
    attempt,
  };
}

export interface TaskDescription {
  effect: TaskListing & { location?: string };
  task: Json;
  inputs: Json;
  result: Json;
  stdout: string | null;
  stderr: string | null;
}

/** Everything about one effect. Texts that look like secrets are hidden unless asked for. */
export async function showTask(
  journal: RunJournal,
  effect: string,
  options: { secrets: boolean },
): Promise<TaskDescription> {
  const effectId = parseEffectId(effect);
  const index = await journal.index();
  const request: RecordedRequest | undefined = requestOf(index, effectId);
  if (request === undefined) throw effectNotFound(effectId, journal);
  const { store } = journal.ports;
  const requested = (await store.readAt(journal.runId, request)).payload as EffectRequested;
  const [row] = (await listTasks(journal, { pending: false })).filter((task) => task.effectId === effectId);
  const show = options.secrets ? (value: Json): Json => value : hideSecrets;
  return {
    effect: { ...(row as TaskListing), ...(requested.location === undefined ? {} : { location: requested.location }) },
    task: show(await journal.valueOf(requested.definition)),
    inputs: show(await journal.valueOf(requested.args)),
    result: request.resolution === undefined ? null : show(await describeResult(journal, request.resolution)),
    stdout: (await store.readTaskFile(journal.runId, effectId, "stdout.log")) ?? null,
    stderr: (await store.readTaskFile(journal.runId, effectId, "stderr.log")) ?? null,
  };
}

async function describeResult(journal: RunJournal, place: { seq: number; id: string }): Promise<Json> {
  const event = await journal.ports.store.readAt(journal.runId, place);
  const { result: _result, error: _error, ...rest } = event.payload as EffectResolved;
  return { ...rest, ...(await recordedOutcome(journal, event)) } as unknown as Json;
}

const SECRET_FIELD = /secret|token|passw(or)?d|credential|api_?-?key|private_?-?key|access_?-?key|authorization/i;

/** A copy in which fields with telling names are hidden. */
function hideSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      SECRET_FIELD.test(key) && field !== null && typeof field !== "boolean" && key !== "secretEnv"
        ? "[hidden]"
        : hideSecrets(field),
    ]),
  );
}

export interface EventQuery {
  limit?: number | undefined;
  reverse: boolean;
  type?: string | undefined;
}

/** Events of a run: filtered, then turned around, then cut. */
export async function listEvents(journal: RunJournal, query: EventQuery): Promise<JournalEvent[]> {
  const all = (await journal.ports.store.read(journal.runId, undefined)) ?? [];
  const wanted = query.type?.toLowerCase();
  const events = wanted === undefined ? all : all.filter(({ type }) => type.toLowerCase() === wanted);
  if (query.type !== undefined && events.length === 0 && !/^[A-Za-z_]+$/.test(query.type)) {
    throw new BabysitterError("USAGE", `${JSON.stringify(query.type)} is no event type.`, {
      hint: "Types are names such as EFFECT_REQUESTED; docs/reference/events.md lists them.",
    });
  }
  const ordered = query.reverse ? events.toReversed() : events;
  return query.limit === undefined ? ordered : ordered.slice(0, query.limit);
}
