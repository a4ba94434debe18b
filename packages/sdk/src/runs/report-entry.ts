/** One run as a row of a report, and what the sums need of it besides. */
import { codeChangeText } from "../model/code-versions.js";
import type { ChangedTerm, ContractChange } from "../model/contract-changes.js";
import { defined } from "../model/json.js";
import type { LoopState, TurnFailure } from "../model/loop-state.js";
import { pauseReason } from "../model/pause-words.js";
import { isRed, type ReportedChange, type RunReport, type WaitingFor } from "../model/report.js";
import { agentOptions } from "../model/resume-command.js";
import type { RunLedger } from "../model/run-ledger.js";
import { isFinished, type RunSummary } from "../model/run-state.js";
import { hideSecrets } from "../model/secrets.js";
import { shownLine } from "../model/shown-text.js";
import { type Performer, performerOf } from "../model/task-kinds.js";
import { sleepEnds } from "../model/time-spans.js";
import { withoutVariableParts } from "../model/variable-parts.js";
import { readQuestion } from "./asked-question.js";
import { endOf, type RunNote, titleOf } from "./noted-runs.js";
import { costWithin, UNKNOWN_COST } from "./report-costs.js";
import { clipped, coveredMs, isWithin, type ReportTime, type Span, standingIn, waitsOf } from "./report-times.js";
import type { RunJournal } from "./run-journal.js";
import type { Driving } from "./standing.js";

/** One run in the time of a report. */
export interface ReportEntry {
  row: RunReport;
  /** When it waited for a person, within that time. */
  waits: readonly Span[];
  /** The same for all runs that failed for the same cause. */
  causeKey?: string;
  /** Where more can be read about it. */
  journal?: RunJournal;
}

/** What can be told of a run besides its journal. */
export interface EntryFacts {
  project?: string;
  /** Who works on a run just now; without it nobody looks. */
  whoDrives?: (journal: RunJournal) => Promise<Driving>;
}

/** Undefined for a run that is not in that time. `ledger` has all that happened since its beginning. */
export async function entryOf(
  journal: RunJournal,
  ledger: RunLedger,
  time: ReportTime,
  facts: EntryFacts = {},
): Promise<ReportEntry | undefined> {
  const { summary } = journal;
  const standing = standingIn(summary, ledger, time);
  if (standing === undefined) return undefined;
  const waits = clipped(waitsOf(ledger, endOfWaits(summary, time)), time);
  const turns = ledger.turns.filter((at) => isWithin(at, time));
  const row: RunReport = {
    ...nameOf(journal, facts),
    processId: summary.created.processId,
    ...defined({ title: titleOf(summary) }),
    state: standing.state,
    outcome: standing.outcome,
    at: standing.endedAt ?? (time.isLive ? summary.head.timestamp : summary.created.at),
    ...defined({ codeChanges: codeChangeText(summary.code), contractChanges: changesWithin(summary, time) }),
    humanMs: coveredMs(waits, time),
    failedAttempts: ledger.failed.filter((at) => isWithin(at, time)).length,
    ...defined({ failedTurns: await failedTurns(journal, turns), cost: costWithin(summary, ledger, time) }),
  };
  return time.isLive
    ? { row: { ...row, ...(await detailsOf(journal, row, facts)) }, waits, journal, ...causeOf(summary, row) }
    : { row, waits };
}

/** Of thousands of runs most have nothing more to say; spreading nothing into each row would take most of the time. */
export function smoothEntry(
  { runId, runDir, project }: { runId: string; runDir: string; project?: string | undefined },
  { processId, state, codeChanges, whyEnded: why, uncosted }: RunNote,
  at: string,
): ReportEntry {
  const outcome = state === "cancelled" ? "cancelled" : "proof";
  const row: RunReport = { runId, runDir, processId, state, outcome, at, humanMs: 0, failedAttempts: 0 };
  if (uncosted) row.cost = UNKNOWN_COST;
  if (project !== undefined) row.project = project;
  if (why !== undefined) row.why = why;
  if (codeChanges !== undefined) row.codeChanges = codeChanges;
  return { row, waits: NO_SPANS };
}

const NO_SPANS: readonly Span[] = [];

/** The same run in a time that was over before it ended. */
export function underWay({ row }: ReportEntry, createdAt: string): ReportEntry {
  const { why: _, ...rest } = row;
  return { row: { ...rest, state: "running", outcome: "other", at: createdAt }, waits: NO_SPANS };
}

function nameOf(
  { runId, runDir }: RunJournal,
  { project }: EntryFacts,
): Pick<RunReport, "runId" | "runDir" | "project"> {
  return { runId, runDir, ...defined({ project }) };
}

/** Nobody waits for the questions of a run that has ended. */
function endOfWaits(summary: RunSummary, time: ReportTime): number {
  const ended = isFinished(summary) ? endOf(summary) : undefined;
  return ended === undefined ? time.to : Date.parse(ended.at);
}

/** What only the present tells. */
async function detailsOf(journal: RunJournal, row: RunReport, { whoDrives }: EntryFacts): Promise<Partial<RunReport>> {
  const { summary } = journal;
  const ended = endOf(summary);
  if (ended !== undefined) return defined({ why: ended.why === undefined ? undefined : hideSecrets(ended.why) });
  const waiting = await waitingOn(journal);
  const paused: Partial<NonNullable<LoopState["paused"]>> = summary.loop?.paused ?? {};
  const isTold = row.outcome === "other" && whoDrives !== undefined;
  const agent = agentOptions(summary.loop);
  // Of a session with a person in front of it nothing is known between two turns.
  const isWithSomeone = summary.loop?.session !== undefined && agent === undefined;
  return defined({
    why: pauseReason(paused),
    pausedBy: paused.code,
    limitLifted: paused.lifted,
    at: paused.at ?? waiting[0]?.since ?? row.at,
    waiting: waiting.length === 0 ? undefined : waiting,
    driven: isTold ? isWithSomeone || (await whoDrives(journal)).by !== "nobody" : undefined,
    agent,
  });
}

async function waitingOn(journal: RunJournal): Promise<WaitingFor[]> {
  const rows: WaitingFor[] = [];
  for (const pending of Object.values(journal.summary.pending)) {
    const { kind, effectId, requestedAt, title, taskId } = pending;
    const until = sleepEnds(pending, journal.ports.clock.now().getTime());
    const asked = kind === "breakpoint" ? await readQuestion(journal, pending) : undefined;
    const what = asked?.question ?? until ?? title ?? taskId;
    rows.push({
      kind,
      who: WHO[performerOf(kind)],
      what,
      ...defined({ title: asked?.title }),
      since: requestedAt,
      effectId,
    });
  }
  return rows.toSorted((a, b) => a.since.localeCompare(b.since));
}

const WHO: Readonly<Record<Performer, WaitingFor["who"]>> = {
  person: "human",
  time: "time",
  agent: "agent",
  engine: "executor",
  worker: "executor",
  outside: "executor",
};

function changesWithin({ loop }: RunSummary, time: ReportTime): ReportedChange[] | undefined {
  const changes = loop?.contractChanges.filter(({ at }) => isWithin(Date.parse(at), time)) ?? [];
  return changes.length === 0 ? undefined : changes.map(shownChange);
}

function shownChange({ at, source, terms }: ContractChange): ReportedChange {
  return { at, ...defined({ by: source?.by, via: source?.via }), terms: terms.map(shownTerm) };
}

const LONGEST_TERM = 60;

function shown(text: string): string {
  return shownLine(text, LONGEST_TERM);
}

function shownTerm({ term, was, is }: ChangedTerm): string {
  if (was === undefined) return `${shown(term)}: new, ${shown(is ?? "")}`;
  return is === undefined ? `${shown(term)}: removed` : `${shown(term)}: ${shown(was)} → ${shown(is)}`;
}

function causeOf({ failed, blocked, created }: RunSummary, { outcome }: RunReport): { causeKey?: string } {
  if (!isRed(outcome)) return {};
  if (outcome === "blocked") return { causeKey: JSON.stringify([blocked?.code ?? "", created.processId]) };
  return { causeKey: failureKey(failed?.error.message ?? "", created.processId) };
}

/** Executors say which step it was, how it ended, and the last line that it printed: only that is the cause. */
const STEP_AND_END = /^"(?:[^"\\]|\\.)*" [^:"]{1,60}: (?=\S)/u;

/** Equal for failures that have the same cause, by whichever run, step or process they were met. */
export function failureKey(message: string, processId: string): string {
  const [first = ""] = message.split("\n");
  const cause = first.replace(STEP_AND_END, "");
  // A step that printed nothing tells nothing to compare by.
  return JSON.stringify(
    cause === first && first.startsWith('"') ? [withoutVariableParts(first), processId] : [withoutVariableParts(cause)],
  );
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
