/** The report for a terminal: what went wrong first, what to do last. */
import { type FailureCause, isRed, type Report, type RunName, type RunReport, rowsOf } from "../../model/report.js";
import {
  cancelledWords,
  changeWords,
  costOfRow,
  costTotalWords,
  countWords,
  isQuiet,
  OUTCOME_WORDS,
  turnedWords,
  waitingWords,
  waitWords,
} from "../../model/report-words.js";
import { counted, shownDuration, shownTime } from "../../model/shown-amounts.js";
import { shownLine } from "../../model/shown-text.js";
import { namedRun } from "./named-run.js";
import { age, alignColumns } from "./output.js";
import type { Paint } from "./paint.js";
import { unreadableLines } from "./unreadable-lines.js";
import { wrapped } from "./wrapped.js";

/** Of a terminal that nobody knows. */
const USUAL_COLUMNS = 80;
/** What has ended needs nobody any more; programs get everything. */
const MOST_ENDED = 10;
const MOST_NAMED = 5;
const MOST_NEXT = 5;
const MOST_TURNED = 5;
const LAST_LINES = 5;
/** What is said of a run takes at least so many columns, and stands on a line of its own where there are fewer. */
const NARROWEST = 32;
/** The age of a run beside its name takes so many columns. */
const BESIDE_NAMES = 16;
const MAX_ABOUT = 240;
const NOTHING: string[][] = [];

interface Screen {
  now: Date;
  paint: Paint;
  columns: number;
  /** Columns that names of runs take. */
  names: number;
}

export function renderReport(
  report: Report,
  { now, paint, columns = USUAL_COLUMNS }: { now: Date; paint: Paint; columns?: number },
): string {
  if (report.totals.runs === 0 && report.unreadable === undefined) return `${heading(report)}: nothing happened.`;
  const longest = Math.max(0, ...shownRows(report).map((row) => namedRun(row).length));
  const screen: Screen = {
    now,
    paint,
    columns,
    names: Math.min(longest, columns - BESIDE_NAMES),
  };
  const blocks = [
    opening(report, columns),
    redBlock(report, screen),
    unreadableLines(report.unreadable ?? []),
    listBlock({ title: paint("yellow", "waiting for you"), rows: openRows(report, "you"), text: waitingWords }, screen),
    listBlock({ title: "open", rows: openRows(report, "other"), text: waitingWords }, screen),
    finishedBlock(report, screen),
    listBlock(
      { title: "cancelled", rows: newest(report.cancelled), all: report.cancelled, text: cancelledWords },
      screen,
    ),
    sumBlock(report, screen),
    failedTurnsBlock(report, screen),
    againstBlock(report, screen),
    nextBlock(report, screen),
  ];
  return blocks
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function heading({ since }: Report): string {
  return `Since ${shownTime(since)}`;
}

function opening(report: Report, columns: number): string[] {
  const { totals, unreadable = [] } = report;
  const counts = countWords(totals.outcomes);
  if (isQuiet(report)) return [wrapped(`${heading(report)}: ${counts}.`, { columns, hang: "  ", at: SEPARATED })];
  const bad = unreadable.length === 0 ? "" : `, and ${unreadable.length} that cannot be read`;
  return [
    `${heading(report)}: ${counted(totals.runs, "run")}${bad}.`,
    ...(counts === "" ? [] : [wrapped(counts, { columns, hang: "  ", at: SEPARATED })]),
  ];
}

/** A list is broken between its members, and what stands in brackets stays together. */
const SEPARATED = / (?![^(]*\))(?<=, )/u;

function openRows({ waiting }: Report, outcome: RunReport["outcome"]): RunReport[] {
  return waiting.filter((row) => row.outcome === outcome);
}

function newest(ended: readonly RunReport[]): RunReport[] {
  return ended.slice(-MOST_ENDED);
}

/** Those that have a line of their own. */
function shownRows(report: Report): RunReport[] {
  return [...report.failed, ...report.waiting, ...newest(report.finished), ...newest(report.cancelled)];
}

/** A line about a run, and how many columns are left for its text. */
function lineOf(row: RunReport, { now, names, columns }: Screen, text: (room: number) => string): string {
  const start = `  ${namedRun(row).padEnd(names)}  ${`${age(row.at, now)} ago`.padEnd(10)}  `;
  const room = columns - start.length;
  return room < NARROWEST ? `${start.trimEnd()}\n    ${text(columns - 4)}` : `${start}${text(room)}`.trimEnd();
}

function redBlock(report: Report, screen: Screen): string[] {
  const { causes, failed } = report;
  const lines = causes.flatMap((cause, n) => {
    const rows = failed.filter((row) => row.cause === n).toReversed();
    return rows[0] === undefined ? [] : causeLines(cause, rows[0], rows.slice(1), screen);
  });
  return lines.length === 0 ? [] : [screen.paint("red", redHeading(failed)), ...lines];
}

function redHeading(failed: readonly RunReport[]): string {
  return [...new Set(failed.map(({ outcome }) => outcome).filter(isRed))].toSorted().toReversed().join(" and ");
}

function causeLines(cause: FailureCause, row: RunReport, more: readonly RunReport[], screen: Screen): string[] {
  const lines = cause.lines.slice(-LAST_LINES);
  return [
    lineOf(row, screen, (room) => shownLine(cause.what, room)),
    ...(more.length === 0
      ? []
      : [
          wrapped(`    same cause in ${counted(more.length, "more run")}: ${namesText(more)}`, {
            ...screen,
            hang: "      ",
          }),
        ]),
    ...(cause.step === undefined || lines.length === 0 ? [] : [`    last lines of "${shownLine(cause.step, 50)}":`]),
    ...lines.map((line) => screen.paint("dim", `    | ${shownLine(line, screen.columns - 6)}`)),
  ];
}

function namesText(rows: readonly RunName[]): string {
  const more = rows.length - MOST_NAMED;
  return `${rows.slice(0, MOST_NAMED).map(namedRun).join(", ")}${more > 0 ? ` and ${more} others` : ""}`;
}

interface RunList {
  title: string;
  rows: readonly RunReport[];
  /** Of which only the newest are shown. */
  all?: readonly RunReport[];
  text: (row: RunReport, room: number) => string;
}

function listBlock({ title, rows, all = rows, text }: RunList, screen: Screen): string[] {
  if (rows.length === 0) return [];
  const older = all.length - rows.length;
  return [
    title,
    ...rows.map((row) => lineOf(row, screen, (room) => withCost(row, room, text))),
    ...(older === 0 ? [] : [`  … and ${older} that ended earlier; use --json to see all`]),
  ];
}

/** What it cost stands at the end, where there is something to say about it. */
function withCost(row: RunReport, room: number, text: (row: RunReport, room: number) => string): string {
  const cost = costOfRow(row);
  return cost === undefined ? text(row, room) : `${text(row, Math.max(12, room - cost.length - 2))}  ${cost}`;
}

function finishedBlock(report: Report, screen: Screen): string[] {
  const rows = newest(report.finished);
  const widest = Math.max(0, ...rows.map(({ outcome }) => OUTCOME_WORDS[outcome].length));
  const text = (row: RunReport, room: number): string => {
    const kind = OUTCOME_WORDS[row.outcome].padEnd(widest);
    return `${row.outcome === "claim" ? screen.paint("yellow", kind) : kind}  ${shownLine(row.title ?? row.processId, Math.max(12, room - widest - 2))}`;
  };
  return listBlock({ title: screen.paint("green", "finished"), rows, all: report.finished, text }, screen);
}

function sumBlock(report: Report, { columns }: Screen): string[] {
  const { totals } = report;
  const changed = rowsOf(report).filter(
    ({ contractChanges, codeChanges }) => (contractChanges ?? codeChanges) !== undefined,
  );
  const contracts = changed.flatMap((row) =>
    (row.contractChanges ?? []).map(
      ({ by, terms }) => `${namedRun(row)}: ${terms.join("; ")}${by === undefined ? "" : ` (${by})`}`,
    ),
  );
  const codes = changed.flatMap((row) =>
    row.codeChanges === undefined ? [] : [`${namedRun(row)}: ${row.codeChanges}`],
  );
  const hasCost = totals.cost.knownRuns + totals.cost.unknownRuns > 0;
  const rows = [
    ...(hasCost || !isQuiet(report) ? [["cost", costTotalWords(totals.cost)]] : []),
    ...(totals.humanMs > 0 || !isQuiet(report) ? [["waited for you", waitWords(totals)]] : []),
    ...some(totals.failedAttempts, "failed attempts"),
    ...some(totals.failedTurns, "failed turns"),
    ...firstOf(contracts, "contract changes"),
    ...firstOf(codes, "code changes"),
  ];
  if (rows.length === 0) return [];
  return [alignColumns(rows.map(([name = "", text = ""]) => [name, shownLine(text, columns - 18)]))];
}

function some(count: number, name: string): string[][] {
  return count === 0 ? [] : [[name, String(count)]];
}

/** One line each, the name only before the first. */
function firstOf(lines: readonly string[], name: string): string[][] {
  const shown = lines.slice(0, MOST_NAMED).map((line, n) => [n === 0 ? name : "", line]);
  return lines.length > shown.length ? [...shown, ["", `… and ${lines.length - shown.length} more`]] : shown;
}

function failedTurnsBlock(report: Report, { now }: Screen): string[] {
  const rows = rowsOf(report).flatMap((row) => {
    if (row.failedTurns === undefined) return NOTHING;
    const { count, last } = row.failedTurns;
    return [[`  ${namedRun(row)}`, String(count), age(last.at, now), shownLine(`${last.error}: ${last.message}`, 50)]];
  });
  return rows.length === 0 ? [] : ["turns that failed with a host error:", alignColumns(rows)];
}

function againstBlock(report: Report, { paint, columns }: Screen): string[] {
  const { since, until, totals, recovered, broken } = report.against;
  const length = lengthWords(Date.parse(until) - Date.parse(since));
  if (totals.runs === 0) return isQuiet(report) ? [] : [`vs. the ${length} before: nothing happened then`];
  const changes = changeWords(report);
  if (changes.length + recovered.length + broken.length === 0 && isQuiet(report)) return [];
  return [
    wrapped(`vs. the ${length} before: ${changes.length === 0 ? "the same numbers" : changes.join(", ")}`, {
      columns,
      hang: "  ",
    }),
    ...broken
      .slice(0, MOST_TURNED)
      .map((run) => `  ${paint("red", "broken")}     ${shownLine(turnedWords(run), columns - 13)}`),
    ...recovered
      .slice(0, MOST_TURNED)
      .map((run) => `  ${paint("green", "recovered")}  ${shownLine(turnedWords(run), columns - 13)}`),
  ];
}

/** People say 24 hours before they say one day. */
function lengthWords(ms: number): string {
  const hours = Math.round(ms / 60_000) / 60;
  return Number.isInteger(hours) && hours <= 48 ? counted(hours, "hour") : shownDuration(ms);
}

function nextBlock({ next }: Report, { paint, columns }: Screen): string[] {
  if (next.length === 0) return [];
  const more = next.length - MOST_NEXT;
  return [
    "next:",
    ...next.slice(0, MOST_NEXT).flatMap(({ command, about }) => [
      `  ${command}`,
      ...wrapped(`    ${shownLine(about, MAX_ABOUT)}`, { columns, hang: "    " })
        .split("\n")
        .map((line) => paint("dim", line)),
    ]),
    ...(more > 0 ? [`  … and ${more} more; use --json to see all`] : []),
  ];
}
