/** Questions about the effects of a run. Nothing here writes to a journal. */
import type { EffectRequested, EffectResolved } from "../model/events.js";
import { parseEffectId } from "../model/ids.js";
import { defined, isJsonObject, type Json } from "../model/json.js";
import { type PendingEffect, type RecordedRequest, requestOf } from "../model/run-state.js";
import { hideAssignedSecrets, isSecretName } from "../model/secrets.js";
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
  effect: Pick<PendingEffect, "effectId" | "taskId" | "invocationKey" | "kind" | "label" | "title">,
  requestedAt: string,
  attempt: number,
  status: TaskListing["status"],
): TaskListing {
  const { effectId, taskId, invocationKey, kind, label, title } = effect;
  return defined({ effectId, taskId, invocationKey, kind, label, title, status, requestedAt, attempt });
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
  const log = (text: string | undefined): string | null =>
    text === undefined ? null : options.secrets ? text : hideAssignedSecrets(text);
  const show = options.secrets ? (value: Json): Json => value : hideSecrets;
  return {
    effect: { ...(row as TaskListing), ...(requested.location === undefined ? {} : { location: requested.location }) },
    task: show(await journal.valueOf(requested.definition)),
    inputs: show(await journal.valueOf(requested.args)),
    result: request.resolution === undefined ? null : show(await describeResult(journal, request.resolution)),
    stdout: log(await store.readTaskFile(journal.runId, effectId, "stdout.log")),
    stderr: log(await store.readTaskFile(journal.runId, effectId, "stderr.log")),
  };
}

async function describeResult(journal: RunJournal, place: { seq: number; id: string }): Promise<Json> {
  const event = await journal.ports.store.readAt(journal.runId, place);
  const { result: _result, error: _error, ...rest } = event.payload as EffectResolved;
  return { ...rest, ...(await recordedOutcome(journal, event)) } as unknown as Json;
}

/** A copy in which fields with telling names are hidden. */
function hideSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      isSecretName(key) && typeof field === "string" ? "[hidden]" : hideSecrets(field),
    ]),
  );
}
