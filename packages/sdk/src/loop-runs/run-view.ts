/** A run and its loop as the decision sees them. */

import type { RunView } from "../loop/rules/situation.js";
import { codeChangeText } from "../model/code-versions.js";
import { defined } from "../model/json.js";
import { hasProcess, isFinished, type PendingEffect, type RunSummary, statusOf } from "../model/run-state.js";
import { performerOf } from "../model/task-kinds.js";
import { isSetBack, sleepEnds } from "../model/time-spans.js";
import type { RunJournal } from "../runs/run-journal.js";

export function runViewOf({ summary, ports }: Pick<RunJournal, "summary" | "ports">): RunView {
  const now = ports.clock.now();
  const pending = isFinished(summary) ? [] : Object.values(summary.pending);
  const state = statusOf(summary);
  // Neither an answer nor the time continues a blocked run: the block comes first, and is no reason to rest.
  const awaited = state === "blocked" ? [] : pending;
  const proof = summary.completed?.completionProof;
  // A clock that has gone back is due for a look at once: when the sleep ends follows from that.
  const ends = (effect: PendingEffect): string | undefined =>
    effect.kind === "sleep" && effect.span !== undefined && isSetBack(summary, now.getTime())
      ? now.toISOString()
      : sleepEnds(effect, now.getTime());
  const sleepsUntil = soleSleep(awaited, ends);
  const dueAt = earliest(awaited, ends);
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

type Ends = (effect: PendingEffect) => string | undefined;

/** The earliest end, when everything that is pending is asleep. */
function soleSleep(pending: readonly PendingEffect[], ends: Ends): string | undefined {
  return pending.length === 0 || pending.some(({ kind }) => kind !== "sleep") ? undefined : earliest(pending, ends);
}

function earliest(pending: readonly PendingEffect[], ends: Ends): string | undefined {
  return pending.flatMap((effect) => ends(effect) ?? []).toSorted()[0];
}
