/** Questions about runs. Nothing here writes to a journal. */

import { diffFile } from "../journal/rules/chain.js";
import { codeChangeText } from "../model/code-versions.js";
import { BabysitterError } from "../model/errors.js";
import type { JournalEvent } from "../model/events.js";
import { defined, type JsonObject } from "../model/json.js";
import type { LoopState } from "../model/loop-state.js";

import {
  hasProcess,
  isFinished,
  type PendingEffect,
  type RunStatus,
  type RunSummary,
  statusOf,
} from "../model/run-state.js";
import { shownTime } from "../model/shown-amounts.js";
import { shownLine } from "../model/shown-text.js";
import type { LastError } from "../model/store.js";
import { performerOf } from "../model/task-kinds.js";
import { blockedError } from "./gates-report.js";
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
export function describeRun(journal: RunJournal, name: string = journal.runId): RunDescription {
  const { summary, runId } = journal;
  const state = statusOf(summary);
  const pending = isFinished(summary) ? [] : Object.values(summary.pending);
  const needsMoreIterations = isUnseen(journal, state, pending);
  const byKind: Record<string, number> = {};
  for (const { kind } of pending) byKind[kind] = (byKind[kind] ?? 0) + 1;
  return {
    runId,
    runDir: journal.runDir,
    state,
    why: explain(summary, state, needsMoreIterations) + afterthought(journal.lastError, state) + brokenOff(summary),
    next: nextCommand(summary, state, { needsMoreIterations, name }),
    needsMoreIterations,
    iterationCount: summary.iterations,
    completionProof: summary.completed?.completionProof ?? null,
    ...defined({
      error: errorOf(journal),
      codeChanges: describeCodeChanges(summary),
      codeAccepted: summary.code.accepted,
      failedTurns: summary.loop?.failedTurns,
    }),
    pendingEffects: pending.map(
      ({ effectId, invocationKey, kind, label, title, requestedAt, until, attempt, started }) =>
        defined({ effectId, invocationKey, kind, label, title, requestedAt, until, attempt, startedAt: started?.at }),
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

/** True when an iteration would show the process something that it has not seen yet. */
function isUnseen({ summary, lastReplay, ports }: RunJournal, state: RunStatus, pending: PendingEffect[]): boolean {
  if (!hasProcess(summary.created)) return false;
  if (state === "created" || state === "running") return true;
  if (state !== "waiting") return false;
  const now = ports.clock.now().getTime();
  if (pending.some(({ kind, until }) => kind === "sleep" && Date.parse(until ?? "") <= now)) return true;
  // A request that was made after the last result shows that the process has seen it.
  return summary.lastAfter < summary.lastResolution && lastReplay?.lastResolution !== summary.lastResolution;
}

/** What a person must know besides the state: the last iteration failed. */
function afterthought(error: LastError | undefined, state: RunStatus): string {
  if (error === undefined || state === "completed" || state === "blocked") return "";
  return ` The last iteration ended with ${error.code}: ${error.message.split("\n")[0]}`;
}

/** The agent would be at work, but its host cannot reach the model. */
function brokenOff(summary: RunSummary): string {
  const failure = isFinished(summary) ? undefined : summary.loop?.failure;
  if (failure === undefined) return "";
  const { error, message, times, at, retryAt } = failure;
  const turns = times === 1 ? "The agent's last turn" : `The agent's last ${times} turns`;
  const next = retryAt === undefined || summary.loop?.paused !== undefined ? "" : ` Next try: ${shownTime(retryAt)}.`;
  return ` ${turns} failed with an error of its host (${error}, ${shownTime(at)}): ${shownLine(message)}${next}`;
}

function errorOf({ summary, runId, lastError }: RunJournal): JsonObject | undefined {
  if (summary.blocked !== undefined) return blockedError(runId, summary.blocked).toDocument().error;
  if (summary.failed !== undefined) return summary.failed.error as unknown as JsonObject;
  return lastError === undefined ? undefined : { ...lastError };
}

function explain(summary: RunSummary, state: RunStatus, needsMoreIterations: boolean): string {
  const { failed } = summary;
  const words: Record<RunStatus, () => string> = {
    created: () => "It has not been iterated yet.",
    running: () =>
      hasProcess(summary.created)
        ? "All results are in; the process has not seen the latest ones yet."
        : explainLoop(summary.loop),
    waiting: () => explainWaiting(Object.values(summary.pending), needsMoreIterations),
    blocked: () =>
      `${
        summary.blocked?.code === "GATES_CHANGED"
          ? "Its process has lost breakpoints that people agreed to."
          : "Its process no longer matches its journal."
      }${beforeQuestions(summary)}`,
    failed: () => `Its process threw ${failed?.error.name ?? "Error"}: ${failed?.error.message.split("\n")[0] ?? ""}`,
    completed: () => (hasProcess(summary.created) ? "Its process has returned." : "Its loop has reached its goal."),
    paused: () => `It is paused: ${summary.loop?.paused?.message ?? ""}`,
    cancelled: () =>
      `It was cancelled${summary.cancelled?.reason === undefined ? "." : `: ${summary.cancelled.reason}`}`,
  };
  return words[state]();
}

/** Whoever answers a question of a blocked run would wait in vain for what comes of it. */
function beforeQuestions({ pending }: RunSummary): string {
  return Object.values(pending).some(({ kind }) => kind === "breakpoint")
    ? " That comes first: until then an answer to its open question has no effect."
    : "";
}

function explainLoop(loop: RunSummary["loop"]): string {
  if (loop?.session === undefined) return "No agent is working on it yet.";
  return `An agent is working on it, iteration ${loop.iteration}.`;
}

function explainWaiting(pending: PendingEffect[], needsMoreIterations: boolean): string {
  const [only] = pending;
  const count = `${pending.length} ${pending.length === 1 ? "result" : "results"}`;
  if (needsMoreIterations) return `The process has not seen the latest results yet; ${count} still pending.`;
  if (pending.length === 1 && only?.kind === "breakpoint") return "Waiting for a human to answer a question.";
  if (pending.length === 1 && only?.until !== undefined) return `Sleeping until ${shownTime(only.until)}.`;
  const started = pending.filter((effect) => effect.started !== undefined);
  if (started.length > 0) return `${runningText(started)}; waiting for ${count}.`;
  return `Waiting for ${awaitedText(pending)}.`;
}

function awaitedText(pending: PendingEffect[]): string {
  const [kind = "", ...others] = [...new Set(pending.map((effect) => effect.kind))];
  const all =
    others.length > 0 ? "result" : kind === "breakpoint" ? "answer" : kind === "sleep" ? "sleep" : `${kind} task`;
  return `${pending.length} ${all}${pending.length === 1 ? "" : "s"}`;
}

function runningText(started: PendingEffect[]): string {
  const names = started.map(({ title, taskId }) => title ?? taskId).slice(0, 3);
  const more = started.length > names.length ? ` and ${started.length - names.length} more` : "";
  return `Executing: ${names.join(", ")}${more}`;
}

function nextCommand(
  summary: RunSummary,
  state: RunStatus,
  { needsMoreIterations, name: runId }: { needsMoreIterations: boolean; name: string },
): string | undefined {
  const pending: PendingEffect[] = Object.values(summary.pending);
  if (!hasProcess(summary.created)) return nextOfLoop(summary, runId);
  if (state === "completed") return undefined;
  if (state === "cancelled") return `babysitter run:fork ${runId} --at ${summary.head.seq}    (to continue in a copy)`;
  if (state === "failed")
    return `babysitter run:retry ${runId}    (or fix the process, then: babysitter run:iterate ${runId})`;
  if (state === "blocked" && summary.blocked?.code === "GATES_CHANGED")
    return `babysitter run:accept-code ${runId}    (or restore the breakpoints, then: babysitter run:iterate ${runId})`;
  if (needsMoreIterations || state === "blocked") return `babysitter run:iterate ${runId}`;
  const work = pending.find(({ kind }) => kind !== "sleep");
  if (pending.some(({ kind, started }) => performerOf(kind) === "engine" || started !== undefined))
    return `babysitter run ${runId}    (executes what is pending, unless someone is already doing so)`;
  if (work === undefined) return `babysitter run:iterate ${runId}    (when the sleep is over)`;
  if (work.kind === "breakpoint")
    return `babysitter breakpoint:approve ${work.effectId}    (or breakpoint:reject ${work.effectId} --reason "…")`;
  return `babysitter task:post ${runId} ${work.effectId} --status ok --value result.json`;
}

/** What continues a loop that has no process. */
function nextOfLoop({ loop, cancelled }: RunSummary, runId: string): string | undefined {
  if (loop === undefined || cancelled !== undefined) return undefined;
  if (loop.ended !== undefined) return `babysitter loop:report ${runId}`;
  return loop.paused === undefined && loop.session !== undefined
    ? `babysitter loop:status ${runId}`
    : `babysitter loop:resume ${runId}`;
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
    throw new BabysitterError("USAGE", `${JSON.stringify(query.type)} is not a valid event type.`, {
      hint: "Types are names such as EFFECT_REQUESTED; docs/reference/events.md lists them.",
    });
  }
  const ordered = query.reverse ? events.toReversed() : events;
  return query.limit === undefined ? ordered : ordered.slice(0, query.limit);
}
