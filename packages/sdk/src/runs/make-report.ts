/** A report from its rows: sections, sums, causes, what changed, and what to do. Pure. */
import { defined } from "../model/json.js";
import {
  type FailureCause,
  isRed,
  OUTCOMES,
  type Report,
  type ReportedBefore,
  type ReportTotals,
  type RunName,
  type RunOutcome,
  type RunReport,
} from "../model/report.js";
import { type ComparedRow, turnedRuns } from "./report-changes.js";
import { sumCosts } from "./report-costs.js";
import type { ReportEntry } from "./report-entry.js";
import { nextSteps } from "./report-next.js";
import { coveredMs, type ReportTime } from "./report-times.js";
import type { UnreadableRun } from "./unreadable-runs.js";

type Section = "finished" | "failed" | "waiting" | "cancelled";

const SECTIONS: Readonly<Record<RunOutcome, Section>> = {
  failed: "failed",
  blocked: "failed",
  you: "waiting",
  other: "waiting",
  verified: "finished",
  proof: "finished",
  claim: "finished",
  cancelled: "cancelled",
};

/** Runs that failed for the same cause, and what is told of it. */
export interface CauseGroup {
  /** The newest first. */
  entries: [ReportEntry, ...ReportEntry[]];
  told: Omit<FailureCause, "runs">;
}

/** What is told in a report of one time. */
export interface ReportParts {
  time: ReportTime;
  entries: readonly ReportEntry[];
}

export function makeReport(
  { time, entries }: ReportParts,
  before: ReportParts,
  { causes, unreadable = [] }: { causes: readonly CauseGroup[]; unreadable?: readonly UnreadableRun[] },
): Report {
  const causeOf = new Map(causes.flatMap(({ entries: same }, n) => same.map(({ row }) => [row, n] as const)));
  const rows = entries.map(({ row }) =>
    isRed(row.outcome) ? { ...row, ...defined({ cause: causeOf.get(row) }) } : row,
  );
  rows.sort(byTime);
  const sections: Record<Section, RunReport[]> = { finished: [], failed: [], waiting: [], cancelled: [] };
  for (const row of rows) sections[SECTIONS[row.outcome]].push(row);
  const totals = totalsOf({ time, entries });
  const told = causes.map(({ told: cause, entries: same }) => ({ ...cause, runs: same.map(({ row }) => nameOf(row)) }));
  return {
    since: new Date(time.from).toISOString(),
    until: new Date(time.to).toISOString(),
    ...sections,
    causes: told,
    humanWaitMinutes: Math.round(totals.humanMs / 6_000) / 10,
    failedAttempts: totals.failedAttempts,
    failedTurns: totals.failedTurns,
    totals,
    against: againstOf(rows, before),
    next: nextSteps(rows, told),
    ...defined({ unreadable: unreadable.length === 0 ? undefined : [...unreadable] }),
  };
}

function byTime(a: RunReport, b: RunReport): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.runId !== b.runId) return a.runId < b.runId ? -1 : 1;
  return (a.project ?? "") < (b.project ?? "") ? -1 : 1;
}

function nameOf({ runId, project }: RunName): RunName {
  return { runId, ...defined({ project }) };
}

function totalsOf({ time, entries }: ReportParts): ReportTotals {
  const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<RunOutcome, number>;
  const costs: NonNullable<RunReport["cost"]>[] = [];
  const totals = { humanMs: 0, failedAttempts: 0, failedTurns: 0, contractChanges: 0, codeChanges: 0 };
  for (const { row } of entries) {
    outcomes[row.outcome] += 1;
    if (row.cost !== undefined) costs.push(row.cost);
    totals.humanMs += row.humanMs;
    totals.failedAttempts += row.failedAttempts;
    totals.failedTurns += row.failedTurns?.count ?? 0;
    totals.contractChanges += row.contractChanges?.length ?? 0;
    totals.codeChanges += row.codeChanges === undefined ? 0 : 1;
  }
  const waits = entries.filter((entry) => entry.waits.length > 0).flatMap((entry) => entry.waits);
  return { runs: entries.length, outcomes, cost: sumCosts(costs), ...totals, humanWallMs: coveredMs(waits, time) };
}

function againstOf(rows: readonly RunReport[], before: ReportParts): ReportedBefore {
  const earlier: ComparedRow[] = before.entries.map(({ row }) => row);
  return {
    since: new Date(before.time.from).toISOString(),
    until: new Date(before.time.to).toISOString(),
    totals: totalsOf(before),
    ...turnedRuns(rows, earlier),
  };
}

/** Failed and blocked runs by their cause; the cause that was met last comes first. */
export function groupByCause(entries: readonly ReportEntry[]): [ReportEntry, ...ReportEntry[]][] {
  const groups = new Map<string, [ReportEntry, ...ReportEntry[]]>();
  const newestFirst = entries.filter(({ row }) => isRed(row.outcome)).toSorted((a, b) => byTime(b.row, a.row));
  for (const entry of newestFirst) {
    const key = entry.causeKey ?? `run ${entry.row.project ?? ""} ${entry.row.runId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}
