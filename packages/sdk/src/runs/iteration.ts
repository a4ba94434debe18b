import { ERROR_CODES, type ErrorCode } from "../model/error-codes.js";
import type { BabysitterError, RecordedError } from "../model/errors.js";
import type { EffectRequested } from "../model/events.js";
import { defined, type Json, type JsonObject } from "../model/json.js";
import { hasProcess, type PendingEffect, pendingOf, statusOf } from "../model/run-state.js";
import { sleepEnds } from "../model/time-spans.js";
import { blockedError } from "./gates-report.js";
import type { RunJournal } from "./run-journal.js";

/** An effect that someone outside has to execute or answer. */
export interface NextAction {
  effectId: string;
  invocationKey: string;
  kind: string;
  taskId: string;
  stepId: string;
  label?: string;
  title?: string;
  taskDef: Json;
  requestedAt: string;
  attempt: number;
  /** For sleeps: when it ends. */
  until?: string;
}

/** What one iteration answers. */
export interface Iteration {
  /** `executed` when results were committed by this call, else where the run stands. */
  status: "executed" | "waiting" | "completed" | "failed" | "none";
  action: "executed-tasks" | "waiting" | "none";
  reason: string;
  count: number;
  /** How many iterations have moved this run. */
  iterationCount: number;
  nextActions: NextAction[];
  output?: Json;
  error?: RecordedError | JsonObject;
  completionProof?: string;
  warnings: string[];
  metadata: { runId: string; processId: string; hookStatus: string };
}

interface Facts {
  committed: number;
  terminal: boolean;
  warnings: string[];
  actions: NextAction[];
}

/** The document of an iteration, from the state it left. */
export async function iterationOf(journal: RunJournal, facts: Facts): Promise<Iteration> {
  const { summary } = journal;
  const base = {
    iterationCount: summary.iterations,
    nextActions: facts.actions,
    warnings: facts.warnings,
    metadata: { runId: journal.runId as string, processId: summary.created.processId, hookStatus: "skipped" },
  };
  if (summary.completed !== undefined) {
    const { output, completionProof } = summary.completed;
    return {
      status: "completed",
      ...ending(facts, "completed"),
      output: await journal.valueOf(output),
      completionProof,
      ...base,
    };
  }
  if (summary.cancelled !== undefined)
    return { status: "failed", action: "none", reason: "cancelled", count: facts.committed, ...base };
  if (!hasProcess(summary.created)) return { ...loopIteration(statusOf(summary) === "completed"), ...base };
  if (summary.blocked !== undefined) {
    return {
      status: "failed",
      action: "none",
      reason: "blocked",
      count: 0,
      error: blockedError(journal.runId, summary.blocked).toDocument().error,
      ...base,
      nextActions: [],
    };
  }
  if (summary.failed !== undefined)
    return { status: "failed", ...ending(facts, "failed"), error: summary.failed.error, ...base };
  if (facts.committed > 0)
    return {
      status: "executed",
      action: "executed-tasks",
      reason: "auto-runnable-tasks",
      count: facts.committed,
      ...base,
    };
  const pending = Object.values(summary.pending);
  if (pending.length > 0)
    return { status: "waiting", action: "waiting", reason: waitingReason(pending), count: pending.length, ...base };
  return { status: "none", action: "none", reason: statusOf(summary), count: 0, ...base };
}

/** A loop without a process advances by its agent's turns, not by iterations. */
function loopIteration(hasEnded: boolean): Pick<Iteration, "status" | "action" | "reason" | "count"> {
  return hasEnded
    ? { status: "completed", action: "none", reason: "terminal-state", count: 0 }
    : { status: "waiting", action: "waiting", reason: "loop", count: 0 };
}

function ending(facts: Facts, reason: string): Pick<Iteration, "action" | "reason" | "count"> {
  return { action: "none", reason: facts.terminal ? "terminal-state" : reason, count: facts.committed };
}

/** Why a run waits, in one word. */
export function waitingReason(pending: readonly PendingEffect[]): string {
  if (pending.every(({ started }) => started !== undefined)) return "tasks-running";
  const kinds = [...new Set(pending.map(({ kind }) => kind))].toSorted();
  const [kind = "", ...others] = kinds;
  if (others.length > 0) return `mixed-pending:${kinds.join(",")}`;
  return kind === "breakpoint" || kind === "sleep" ? `${kind}-waiting` : `${kind}-pending`;
}

/** The pending effects with their definitions, in the order they were requested. */
export async function nextActions(journal: RunJournal, known: Map<string, Json>): Promise<NextAction[]> {
  const pending = Object.values(journal.summary.pending);
  for (const effectId of known.keys()) if (pendingOf(journal.summary, effectId) === undefined) known.delete(effectId);
  for (const { effectId, request } of pending) {
    if (known.has(effectId)) continue;
    const event = await journal.ports.store.readAt(journal.runId, request);
    known.set(effectId, journal.relocated(await journal.valueOf((event.payload as EffectRequested).definition)));
  }
  const nowMs = journal.ports.clock.now().getTime();
  return pending.map(
    ({ effectId, invocationKey, kind, taskId, label, title, requestedAt, attempt, request, ...rest }) =>
      defined({
        effectId,
        invocationKey,
        kind,
        taskId,
        stepId: `S${String(request.seq).padStart(6, "0")}`,
        label,
        title,
        taskDef: known.get(effectId) ?? null,
        requestedAt,
        attempt,
        until: sleepEnds(rest, nowMs),
      }),
  );
}

/** Code of the documented error that ended an iteration; undefined when the process itself threw, or nothing went wrong. */
export function errorCodeOf({ error }: Iteration): ErrorCode | undefined {
  const coded = error as { code?: unknown; details?: unknown } | undefined;
  const isOurs =
    typeof coded?.code === "string" && coded.details !== undefined && Object.hasOwn(ERROR_CODES, coded.code);
  return isOurs ? (coded.code as ErrorCode) : undefined;
}

/** A coded error as an iteration's document: commands answer in one shape whatever happens. */
export function failedIteration(journal: RunJournal, error: BabysitterError): Iteration {
  const { summary } = journal;
  return {
    status: "failed",
    action: "none",
    reason:
      error.code === "RUN_DIVERGED" || error.code === "GATES_CHANGED"
        ? "blocked"
        : error.code.toLowerCase().replaceAll("_", "-"),
    count: 0,
    iterationCount: summary.iterations,
    nextActions: [],
    error: error.toDocument().error,
    warnings: [],
    metadata: { runId: journal.runId, processId: summary.created.processId, hookStatus: "skipped" },
  };
}
