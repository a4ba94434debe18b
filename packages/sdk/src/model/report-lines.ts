/** The report as the plain lines of one message for a phone. Pure. */
import { type FailureCause, isFinishedWell, OUTCOMES, type Report, type RunName, type RunReport } from "./report.js";
import {
  changeWords,
  costTotalWords,
  countWords,
  isQuiet,
  OUTCOME_WORDS,
  turnedWords,
  waitWords,
} from "./report-words.js";
import { shownDuration, shownTime } from "./shown-amounts.js";
import { shownLine } from "./shown-text.js";

const MOST_LINES = 25;
const LONGEST = 120;
const MOST_TOLD = 5;
const MOST_NAMED = 4;
const MOST_NEXT = 3;
const LAST_LINES = 2;

/**
 * A heading and at most 25 lines; none when nothing happened. They name runs, steps and titles. Only with `details` do
 * they say what was asked, why something failed, and what it printed last.
 */
export function reportLines(report: Report, { details = false }: { details?: boolean } = {}): string[] {
  const { totals, unreadable = [] } = report;
  if (totals.runs === 0 && unreadable.length === 0) return [];
  const lines = [
    ...(totals.runs === 0 ? [] : [countWords(totals.outcomes)]),
    ...(unreadable.length === 0 ? [] : [`cannot be read: ${named(unreadable)}`]),
    ...failedLines(report, details),
    ...questionLines(report, details),
    ...finishedLines(report),
    ...(isQuiet(report) && totals.cost.knownRuns + totals.cost.unknownRuns === 0
      ? []
      : [`cost: ${costTotalWords(totals.cost)}`]),
    ...sumLines(report),
    ...againstLines(report),
    ...report.next.slice(0, MOST_NEXT).map(({ command }) => `next: ${command}`),
  ].map((line) => shownLine(line, LONGEST));
  const since = shownTime(report.since).slice(0, -3);
  return [`Since ${since}`, ...cut(lines)];
}

function cut(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  return [...lines.slice(0, MOST_LINES - 1), `… and ${lines.length - MOST_LINES + 1} more lines`];
}

/** A few, and how many more there are. */
function few<T>(all: readonly T[], most: number, lineOf: (one: T) => string[]): string[] {
  const more = all.length - most;
  return [...all.slice(0, most).flatMap(lineOf), ...(more > 0 ? [`… and ${more} more`] : [])];
}

function failedLines({ causes, failed }: Report, details: boolean): string[] {
  const outcomeOf = (n: number): string => failed.find(({ cause }) => cause === n)?.outcome ?? "failed";
  const numbered = causes.map((cause, n) => ({ cause, outcome: outcomeOf(n) }));
  return few(numbered, MOST_TOLD, ({ cause, outcome }) => causeLines(cause, outcome, details));
}

function causeLines(cause: FailureCause, outcome: string, details: boolean): string[] {
  const step = cause.step === undefined ? "" : `: ${shownLine(cause.step, 40)}`;
  const head = `${outcome}: ${named(cause.runs)}${details ? `: ${cause.what}` : step}`;
  return details ? [head, ...cause.lines.slice(-LAST_LINES).map((line) => `| ${line}`)] : [head];
}

function questionLines({ waiting, until }: Report, details: boolean): string[] {
  const yours = waiting.filter(({ outcome }) => outcome === "you");
  return few(yours, MOST_TOLD, (row) => [
    `waits for you: ${nameOf(row)}, ${shownDuration(Date.parse(until) - Date.parse(row.at))}${askedWords(row, details)}`,
  ]);
}

function askedWords({ waiting = [], why }: RunReport, details: boolean): string {
  const asked = waiting.find(({ who }) => who === "human");
  if (asked === undefined) return details && why !== undefined ? `: paused: ${why}` : ": paused";
  const text = details ? asked.what : asked.title;
  return text === undefined ? "" : `: ${text}`;
}

function finishedLines({ finished }: Report): string[] {
  return OUTCOMES.filter(isFinishedWell).flatMap((outcome) => {
    const rows = finished.filter((row) => row.outcome === outcome).toReversed();
    return rows.length === 0 ? [] : [`${OUTCOME_WORDS[outcome]}: ${named(rows)}`];
  });
}

function sumLines({ totals }: Report): string[] {
  const { contractChanges, codeChanges, failedTurns } = totals;
  return [
    ...(totals.humanMs === 0 ? [] : [`waited for you: ${waitWords(totals)}`]),
    ...(contractChanges === 0 ? [] : [`contract changes: ${contractChanges}`]),
    ...(codeChanges === 0 ? [] : [`runs whose code changed: ${codeChanges}`]),
    ...(failedTurns === 0 ? [] : [`turns that failed: ${failedTurns}`]),
  ];
}

function againstLines(report: Report): string[] {
  const { broken, recovered, totals } = report.against;
  const changes = changeWords(report);
  return [
    ...(totals.runs === 0 || changes.length === 0 ? [] : [`changed: ${changes.join(", ")}`]),
    ...broken.slice(0, 2).map((run) => `broken: ${turnedWords(run)}`),
    ...recovered.slice(0, 2).map((run) => `recovered: ${turnedWords(run)}`),
  ];
}

function named(runs: readonly RunName[]): string {
  const more = runs.length - MOST_NAMED;
  return `${runs.slice(0, MOST_NAMED).map(nameOf).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** With the name of its project, as far as a phone has room for it. */
function nameOf({ runId, project }: RunName): string {
  const folder = project?.split(/[\\/]/u).findLast((part) => part !== "");
  return folder === undefined ? runId : `${shownLine(folder, 20)}/${runId}`;
}
