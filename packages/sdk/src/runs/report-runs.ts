/** What happened in the runs of a project since a point in time, and what is waiting for someone. */

import { outputTail } from "../model/failure.js";
import type { RunId } from "../model/ids.js";
import { defined } from "../model/json.js";
import type { Ports } from "../model/ports.js";
import type { FailureCause, Report } from "../model/report.js";
import { covers } from "../model/run-ledger.js";
import { shownLine } from "../model/shown-text.js";
import { describeFailures } from "./describe-failures.js";
import { openExcept } from "./list-breakpoints.js";
import { type CauseGroup, groupByCause, makeReport } from "./make-report.js";
import { isNotedOver, type ListedNote, type TimedNote } from "./noted-runs.js";
import { type EntryFacts, entryOf, type ReportEntry, smoothEntry, underWay } from "./report-entry.js";
import { isBefore, type Moment, momentOf, type ReportTime, timeBefore } from "./report-times.js";
import type { RunJournal } from "./run-journal.js";
import { ifReadable, type UnreadableRun } from "./unreadable-runs.js";

export interface ReportWindow {
  since: Date;
  /** Now, if it is left out; runs are told as they stood then. */
  until?: Date;
}

/** The runs of one project. */
export interface ReportedProject extends EntryFacts {
  ports: Ports;
}

/** The entries of a report, and those of the time before it. */
interface Found {
  entries: ReportEntry[];
  before: ReportEntry[];
  unreadable: UnreadableRun[];
}

interface Times {
  time: ReportTime;
  before: ReportTime;
}

/** The report on some runs. */
export async function reportRuns(journals: readonly RunJournal[], window: ReportWindow): Promise<Report> {
  const times = timesOf(window, journals[0]?.ports);
  const found: Found = { entries: [], before: [], unreadable: [] };
  for (const journal of journals) await lookAt(journal, times, found);
  return reportOf(found, times);
}

/** The report on all runs of a store. Those that ended smoothly, or before its time, are not opened. */
export async function reportAllRuns(ports: Ports, window: ReportWindow, facts: EntryFacts = {}): Promise<Report> {
  return reportProjects([{ ports, ...facts }], window);
}

/** One report on all runs of several projects. */
export async function reportProjects(projects: readonly ReportedProject[], window: ReportWindow): Promise<Report> {
  const times = timesOf(window, projects[0]?.ports);
  const found: Found = { entries: [], before: [], unreadable: [] };
  for (const { ports, ...facts } of projects) await lookThrough(ports, times, found, facts);
  return reportOf(found, times);
}

function timesOf({ since, until }: ReportWindow, ports: Ports | undefined): Times {
  const now = (ports?.clock.now() ?? new Date()).getTime();
  const to = until?.getTime() ?? now;
  const time = { from: since.getTime(), to, isLive: to >= now };
  return { time, before: timeBefore(time) };
}

async function lookThrough(ports: Ports, times: Times, found: Found, facts: EntryFacts): Promise<void> {
  const edges = edgesOf(times);
  const isKnown = (runId: RunId, { note, createdAt, endedAt }: TimedNote): boolean => {
    if (endedAt === undefined) return false;
    if (isBefore(endedAt, edges.earliest)) return true;
    if (note.smooth !== true) return false;
    const runDir = ports.workspace.runDir(runId);
    addSmooth(smoothEntry({ runId, runDir, project: facts.project }, note, endedAt), createdAt, edges, found);
    return true;
  };
  const wasOver = (listing: ListedNote): boolean =>
    isNotedOver(listing) && listing.at !== undefined && isBefore(listing.at, edges.earliest);
  const skip = { skip: isKnown, skipUnread: wasOver };
  const journals = await openExcept(ports, skip, (run) => void found.unreadable.push(run));
  for (const journal of journals) await lookAt(journal, times, found, facts);
}

/** Where the two times begin and end; a live one has no end. */
interface Edges {
  earliest: Moment;
  since: Moment;
  until: Moment | undefined;
}

function edgesOf({ time, before }: Times): Edges {
  return {
    earliest: momentOf(before.from),
    since: momentOf(time.from),
    until: time.isLive ? undefined : momentOf(time.to),
  };
}

/** A run that asked nobody and met no failure: its times say how it stood in both. */
function addSmooth(entry: ReportEntry, createdAt: string, { since, until }: Edges, found: Found): void {
  const { at: endedAt } = entry.row;
  const endedThen = isBefore(endedAt, since);
  if (!endedThen && (until === undefined || isBefore(createdAt, until)))
    found.entries.push(until === undefined || isBefore(endedAt, until) ? entry : underWay(entry, createdAt));
  if (isBefore(createdAt, since)) found.before.push(endedThen ? entry : underWay(entry, createdAt));
}

async function lookAt(journal: RunJournal, times: Times, found: Found, facts: EntryFacts = {}): Promise<void> {
  const entries = await ifReadable(
    journal,
    (run) => void found.unreadable.push(run),
    async () => {
      const kept = await journal.ledger();
      const isEnough = covers(kept, new Date(times.before.from));
      const ledger = isEnough ? kept : await journal.readLedger(Number.POSITIVE_INFINITY);
      return {
        now: await entryOf(journal, ledger, times.time, facts),
        before: await entryOf(journal, ledger, times.before, facts),
      };
    },
  );
  if (entries?.now !== undefined) found.entries.push(entries.now);
  if (entries?.before !== undefined) found.before.push(entries.before);
}

async function reportOf({ entries, before, unreadable }: Found, times: Times): Promise<Report> {
  const causes: CauseGroup[] = [];
  for (const group of groupByCause(entries)) {
    const [newest] = group;
    const told = causes.length < MOST_READ ? await readCause(newest) : undefined;
    causes.push({ entries: group, told: told ?? { what: whyOf(newest), lines: [] } });
  }
  return makeReport({ time: times.time, entries }, { time: times.before, entries: before }, { causes, unreadable });
}

/** Of more causes than this nobody reads the last lines. */
const MOST_READ = 50;
const LONGEST_WHAT = 200;

async function readCause(entry: ReportEntry): Promise<Omit<FailureCause, "runs"> | undefined> {
  const { journal } = entry;
  if (journal === undefined) return undefined;
  return ifReadable(
    journal,
    () => undefined,
    () => toldCause(entry, journal),
  );
}

async function toldCause(entry: ReportEntry, journal: RunJournal): Promise<Omit<FailureCause, "runs">> {
  const { failed } = journal.summary;
  const what = whyOf(entry);
  if (entry.row.outcome !== "failed") return { what, lines: [] };
  const [failure] = await describeFailures(journal);
  const isStep = failure !== undefined && (failed?.error.message.includes(failure.message) ?? false);
  if (!isStep) return { what, lines: errorLines(failed?.error.message ?? "") };
  const { title: step, stdout, stderr, logs } = failure;
  return { what, step, lines: [...stdout, ...stderr], ...defined({ logs: logs.length === 0 ? undefined : logs }) };
}

/** The first line is told already. */
function errorLines(message: string): string[] {
  return outputTail(message.split("\n").slice(1).join("\n"));
}

function whyOf({ row }: ReportEntry): string {
  return shownLine(row.why ?? row.outcome, LONGEST_WHAT);
}
