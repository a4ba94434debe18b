/** Times of reports: which part of a wait lies within one, and how a run stood at its end. Pure. */
import type { RunOutcome } from "../model/report.js";
import type { RedKind, RunLedger } from "../model/run-ledger.js";
import { hasProcess, type RunStatus, type RunSummary, statusOf } from "../model/run-state.js";
import { endOf } from "./noted-runs.js";

export interface Span {
  from: number;
  to: number;
}

/** The time that a report is about, without its end. What is recorded with a later time than now belongs to a live one. */
export interface ReportTime extends Span {
  /** Its end is now, by whatever clock: runs are told as they stand. */
  isLive: boolean;
}

/** The time of the same length before. */
export function timeBefore({ from, to }: Span): ReportTime {
  return { from: from - Math.max(0, to - from), to: from, isLive: false };
}

export function isWithin(at: number, { from, to, isLive }: ReportTime): boolean {
  return at >= from && (isLive || at < to);
}

/** Whether a recorded time is before another one. Of thousands of times most need not be taken apart for that. */
export function isBefore(at: string, { ms, iso }: Moment): boolean {
  return at.length === iso.length && at.endsWith("Z") ? at < iso : Date.parse(at) < ms;
}

export interface Moment {
  ms: number;
  iso: string;
}

export function momentOf(ms: number): Moment {
  return { ms, iso: new Date(ms).toISOString() };
}

/** Milliseconds of the window that the spans cover; what several cover counts once. */
export function coveredMs(spans: readonly Span[], window: Span): number {
  const sorted = clipped(spans, window).toSorted((a, b) => a.from - b.from);
  let covered = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of sorted) {
    covered += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return covered;
}

export function clipped(spans: readonly Span[], window: Span): Span[] {
  return spans
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to: Math.min(to, window.to) }))
    .filter(({ from, to }) => to > from);
}

/** When a run waited for a person; `end` is when it ended, or the end of the report. A run that has failed waits for none. */
export function waitsOf(ledger: RunLedger, end: number): Span[] {
  const answered = ledger.answered.map(([from, to]) => ({ from, to }));
  const open = Object.values(ledger.open).map((from) => ({ from, to: end }));
  return redsOf(ledger).reduce<Span[]>(without, [...answered, ...open]);
}

function without(spans: readonly Span[], cut: Span): Span[] {
  return spans.flatMap((span) =>
    cut.from < cut.to && cut.from < span.to && span.from < cut.to
      ? [
          { from: span.from, to: cut.from },
          { from: cut.to, to: span.to },
        ].filter(({ from, to }) => from < to)
      : [span],
  );
}

/** How a run stands, and since when it does if it has ended or stopped. */
export interface RunStanding {
  outcome: RunOutcome;
  state: RunStatus;
  endedAt?: string;
}

/** Undefined for a run that did not exist then, or had ended or stopped before. */
export function standingIn(summary: RunSummary, ledger: RunLedger, time: ReportTime): RunStanding | undefined {
  const standing = time.isLive ? standingNow(summary) : standingAt(summary, ledger, time.to);
  return standing?.endedAt !== undefined && Date.parse(standing.endedAt) < time.from ? undefined : standing;
}

function standingNow(summary: RunSummary): RunStanding {
  const ended = endOf(summary);
  const standing = { outcome: outcomeNow(summary), state: statusOf(summary) };
  return ended === undefined ? standing : { ...standing, endedAt: ended.at };
}

/** How a run stands now. */
export function outcomeNow(summary: RunSummary): RunOutcome {
  const state = statusOf(summary);
  if (state === "completed") return attestationOf(summary);
  if (state === "failed" || state === "blocked" || state === "cancelled") return state;
  const isAsked = Object.values(summary.pending).some(({ kind }) => kind === "breakpoint");
  const { paused } = summary.loop ?? {};
  return isAsked || (paused !== undefined && paused.by !== "person") ? "you" : "other";
}

/** Of a run that has finished: a process that has returned is proof, unless the engine has checked even more. */
function attestationOf({ loop, created }: RunSummary): RunOutcome {
  const attestation = loop?.ended?.attestation ?? "proof";
  return hasProcess(created) && attestation !== "verified" ? "proof" : attestation;
}

/** As it was right before a time, as far as the ledger tells. */
function standingAt(summary: RunSummary, ledger: RunLedger, time: number): RunStanding | undefined {
  if (Date.parse(summary.created.at) >= time) return undefined;
  const ended = endOf(summary);
  const now = statusOf(summary);
  if (ended !== undefined && !isRedState(now) && Date.parse(ended.at) < time)
    return { outcome: outcomeNow(summary), state: now, endedAt: ended.at };
  const red = redAt(ledger, time);
  if (red !== undefined) return { outcome: red.kind, state: red.kind, endedAt: new Date(red.from).toISOString() };
  const isAsked = waitsOf(ledger, Number.POSITIVE_INFINITY).some((wait) => covers(wait, time));
  return isAsked ? { outcome: "you", state: "waiting" } : { outcome: "other", state: "running" };
}

function isRedState(state: RunStatus): boolean {
  return state === "failed" || state === "blocked";
}

function redAt(ledger: RunLedger, time: number): RedSpan | undefined {
  const found = redsOf(ledger).filter((red) => covers(red, time));
  // A failed run can be blocked afterwards, by code that was to reopen it.
  return found.find(({ kind }) => kind === "blocked") ?? found.at(-1);
}

type RedSpan = Span & { kind: RedKind };

/** When a run had failed, or was blocked. */
function redsOf({ red = {}, reds = [] }: RunLedger): RedSpan[] {
  const current = Object.entries(red).map(([kind, from]) => ({
    from,
    to: Number.POSITIVE_INFINITY,
    kind: kind as RedKind,
  }));
  return [...reds.map(([from, to, kind]) => ({ from, to, kind })), ...current];
}

function covers({ from, to }: Span, time: number): boolean {
  return from < time && to >= time;
}
