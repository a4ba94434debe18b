/** What happened in the runs of a project since a point in time, and what is waiting for someone. */

import { codeChangeText } from "../model/code-versions.js";
import type { JournalEvent } from "../model/events.js";
import { defined } from "../model/json.js";
import type { TurnFailure } from "../model/loop-state.js";
import { type RunStatus, type RunSummary, statusOf } from "../model/run-state.js";
import type { Performer } from "../model/task-kinds.js";
import { performerOf } from "../model/task-kinds.js";
import { readQuestion } from "./asked-question.js";
import type { RunJournal } from "./run-journal.js";

export interface RunReport {
  runId: string;
  runDir: string;
  processId: string;
  state: RunStatus;
  /** When it came to stand there. */
  at: string;
  /** Why it failed, or was cancelled, or whom it waits for. */
  why?: string;
  waiting?: {
    kind: string;
    who: "human" | "agent" | "time" | "executor";
    what: string;
    since: string;
    effectId: string;
  }[];
  /** That the code of its process changed after it began, in words. */
  codeChanges?: string;
  humanMs: number;
  failedAttempts: number;
  /** Turns of the run's agent that ended with an error of its host, and the last of them. */
  failedTurns?: { count: number; last: TurnFailure };
}

export interface Report {
  since: string;
  until: string;
  finished: RunReport[];
  failed: RunReport[];
  waiting: RunReport[];
  cancelled: RunReport[];
  /** Time in which runs could not continue because nobody had answered. */
  humanWaitMinutes: number;
  failedAttempts: number;
  failedTurns: number;
}

export async function reportRuns(
  journals: readonly RunJournal[],
  window: { since: Date; until: Date },
): Promise<Report> {
  const rows: RunReport[] = [];
  for (const journal of journals) {
    const row = await reportRun(journal, window);
    if (row !== undefined) rows.push(row);
  }
  rows.sort((a, b) => a.at.localeCompare(b.at));
  const inState = (...states: RunStatus[]): RunReport[] => rows.filter(({ state }) => states.includes(state));
  const humanMs = rows.reduce((sum, row) => sum + row.humanMs, 0);
  return {
    since: window.since.toISOString(),
    until: window.until.toISOString(),
    finished: inState("completed"),
    failed: inState("failed", "blocked"),
    waiting: inState("waiting", "created", "running", "paused"),
    cancelled: inState("cancelled"),
    humanWaitMinutes: Math.round(humanMs / 6_000) / 10,
    failedAttempts: rows.reduce((sum, row) => sum + row.failedAttempts, 0),
    failedTurns: rows.reduce((sum, row) => sum + (row.failedTurns?.count ?? 0), 0),
  };
}

/** Undefined for a run that ended before. */
async function reportRun(
  journal: RunJournal,
  { since, until }: { since: Date; until: Date },
): Promise<RunReport | undefined> {
  const { summary, runId, runDir } = journal;
  const ended = endOf(summary);
  if (ended !== undefined && Date.parse(ended.at) < since.getTime()) return undefined;
  const events = (await journal.ports.store.read(runId, undefined)) ?? [];
  const waiting = ended === undefined ? await waitingOn(journal) : [];
  const within = events.filter((event) => isWithin(event, since, until));
  const questions = questionTimes(events, ended === undefined ? until : new Date(ended.at));
  return {
    runId,
    runDir,
    processId: summary.created.processId,
    state: statusOf(summary),
    at: ended?.at ?? waiting[0]?.since ?? summary.head.timestamp,
    ...defined({
      why: ended?.why,
      waiting: waiting.length === 0 ? undefined : waiting,
      codeChanges: codeChangeText(summary.code),
    }),
    humanMs: coveredMs(questions, { from: since.getTime(), to: until.getTime() }),
    failedAttempts: within.filter(isFailedAttempt).length,
    ...defined({ failedTurns: failedTurns(within) }),
  };
}

/** When and why a run ended, or stopped where it cannot continue by itself. */
function endOf({ completed, cancelled, failed, blocked }: RunSummary): { at: string; why?: string } | undefined {
  if (completed !== undefined) return { at: completed.at };
  if (cancelled !== undefined) return { at: cancelled.at, ...defined({ why: cancelled.reason }) };
  if (blocked !== undefined) return { at: blocked.at, why: BLOCKED_WORDS[blocked.code ?? "RUN_DIVERGED"] };
  return failed === undefined ? undefined : { at: failed.at, ...defined({ why: failed.error.message.split("\n")[0] }) };
}

const BLOCKED_WORDS = {
  RUN_DIVERGED: "its code no longer matches its journal",
  GATES_CHANGED: "its code has lost breakpoints that people agreed to",
} as const;

async function waitingOn(journal: RunJournal): Promise<NonNullable<RunReport["waiting"]>> {
  const rows: NonNullable<RunReport["waiting"]> = [];
  for (const pending of Object.values(journal.summary.pending)) {
    const { kind, effectId, requestedAt, title, taskId, until } = pending;
    const what = kind === "breakpoint" ? (await readQuestion(journal, pending)).question : (until ?? title ?? taskId);
    rows.push({ kind, who: WHO[performerOf(kind)], what, since: requestedAt, effectId });
  }
  return rows.toSorted((a, b) => a.since.localeCompare(b.since));
}

const WHO: Readonly<Record<Performer, NonNullable<RunReport["waiting"]>[number]["who"]>> = {
  person: "human",
  time: "time",
  agent: "agent",
  engine: "executor",
  worker: "executor",
  outside: "executor",
};

export interface Span {
  from: number;
  to: number;
}

/** When each question of a run was open. */
function questionTimes(events: readonly JournalEvent[], end: Date): Span[] {
  const open = new Map<string, number>();
  const spans: Span[] = [];
  for (const event of events) {
    const at = Date.parse(event.timestamp);
    if (event.type === "EFFECT_REQUESTED" && event.payload.kind === "breakpoint") open.set(event.effectId, at);
    if (event.type === "EFFECT_REOPENED" && event.payload.kind === "breakpoint") open.set(event.effectId, at);
    if (event.type !== "EFFECT_RESOLVED") continue;
    const from = open.get(event.effectId);
    if (from !== undefined) spans.push({ from, to: at });
    open.delete(event.effectId);
  }
  for (const from of open.values()) spans.push({ from, to: end.getTime() });
  return spans;
}

/** Milliseconds of the window that the spans cover; what several cover counts once. */
export function coveredMs(spans: readonly Span[], window: Span): number {
  const clipped = spans
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to: Math.min(to, window.to) }))
    .filter(({ from, to }) => to > from)
    .toSorted((a, b) => a.from - b.from);
  let covered = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of clipped) {
    covered += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return covered;
}

function isFailedAttempt(event: JournalEvent): boolean {
  return (
    event.type === "EFFECT_ATTEMPT_FAILED" || (event.type === "EFFECT_RESOLVED" && event.payload.status === "error")
  );
}

function failedTurns(events: readonly JournalEvent[]): RunReport["failedTurns"] {
  const failures = events.flatMap(({ type, payload, timestamp }) =>
    type === "TURN_FAILED" ? [{ error: payload.error, message: payload.message, at: timestamp }] : [],
  );
  const last = failures.at(-1);
  return last === undefined ? undefined : { count: failures.length, last };
}

function isWithin({ timestamp }: JournalEvent, since: Date, until: Date): boolean {
  const at = Date.parse(timestamp);
  return at >= since.getTime() && at <= until.getTime();
}
