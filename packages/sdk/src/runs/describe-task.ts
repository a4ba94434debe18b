/** Questions about the effects of a run. Nothing here writes to a journal. */
import { type EffectRequested, type EffectResolved, headOf } from "../model/events.js";
import { parseEffectId } from "../model/ids.js";
import { defined, isJsonObject, type Json } from "../model/json.js";
import { type RecordedRequest, requestOf } from "../model/replay-index.js";
import { isFinished, type PendingEffect } from "../model/run-state.js";
import { hideSecrets, isSecretName } from "../model/secrets.js";
import type { Place } from "../model/store.js";
import { type Attempt, attemptsOf } from "./list-attempts.js";
import { effectNotFound, recordedOutcome } from "./post-result.js";
import type { RunJournal } from "./run-journal.js";

export interface TaskListing {
  effectId: string;
  taskId: string;
  invocationKey: string;
  kind: string;
  label?: string;
  title?: string;
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
  const finished = isFinished(journal.summary);
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
      const attempt = journal.summary.pending[request.effectId]?.attempt ?? request.retried ?? 1;
      return listing(request, request.at, attempt, finished || request.dropped ? "abandoned" : "requested");
    });
}

function listing(
  effect: Pick<PendingEffect, "effectId" | "taskId" | "invocationKey" | "kind" | "label" | "title">,
  requestedAt: string,
  attempt: number,
  status: TaskListing["status"],
): TaskListing {
  const { effectId, taskId, invocationKey, kind, label, title } = effect;
  return defined({ effectId, taskId, invocationKey, kind, label, title, status, requestedAt, attempt });
}

/** So much of each log is shown; of a longer one, its end. */
const SHOWN_LOG_BYTES = 1024 * 1024;

export interface TaskDescription {
  effect: TaskListing & { location?: string };
  task: Json;
  inputs: Json;
  result: Json;
  /** Every attempt that the journal knows of, in their order. */
  attempts: Attempt[];
  /** Of the last attempt, also while it is under way. */
  stdout: string | null;
  stderr: string | null;
  /** Which of the two texts is only the end of its log. */
  truncated: { stdout: boolean; stderr: boolean };
  /** Paths relative to the run; those of earlier attempts have their number in the name. */
  logs: { file: string; bytes: number }[];
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
  const { store, workspace } = journal.ports;
  const requestEvent = await store.readAt(journal.runId, request);
  const requested = requestEvent.payload as EffectRequested;
  const [row] = (await listTasks(journal, { pending: false })).filter((task) => task.effectId === effectId);
  const text = options.secrets ? (shown: string): string => shown : hideSecrets;
  const show = options.secrets ? (value: Json): Json => value : hideFields;
  // What is still to be done is to be done here; what was done is shown as it was.
  const asUsed = (value: Json): Json => (request.resolution === undefined ? journal.relocated(value) : value);
  const stdout = await workspace.readLogTail(journal.runId, effectId, "stdout.log", SHOWN_LOG_BYTES);
  const stderr = await workspace.readLogTail(journal.runId, effectId, "stderr.log", SHOWN_LOG_BYTES);
  // The attempts at a request that was made anew began before it.
  const since = request.earlier === undefined ? headOf(requestEvent) : undefined;
  const later = (await store.read(journal.runId, since)) ?? [];
  return {
    effect: { ...(row as TaskListing), ...(requested.location === undefined ? {} : { location: requested.location }) },
    task: show(asUsed(await journal.valueOf(requested.definition))),
    inputs: show(asUsed(await journal.valueOf(requested.args))),
    result: request.resolution === undefined ? null : show(await describeResult(journal, request.resolution)),
    attempts: attemptsOf(later, effectId, { finished: isFinished(journal.summary) }).map((attempt) =>
      attempt.error === undefined ? attempt : { ...attempt, error: text(attempt.error) },
    ),
    stdout: stdout === undefined ? null : text(stdout.text),
    stderr: stderr === undefined ? null : text(stderr.text),
    truncated: { stdout: stdout?.truncated ?? false, stderr: stderr?.truncated ?? false },
    logs: await workspace.listLogs(journal.runId, effectId),
  };
}

async function describeResult(journal: RunJournal, place: Place): Promise<Json> {
  const event = await journal.ports.store.readAt(journal.runId, place);
  const { result: _result, error: _error, ...rest } = event.payload as EffectResolved;
  return { ...rest, ...(await recordedOutcome(journal, event)) } as unknown as Json;
}

/** A copy in which fields with telling names are hidden. */
function hideFields(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideFields);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      isSecretName(key) && typeof field === "string" ? "[hidden]" : hideFields(field),
    ]),
  );
}
