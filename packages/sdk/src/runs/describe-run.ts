/** Questions about runs. Nothing here writes to a journal. */

import { diffFile } from "../journal/rules/chain.js";
import { codeChangeText } from "../model/code-versions.js";
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
import { sleepEnds, waitEnds } from "../model/time-spans.js";
import { clockText } from "./clock-set-back.js";
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

/** Who works on a run just now. */
export interface Driving {
  /** `tasks`: executes what is pending, and leaves the process to others. */
  by: "driver" | "tasks" | "nobody";
  /** Such as `process 4711`. */
  who?: string;
}

/** What the journal does not say about where a run stands. */
interface StandingFacts {
  now: Date;
  /** How to name the run in commands. */
  name: string;
  /** What the last iteration ended with, if it could not be finished. */
  lastError?: LastError | undefined;
  /** The last result that a replay has shown to the process. */
  seenResolution?: number | undefined;
  /** Undefined when nobody has looked. */
  driving?: Driving | undefined;
}

type Standing = Pick<RunDescription, "state" | "why" | "next" | "needsMoreIterations">;

/** The one rule for where a run stands, why, and what to do: every command says what this says. */
export function standingOf(summary: RunSummary, given: StandingFacts): Standing {
  const state = statusOf(summary);
  const needsMoreIterations = isUnseen(summary, state, given);
  const facts = { ...given, needsMoreIterations };
  const clock = isFinished(summary) ? undefined : clockText(summary, given.now);
  return {
    state,
    why: [
      explain(summary, state, facts) + afterthought(given.lastError, state) + brokenOff(summary),
      ...(clock === undefined ? [] : [clock]),
    ].join(" "),
    next: nextCommand(summary, state, facts),
    needsMoreIterations,
  };
}

/** Where a run stands, why, and what to do. */
export function describeRun(journal: RunJournal, name: string = journal.runId, driving?: Driving): RunDescription {
  const { summary, runId, lastError } = journal;
  const pending = isFinished(summary) ? [] : Object.values(summary.pending);
  const now = journal.ports.clock.now();
  const seenResolution = journal.lastReplay?.lastResolution;
  const byKind: Record<string, number> = {};
  for (const { kind } of pending) byKind[kind] = (byKind[kind] ?? 0) + 1;
  return {
    runId,
    runDir: journal.runDir,
    ...standingOf(summary, { now, name, lastError, seenResolution, driving }),
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

/** True when an iteration would show the process something that it has not seen yet. */
function isUnseen(summary: RunSummary, state: RunStatus, { now: date, seenResolution }: StandingFacts): boolean {
  if (!hasProcess(summary.created)) return false;
  if (state === "created" || state === "running") return true;
  if (state !== "waiting") return false;
  const now = date.getTime();
  const sleeps = Object.values(summary.pending).filter(({ kind }) => kind === "sleep");
  if (sleeps.some((effect) => (waitEnds(effect, now) ?? now) <= now)) return true;
  // A request that was made after the last result shows that the process has seen it.
  return summary.lastAfter < summary.lastResolution && seenResolution !== summary.lastResolution;
}

/** States that say all there is to say, or have said it already. */
const SAID: ReadonlySet<RunStatus> = new Set(["created", "completed", "blocked", "cancelled"]);

/** What a person must know besides the state: the last iteration failed. */
function afterthought(error: LastError | undefined, state: RunStatus): string {
  return error === undefined || SAID.has(state) ? "" : ` The last iteration ended with ${errorText(error)}`;
}

function errorText({ code, message }: LastError): string {
  return `${code}: ${message.split("\n")[0]}`;
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

interface Facts extends StandingFacts {
  needsMoreIterations: boolean;
}

function explain(summary: RunSummary, state: RunStatus, facts: Facts): string {
  const { failed } = summary;
  const words: Record<RunStatus, () => string> = {
    created: () => explainCreated(facts),
    running: () => (hasProcess(summary.created) ? explainRunning(facts) : explainLoop(summary.loop)),
    waiting: () => explainWaiting(Object.values(summary.pending), facts),
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

function explainCreated({ lastError, driving }: Facts): string {
  if (driving?.by === "driver") return "Its process has been started.";
  return lastError === undefined
    ? "It has not been iterated yet."
    : `Its first iteration ended with ${errorText(lastError)}`;
}

function explainRunning({ driving }: Facts): string {
  if (driving?.by === "driver") return "All results are in; its process is at work.";
  return "All results are in; the process has not seen the latest ones yet.";
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

function explainWaiting(pending: PendingEffect[], { needsMoreIterations, now, driving }: Facts): string {
  const [only] = pending;
  const count = `${pending.length} ${pending.length === 1 ? "result" : "results"}`;
  if (needsMoreIterations && driving?.by !== "driver")
    return `The process has not seen the latest results yet; ${count} still pending.`;
  if (pending.length === 1 && only?.kind === "breakpoint") return "Waiting for a human to answer a question.";
  const until = only === undefined ? undefined : sleepEnds(only, now.getTime());
  if (pending.length === 1 && until !== undefined) return `Sleeping until ${shownTime(until)}.`;
  const started = pending.filter((effect) => effect.started !== undefined);
  return started.length > 0
    ? `${driving?.by === "nobody" ? "Interrupted while executing" : "Executing:"} ${namesOf(started)}; waiting for ${count}.`
    : `Waiting for ${awaitedText(pending)}.`;
}

function awaitedText(pending: PendingEffect[]): string {
  const [kind = "", ...others] = [...new Set(pending.map((effect) => effect.kind))];
  const all =
    others.length > 0 ? "result" : kind === "breakpoint" ? "answer" : kind === "sleep" ? "sleep" : `${kind} task`;
  return `${pending.length} ${all}${pending.length === 1 ? "" : "s"}`;
}

function namesOf(started: PendingEffect[]): string {
  const names = started.map(({ title, taskId }) => shownLine(title ?? taskId, 60)).slice(0, 3);
  const more = started.length > names.length ? ` and ${started.length - names.length} more` : "";
  return `${names.join(", ")}${more}`;
}

function nextCommand(summary: RunSummary, state: RunStatus, facts: Facts): string | undefined {
  const { name: runId } = facts;
  if (!hasProcess(summary.created)) return nextOfLoop(summary, runId);
  if (state === "completed") return undefined;
  if (state === "cancelled") return `babysitter run:fork ${runId} --at ${summary.head.seq}    (to continue in a copy)`;
  if (state === "failed")
    return `babysitter run:retry ${runId}    (or fix the process, then: babysitter run:iterate ${runId})`;
  if (state === "blocked" && summary.blocked?.code === "GATES_CHANGED")
    return `babysitter run:accept-code ${runId}    (or restore the breakpoints, then: babysitter run:iterate ${runId})`;
  if (state === "blocked") return nextWhenBlocked(summary, runId);
  return nextOfOpen(Object.values(summary.pending), facts);
}

/** What continues a run that has neither ended nor failed. */
function nextOfOpen(pending: readonly PendingEffect[], { needsMoreIterations, name: runId, driving }: Facts): string {
  const who = driving?.who ?? "another program";
  const isForEngine = pending.some(({ kind, started }) => performerOf(kind) === "engine" || started !== undefined);
  if (driving?.by === "driver" && (needsMoreIterations || isForEngine))
    return `babysitter run:watch ${runId}    (${who} is driving it)`;
  if (needsMoreIterations) return `babysitter run:iterate ${runId}`;
  if (isForEngine)
    return driving?.by === "tasks"
      ? `babysitter run:iterate ${runId}    (waits for the tasks that ${who} executes)`
      : `babysitter run ${runId}    (executes what is pending)`;
  const work = pending.find(({ kind }) => kind !== "sleep");
  if (work === undefined) return `babysitter run:iterate ${runId}    (when the sleep is over)`;
  if (work.kind === "breakpoint")
    return `babysitter breakpoint:approve ${work.effectId}    (or breakpoint:reject ${work.effectId} --reason "…")`;
  return `babysitter task:post ${runId} ${work.effectId} --status ok --value result.json`;
}

/** The same code would be blocked again. */
function nextWhenBlocked({ blocked }: RunSummary, runId: string): string {
  const fork = blocked?.report["fork"];
  return typeof fork === "string"
    ? `${fork}    (continues in a copy; or restore the code, then: babysitter run:iterate ${runId})`
    : `babysitter run:iterate ${runId}    (after correcting the code)`;
}

/** What continues a loop that has no process. */
function nextOfLoop({ loop, cancelled }: RunSummary, runId: string): string | undefined {
  if (loop === undefined || cancelled !== undefined) return undefined;
  if (loop.ended !== undefined) return `babysitter loop:report ${runId}`;
  return loop.paused === undefined && loop.session !== undefined
    ? `babysitter loop:status ${runId}`
    : `babysitter loop:resume ${runId}`;
}
