/** A run and its loop as the decision sees them. */

import type { RunView } from "../loop/rules/situation.js";
import { codeChangeText } from "../model/code-versions.js";
import { defined } from "../model/json.js";
import { hasProcess, isFinished, type PendingEffect, type RunSummary, statusOf } from "../model/run-state.js";
import { performerOf } from "../model/task-kinds.js";

export function runViewOf(summary: RunSummary): RunView {
  const pending = isFinished(summary) ? [] : Object.values(summary.pending);
  const state = statusOf(summary);
  // Neither an answer nor the time continues a blocked run: the block comes first, and is no reason to rest.
  const awaited = state === "blocked" ? [] : pending;
  const proof = summary.completed?.completionProof;
  const sleepsUntil = soleSleep(awaited);
  const dueAt = earliest(awaited);
  return {
    state,
    hasProcess: hasProcess(summary.created),
    cancelled: summary.cancelled !== undefined,
    pendingKinds: [...new Set(pending.map(({ kind }) => kind))],
    tasksRunning: pending.some(({ started }) => started !== undefined),
    openQuestions: soleQuestions(awaited),
    ...(sleepsUntil === undefined ? {} : { sleepsUntil }),
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(proof === undefined ? {} : { proof }),
    ...defined({ codeChanges: codeChangeText(summary.code), gatesMissing: gatesMissingIn(summary) }),
  };
}

function gatesMissingIn({ blocked }: RunSummary): number | undefined {
  if (blocked?.code !== "GATES_CHANGED") return undefined;
  const { missing } = blocked.report;
  return Array.isArray(missing) ? missing.length : 0;
}

/** Questions, when nothing is pending that the agent could do meanwhile. */
function soleQuestions(pending: readonly PendingEffect[]): string[] {
  return pending.some(({ kind }) => !["person", "time"].includes(performerOf(kind)))
    ? []
    : pending.filter(({ kind }) => kind === "breakpoint").map(({ effectId }) => effectId);
}

/** The earliest end, when everything that is pending is asleep. */
function soleSleep(pending: readonly PendingEffect[]): string | undefined {
  return pending.length === 0 || pending.some(({ kind }) => kind !== "sleep") ? undefined : earliest(pending);
}

function earliest(pending: readonly PendingEffect[]): string | undefined {
  return pending.flatMap(({ until }) => (until === undefined ? [] : [until])).toSorted()[0];
}
