/** Questions about runs. Nothing here writes to a journal. */

import { diffFile } from "../journal/rules/chain.js";
import { codeChangeText } from "../model/code-versions.js";
import { defined, type JsonObject } from "../model/json.js";
import type { LoopState } from "../model/loop-state.js";
import { hasProcess, isFinished, type RunSummary } from "../model/run-state.js";
import { sleepEnds } from "../model/time-spans.js";
import { wayOnOf } from "./failed-steps.js";
import { blockedError } from "./gates-report.js";
import type { RunJournal } from "./run-journal.js";
import { type Driving, type Standing, standingOf } from "./standing.js";

/** Where a run stands, why, and what to do next. */
export interface RunDescription extends Standing {
  runId: string;
  runDir: string;
  iterationCount: number;
  completionProof: string | null;
  error?: JsonObject;
  /** That and how the code has changed since the run began; missing when it has not. */
  codeChanges?: CodeChanges;
  /** Who last accepted changed code, and by which way. */
  codeAccepted?: { at: string; by: string; via: string; codeHash: string };
  /** Turns of its agent that ended with an error of the host: how many, and the last one. */
  failedTurns?: NonNullable<LoopState["failedTurns"]>;
  pendingEffects: {
    effectId: string;
    invocationKey: string;
    kind: string;
    label?: string;
    title?: string;
    requestedAt: string;
    until?: string;
    /** Since when the open attempt is under way. */
    startedAt?: string;
    attempt: number;
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

interface CodeChanges {
  /** How often other code ran than before. */
  count: number;
  /** Every file that has changed. */
  files: string[];
  lastAt: string;
  /** What changed last, relative to the run directory. */
  lastDiff: string;
  /** Breakpoints of the code that people agreed to, and that the code lacks now. */
  missingBreakpoints: { file: string; text: string }[];
  /** In words. */
  text: string;
}

/** The changes of a run's code; undefined when there are none. */
function describeCodeChanges({ code }: RunSummary): CodeChanges | undefined {
  const text = codeChangeText(code);
  const { changes: count, files, last, lost = [] } = code;
  if (text === undefined || last === undefined) return undefined;
  const missingBreakpoints = lost.map(({ file, text: call }) => ({ file, text: call }));
  return { count, files: [...files], lastAt: last.at, lastDiff: diffFile(last), missingBreakpoints, text };
}

/** Where a run stands, why, and what to do. */
export async function describeRun(
  journal: RunJournal,
  name: string = journal.runId,
  driving?: Driving,
): Promise<RunDescription> {
  const { summary, runId, lastError } = journal;
  const pending = isFinished(summary) ? [] : Object.values(summary.pending);
  const now = journal.ports.clock.now();
  const seenResolution = journal.lastReplay?.lastResolution;
  const byKind: Record<string, number> = {};
  for (const { kind } of pending) byKind[kind] = (byKind[kind] ?? 0) + 1;
  return {
    runId,
    runDir: journal.runDir,
    ...standingOf(summary, { now, name, lastError, seenResolution, driving, wayOn: await wayOnOf(journal) }),
    iterationCount: summary.iterations,
    completionProof: summary.completed?.completionProof ?? null,
    ...defined({
      error: errorOf(journal),
      codeChanges: describeCodeChanges(summary),
      codeAccepted: summary.code.accepted,
      failedTurns: summary.loop?.failedTurns,
    }),
    pendingEffects: pending.map(
      ({ effectId, invocationKey, kind, label, title, requestedAt, attempt, started, ...rest }) => {
        const [until, startedAt] = [sleepEnds(rest, now.getTime()), started?.at];
        return defined({ effectId, invocationKey, kind, label, title, requestedAt, until, attempt, startedAt });
      },
    ),
    metadata: {
      processId: summary.created.processId,
      stateVersion: summary.head.seq,
      pendingEffectsByKind: byKind,
      entry: hasProcess(summary.created) ? `${summary.created.entry.path}#${summary.created.entry.export}` : "",
      createdAt: summary.created.at,
      lastEventAt: summary.head.timestamp,
      effects: summary.counts,
    },
  };
}

function errorOf({ summary, runId, lastError }: RunJournal): JsonObject | undefined {
  if (summary.blocked !== undefined) return blockedError(runId, summary.blocked).toDocument().error;
  if (summary.failed !== undefined) return summary.failed.error as unknown as JsonObject;
  return lastError === undefined ? undefined : { ...lastError };
}
