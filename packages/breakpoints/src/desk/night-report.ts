/** The report of the SDK as the pages show it. Pure. */
import path from "node:path";
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { laneOf } from "../rules/run-lanes.js";
import type {
  NightReport,
  ReportedCause,
  ReportedList,
  ReportedRow,
  ReportedRun,
  ReportedStep,
} from "../wire/report-wire.js";

type Report = notices.Report;
type RunReport = notices.RunReport;

const { reportWords: words } = notices;

/** Nobody reads more in a browser; programs get everything from `babysitter report --json`. */
const MOST_ROWS = 50;
const MOST_CAUSES = 30;
const MOST_NAMED = 20;
const MOST_STEPS = 10;
const LONGEST = 300;

export function nightReport(report: Report): NightReport {
  const { since, until, totals, unreadable = [] } = report;
  return {
    since,
    until,
    quiet: words.isQuiet(report),
    runs: totals.runs,
    counts: words.countWords(totals.outcomes),
    causes: causesOf(report),
    unreadable: unreadable.slice(0, MOST_ROWS).map(({ runId, why }) => ({ run: runId, why })),
    lists: listsOf(report),
    sums: sumsOf(report),
    changes: changesOf(report).slice(0, MOST_ROWS),
    against: againstOf(report),
    next: report.next.slice(0, MOST_STEPS).map(stepOf),
  };
}

function nameOf({ runId, project = "" }: notices.RunName): ReportedRun {
  return { run: runId, project: path.basename(project) || project };
}

function stepOf({ command, about, run, effectId }: Report["next"][number]): ReportedStep {
  return { ...nameOf(run), command, about, ...(effectId === undefined ? {} : { question: effectId }) };
}

function causesOf({ causes, failed, next }: Report): ReportedCause[] {
  return causes.slice(0, MOST_CAUSES).flatMap(({ what, step, lines, runs }, n): ReportedCause[] => {
    const row = failed.findLast(({ cause }) => cause === n);
    if (row === undefined) return [];
    return [
      {
        outcome: row.outcome === "blocked" ? "blocked" : "failed",
        what,
        ...(step === undefined ? {} : { step }),
        at: row.at,
        lines,
        runs: runs.slice(0, MOST_NAMED).map(nameOf),
        count: runs.length,
        command: next.find(({ run }) => isSame(run, row))?.command ?? "",
      },
    ];
  });
}

function isSame(a: notices.RunName, b: notices.RunName): boolean {
  return a.runId === b.runId && a.project === b.project;
}

const KINDS = ["you", "stalled", "other", "verified", "proof", "claim", "cancelled"] as const;

function listsOf(report: Report): ReportedList[] {
  const rows = [...report.waiting, ...report.finished, ...report.cancelled];
  return KINDS.flatMap((kind) => {
    const all = rows.filter((row) => kindOf(row, report) === kind);
    // What has ended is looked at from its newest; what waits from its oldest.
    const shown = kind === "you" || kind === "stalled" || kind === "other" ? all : all.toReversed();
    const made = shown.slice(0, MOST_ROWS).map((row) => rowOf(row, words.costOfRow(row), report));
    return all.length === 0 ? [] : [{ kind, rows: made, count: all.length }];
  });
}

/** What goes on and what has stalled is told apart by the rule of the board. */
function kindOf(row: RunReport, report: Report): RunReport["outcome"] | "stalled" {
  const { outcome, state, driven, waiting = [] } = row;
  if (outcome !== "other") return outcome;
  const times = waiting.map(({ who, what }) => (who === "time" ? Date.parse(what) : Number.NaN));
  const facts = {
    state,
    asks: false,
    paused: state === "paused",
    until: times.length === 0 || times.some(Number.isNaN) ? null : Math.min(...times),
    // A report says who works on a run, and needs no guess from when it was written to.
    writtenAt: 0,
    agent: false,
    driven: driven !== false,
  };
  return laneOf(facts, Date.parse(report.until)) === "stalled" ? "stalled" : outcome;
}

function rowOf(row: RunReport, cost: string | undefined, { next }: Report): ReportedRow {
  const question = row.waiting?.find(({ who }) => who === "human")?.effectId;
  const command = next.find(({ run }) => isSame(run, row))?.command ?? words.lookCommand(row);
  return {
    ...nameOf(row),
    at: row.at,
    text: textOf(row),
    ...(cost === undefined ? {} : { cost }),
    ...(question === undefined ? { command } : { question }),
  };
}

function textOf(row: RunReport): string {
  if (row.outcome === "you" || row.outcome === "other") return words.waitingWords(row, LONGEST);
  return row.outcome === "cancelled" ? words.cancelledWords(row, LONGEST) : (row.title ?? row.processId);
}

function some(name: string, count: number): NightReport["sums"] {
  return count === 0 ? [] : [{ name, text: String(count) }];
}

function sumsOf({ totals }: Report): NightReport["sums"] {
  return [
    { name: "Cost", text: words.costTotalWords(totals.cost) },
    { name: "Waited for you", text: words.waitWords(totals) },
    ...some("Failed attempts", totals.failedAttempts),
    ...some("Failed turns", totals.failedTurns),
  ];
}

function changesOf({ failed, waiting, finished, cancelled }: Report): NightReport["changes"] {
  return [...failed, ...waiting, ...finished, ...cancelled].flatMap((row): NightReport["changes"] => [
    ...(row.contractChanges ?? []).map(({ at, by, terms }) => ({
      kind: "contract" as const,
      run: nameOf(row),
      text: `${terms.join("; ")}${by === undefined ? "" : ` (${by})`}`,
      at,
    })),
    ...(row.codeChanges === undefined ? [] : [{ kind: "code" as const, run: nameOf(row), text: row.codeChanges }]),
  ]);
}

function againstOf(report: Report): NightReport["against"] {
  const { since, until, totals, broken, recovered } = report.against;
  return {
    since,
    until,
    isEmpty: totals.runs === 0,
    changes: words.changeWords(report),
    broken: broken.slice(0, MOST_NAMED).map(words.turnedWords),
    recovered: recovered.slice(0, MOST_NAMED).map(words.turnedWords),
  };
}
