/** What happened in the runs of a project since a point in time, and what is waiting for someone. */

import { codeChangeText } from "../model/code-versions.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { TurnFailure } from "../model/loop-state.js";
import type { Ports } from "../model/ports.js";
import { covers, type RunLedger } from "../model/run-ledger.js";
import { type RunStatus, statusOf } from "../model/run-state.js";
import type { Performer } from "../model/task-kinds.js";
import { performerOf } from "../model/task-kinds.js";
import { sleepEnds } from "../model/time-spans.js";
import { readQuestion } from "./asked-question.js";
import { openExcept } from "./list-breakpoints.js";
import { endOf, isNotedOver, type ListedNote, type RunNote, type TimedNote } from "./noted-runs.js";
import type { RunJournal } from "./run-journal.js";
import { ifReadable, type UnreadableRun } from "./unreadable-runs.js";

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
  /** Runs that cannot be read, where there are any. */
  unreadable?: UnreadableRun[];
}

type Section = "finished" | "failed" | "waiting" | "cancelled";

const SECTIONS: Readonly<Record<RunStatus, Section>> = {
  completed: "finished",
  failed: "failed",
  blocked: "failed",
  waiting: "waiting",
  created: "waiting",
  running: "waiting",
  paused: "waiting",
  cancelled: "cancelled",
};

/** `noted`: rows of runs that were not opened, and the runs that could not be. */
export async function reportRuns(
  journals: readonly RunJournal[],
  window: { since: Date; until: Date },
  noted: { rows: readonly RunReport[]; unreadable: readonly UnreadableRun[] } = { rows: [], unreadable: [] },
): Promise<Report> {
  const rows = [...noted.rows];
  const unreadable = [...noted.unreadable];
  for (const journal of journals) {
    const row = await ifReadable(
      journal,
      (run) => void unreadable.push(run),
      () => reportRun(journal, window),
    );
    if (row !== undefined) rows.push(row);
  }
  rows.sort((a, b) => (a.at === b.at ? (a.runId < b.runId ? -1 : 1) : a.at < b.at ? -1 : 1));
  const sections: Record<Section, RunReport[]> = { finished: [], failed: [], waiting: [], cancelled: [] };
  let [humanMs, failedAttempts, turns] = [0, 0, 0];
  for (const row of rows) {
    sections[SECTIONS[row.state]].push(row);
    humanMs += row.humanMs;
    failedAttempts += row.failedAttempts;
    turns += row.failedTurns?.count ?? 0;
  }
  return {
    since: window.since.toISOString(),
    until: window.until.toISOString(),
    ...sections,
    humanWaitMinutes: Math.round(humanMs / 6_000) / 10,
    failedAttempts,
    failedTurns: turns,
    ...defined({ unreadable: unreadable.length === 0 ? undefined : unreadable }),
  };
}

/** The report on all runs of a store. Those that ended smoothly, or before its time, are not opened. */
export async function reportAllRuns(ports: Ports, window: { since: Date; until: Date }): Promise<Report> {
  const rows: RunReport[] = [];
  const since = window.since.getTime();
  const isKnown = (runId: RunId, { note, endedAt }: TimedNote): boolean => {
    if (endedAt === undefined) return false;
    if (isBefore(endedAt, since)) return true;
    if (note.smooth !== true) return false;
    rows.push(smoothRow({ runId, runDir: ports.workspace.runDir(runId) }, note, endedAt));
    return true;
  };
  const unreadable: UnreadableRun[] = [];
  const wasOver = (listing: ListedNote): boolean =>
    isNotedOver(listing) && listing.at !== undefined && isBefore(listing.at, since);
  const skip = { skip: isKnown, skipUnread: wasOver };
  const journals = await openExcept(ports, skip, (run) => void unreadable.push(run));
  return reportRuns(journals, window, { rows, unreadable });
}

function isBefore(at: string, since: number): boolean {
  return Date.parse(at) < since;
}

/** Of thousands of runs most have nothing more to say; spreading nothing into each row would take most of the time. */
function smoothRow(
  { runId, runDir }: { runId: string; runDir: string },
  { processId, state, codeChanges, whyEnded: why }: RunNote,
  at: string,
): RunReport {
  const row: RunReport = { runId, runDir, processId, state, at, humanMs: 0, failedAttempts: 0 };
  return why === undefined && codeChanges === undefined ? row : { ...row, ...defined({ why, codeChanges }) };
}

/** Undefined for a run that ended before. */
async function reportRun(
  journal: RunJournal,
  { since, until }: { since: Date; until: Date },
): Promise<RunReport | undefined> {
  const { summary, runId, runDir } = journal;
  const ended = endOf(summary);
  if (ended !== undefined && isBefore(ended.at, since.getTime())) return undefined;
  const kept = await journal.ledger();
  const ledger = covers(kept, since) ? kept : await journal.readLedger(Number.POSITIVE_INFINITY);
  const waiting = ended === undefined ? await waitingOn(journal) : [];
  const isWithin = (at: number): boolean => at >= since.getTime() && at <= until.getTime();
  const questions = questionTimes(ledger, ended === undefined ? until : new Date(ended.at));
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
    failedAttempts: ledger.failed.filter(isWithin).length,
    ...defined({ failedTurns: await failedTurns(journal, ledger.turns.filter(isWithin)) }),
  };
}

async function waitingOn(journal: RunJournal): Promise<NonNullable<RunReport["waiting"]>> {
  const rows: NonNullable<RunReport["waiting"]> = [];
  for (const pending of Object.values(journal.summary.pending)) {
    const { kind, effectId, requestedAt, title, taskId } = pending;
    const until = sleepEnds(pending, journal.ports.clock.now().getTime());
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
function questionTimes({ open, answered }: RunLedger, end: Date): Span[] {
  const unanswered = Object.values(open).map((from) => ({ from, to: end.getTime() }));
  return [...answered.map(([from, to]) => ({ from, to })), ...unanswered];
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

/** `times`: when turns failed, as far as the report is about that. */
async function failedTurns(journal: RunJournal, times: number[]): Promise<RunReport["failedTurns"]> {
  if (times.length === 0) return undefined;
  const known = journal.summary.loop?.failedTurns;
  if (known === undefined || !times.includes(Date.parse(known.at)))
    return { count: times.length, last: await lastFailure(journal, times) };
  const { error, message, at } = known;
  return { count: times.length, last: { error, message, at } };
}

/** For clocks that have gone back: the last turn of a run that failed need not be the last one of a report. */
async function lastFailure({ ports, runId }: RunJournal, times: number[]): Promise<TurnFailure> {
  const events = (await ports.store.read(runId, undefined)) ?? [];
  const failures = events.flatMap(({ type, payload, timestamp }) =>
    type === "TURN_FAILED" ? [{ error: payload.error, message: payload.message, at: timestamp }] : [],
  );
  return failures.findLast(({ at }) => times.includes(Date.parse(at))) as TurnFailure;
}
