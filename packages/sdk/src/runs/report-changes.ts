/** What changed sides between two reports. Pure. */
import { defined } from "../model/json.js";
import { isFinishedWell, isRed, type RunOutcome, type RunReport, type TurnedRun } from "../model/report.js";

/** What two reports are compared by. */
export type ComparedRow = Pick<RunReport, "runId" | "project" | "processId" | "title" | "outcome" | "at">;

interface Turned {
  recovered: TurnedRun[];
  broken: TurnedRun[];
}

/** A run is compared with itself, and the newest run of a process with the one before, where it has not met that time. */
export function turnedRuns(rows: readonly ComparedRow[], earlier: readonly ComparedRow[]): Turned {
  const turned: Turned = { recovered: [], broken: [] };
  // Most nights nothing is red in either: then there is nothing to look for.
  if (!rows.some(isRedRow) && !earlier.some(isRedRow)) return turned;
  const same = new Map(earlier.map((row) => [keyOf(row), row]));
  const [newest, newestBefore] = [newestEnds(rows), newestEnds(earlier)];
  for (const row of rows) {
    const isNewest = newest.get(processOf(row)) === row;
    const before = same.get(keyOf(row)) ?? (isNewest ? newestBefore.get(processOf(row)) : undefined);
    if (before === undefined) continue;
    const told = { ...toldOf(row, before) };
    if (isRed(before.outcome) && isFinishedWell(row.outcome)) turned.recovered.push(told);
    if (isRed(row.outcome) && isGood(before.outcome)) turned.broken.push(told);
  }
  return turned;
}

function isRedRow({ outcome }: ComparedRow): boolean {
  return isRed(outcome);
}

/** It worked, waited or had finished. */
function isGood(outcome: RunOutcome): boolean {
  return !isRed(outcome) && outcome !== "cancelled";
}

function toldOf({ runId, project, processId, outcome }: ComparedRow, before: ComparedRow): TurnedRun {
  const other = before.runId === runId ? undefined : before.runId;
  return { runId, ...defined({ project }), processId, was: before.outcome, is: outcome, ...defined({ before: other }) };
}

function keyOf({ runId, project = "" }: ComparedRow): string {
  return `${project}\0${runId}`;
}

/** Loops have no process of their own: their goals are compared. */
function processOf({ processId, project = "", title = "" }: ComparedRow): string {
  return `${project}\0${processId}\0${title}`;
}

/** By process, the run that ended or stopped last; of several at the same moment always the same one. */
function newestEnds(rows: readonly ComparedRow[]): Map<string, ComparedRow> {
  const newest = new Map<string, ComparedRow>();
  for (const row of rows) {
    if (!isRed(row.outcome) && !isFinishedWell(row.outcome)) continue;
    const known = newest.get(processOf(row));
    if (known === undefined || isOlder(known, row)) newest.set(processOf(row), row);
  }
  return newest;
}

function isOlder(one: ComparedRow, other: ComparedRow): boolean {
  return one.at === other.at ? keyOf(one) < keyOf(other) : one.at < other.at;
}
