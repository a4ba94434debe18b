/** Which lifecycle hooks an event calls for. Whoever appends an event calls them, so that each is called once. */
import type { EffectResolved, JournalEvent } from "../model/events.js";
import type { HookCall, KnownHookType } from "../model/hook-types.js";
import { defined, isJsonObject, type Json, type JsonObject } from "../model/json.js";
import type { PendingEffect, RunSummary } from "../model/run-state.js";

/** What is known of an effect before its result takes it from the list. */
interface KnownEffect {
  kind: string;
  label?: string;
  labels?: string[];
}

type EventOf<T extends JournalEvent["type"]> = Extract<JournalEvent, { type: T }>;

/** A call with the effect that it is about. */
export type MomentCall = HookCall & { hookType: KnownHookType; about?: string };

/** What is called about a task that is executed. */
export const TASK_HOOKS = ["on-task-start", "on-task-complete", "on-score"] as const satisfies KnownHookType[];

/** Values above this are not put into payloads; hooks read them from the run directory. */
const MAX_VALUE = 64 * 1024;

export class HookMoments {
  readonly #runDir: string;
  readonly #summary: RunSummary;
  readonly #effects = new Map<string, KnownEffect>();

  constructor({ runDir, summary }: { runDir: string; summary: RunSummary }) {
    this.#runDir = runDir;
    this.#summary = summary;
    for (const { effectId, kind, label, labels } of Object.values(summary.pending))
      this.#effects.set(effectId, { kind, ...defined({ label, labels }) });
  }

  /** The calls for one event, in the order in which they are to be made. */
  callsFor(event: JournalEvent): MomentCall[] {
    if (event.type === "RUN_CREATED") return [this.#created(event)];
    if (event.type === "EFFECT_REQUESTED") return [this.#requested(event)];
    if (event.type === "EFFECT_STARTED") return [this.#started(event)];
    if (event.type === "EFFECT_RESOLVED") return this.#resolved(event);
    return event.type === "RUN_COMPLETED" || event.type === "RUN_FAILED" ? [this.#ended(event)] : [];
  }

  #created({ payload, timestamp }: EventOf<"RUN_CREATED">): MomentCall {
    const { path, export: exportName } = payload.entry;
    const fields = { processId: payload.processId, entry: `${path}#${exportName}`, createdAt: timestamp };
    return this.#call("on-run-start", fields);
  }

  #started(event: EventOf<"EFFECT_STARTED">): MomentCall {
    const fields = { ...this.#effect(event), attempt: event.payload.attempt };
    return this.#call("on-task-start", fields, event.effectId);
  }

  #ended(event: EventOf<"RUN_COMPLETED"> | EventOf<"RUN_FAILED">): MomentCall {
    if (event.type === "RUN_COMPLETED")
      return this.#call("on-run-complete", {
        ...this.#ending(event, "completed"),
        ...smallOutput(event.payload.output),
      });
    const { name, message } = event.payload.error;
    return this.#call("on-run-fail", { ...this.#ending(event, "failed"), error: { name, message } });
  }

  #requested(event: EventOf<"EFFECT_REQUESTED">): MomentCall {
    const { kind, label, labels } = event.payload;
    this.#effects.set(event.effectId, { kind, ...defined({ label, labels }) });
    const stepId = `S${String(event.seq).padStart(6, "0")}`;
    return this.#call("on-step-dispatch", { ...this.#effect(event), stepId }, event.effectId);
  }

  #resolved(event: EventOf<"EFFECT_RESOLVED">): MomentCall[] {
    const { effectId, payload } = event;
    const effect = this.#effect(event);
    const complete = this.#call(
      "on-task-complete",
      {
        ...effect,
        status: payload.status,
        attempt: payload.attempt,
        ...factsOf(payload),
        resultRef: `tasks/${effectId}/result.json`,
      },
      effectId,
    );
    const score = scoreOf(payload, this.#effects.get(effectId));
    this.#effects.delete(effectId);
    return score === undefined ? [complete] : [complete, this.#call("on-score", { ...effect, ...score }, effectId)];
  }

  #effect({
    effectId,
    invocationKey,
    taskId,
  }: Pick<PendingEffect, "effectId" | "invocationKey" | "taskId">): JsonObject {
    const { kind = "unknown", label } = this.#effects.get(effectId) ?? {};
    return { effectId, invocationKey, taskId, kind, ...defined({ label }) };
  }

  #ending(event: JournalEvent, status: string): JsonObject {
    const { processId, at } = this.#summary.created;
    return { processId, status, durationMs: Math.max(0, Date.parse(event.timestamp) - Date.parse(at)) };
  }

  #call(hookType: KnownHookType, fields: JsonObject, about?: string): MomentCall {
    const payload = { runId: this.#summary.created.runId, runDir: this.#runDir, ...fields };
    return { hookType, payload, ...defined({ about }) };
  }
}

function factsOf({ metadata, startedAt, finishedAt }: EffectResolved): JsonObject {
  const known = isJsonObject(metadata) ? metadata : {};
  const measured = Date.parse(finishedAt ?? "") - Date.parse(startedAt ?? "");
  const durationMs = known["durationMs"] ?? (Number.isFinite(measured) ? measured : undefined);
  return defined({ exitCode: known["exitCode"], durationMs });
}

function scoreOf({ status, result }: EffectResolved, effect: KnownEffect | undefined): JsonObject | undefined {
  const isLabelled = effect?.label === "score" || effect?.labels?.includes("score") === true;
  if (status !== "ok" || !isLabelled || result === undefined || !("value" in result)) return undefined;
  const { value } = result;
  const score = typeof value === "number" ? value : isJsonObject(value) ? value["score"] : undefined;
  return typeof score === "number" ? { score, ...small("result", value) } : undefined;
}

function smallOutput(output: { value: Json } | { blob: string; bytes: number }): JsonObject {
  return "value" in output ? small("output", output.value) : {};
}

function small(name: string, value: Json): JsonObject {
  return JSON.stringify(value).length <= MAX_VALUE ? { [name]: value } : {};
}
