/** What stands in the rows of a file: its lines, or those of a difference with gaps where nothing has changed. */
import type { LineRun } from "../text/diff-lines.js";
import type { CommentSide, LinePlace } from "./line-selection.js";

/** Numbers count from 1. */
export type CodeRow =
  | { kind: "line"; file: number }
  | { kind: "same"; file: number; base: number }
  /** `other` is the line on the other side that most likely became this one. */
  | { kind: "added"; file: number; other?: number }
  | { kind: "removed"; base: number; other?: number }
  | { kind: "gap"; file: number; base: number; count: number };

/** Unchanged lines above and below a change. */
const CONTEXT = 3;
/** Gaps that would hide less than they take. */
const SMALL_GAP = 2;

/** Lines of the file that are shown although nothing has changed there, from and to included. */
export type Opened = readonly [from: number, to: number];

export function diffRows(runs: readonly LineRun[], opened: readonly Opened[]): CodeRow[] {
  const rows: CodeRow[] = [];
  for (const [index, run] of runs.entries()) {
    if (run.kind === "same")
      addSame(rows, run, [
        ...(index === 0 ? [] : ([[run.after + 1, run.after + CONTEXT]] as Opened[])),
        ...(index === runs.length - 1
          ? []
          : ([[run.after + run.count - CONTEXT + 1, run.after + run.count]] as Opened[])),
        ...opened,
      ]);
    else addChanged(rows, run, runs[index + (run.kind === "removed" ? 1 : -1)]);
  }
  return rows;
}

function addChanged(rows: CodeRow[], run: LineRun, partner: LineRun | undefined): void {
  const wanted = run.kind === "removed" ? "added" : "removed";
  for (let n = 0; n < run.count; n += 1) {
    const isPaired = partner?.kind === wanted && n < partner.count;
    if (run.kind === "removed")
      rows.push({ kind: "removed", base: run.before + n + 1, ...(isPaired ? { other: partner.after + n + 1 } : {}) });
    else rows.push({ kind: "added", file: run.after + n + 1, ...(isPaired ? { other: partner.before + n + 1 } : {}) });
  }
}

function addSame(rows: CodeRow[], run: LineRun, opened: readonly Opened[]): void {
  const first = run.after + 1;
  const last = run.after + run.count;
  const shift = run.before - run.after;
  const shown = opened
    .map(([from, to]): [number, number] => [Math.max(from, first), Math.min(to, last)])
    .filter(([from, to]) => from <= to)
    .toSorted((a, b) => a[0] - b[0]);
  let next = first;
  for (const [from, to] of [...shown, [last + 1, last + 1] as const]) {
    if (from - next > SMALL_GAP) {
      rows.push({ kind: "gap", file: next, base: next + shift, count: from - next });
      next = from;
    }
    for (; next <= Math.min(to, last); next += 1) rows.push({ kind: "same", file: next, base: next + shift });
  }
}

/** What a comment on this row is about. */
export function placeOf(row: CodeRow): LinePlace | undefined {
  if (row.kind === "gap") return undefined;
  return row.kind === "removed" ? { side: "base", line: row.base } : { side: "file", line: row.file };
}

/** Rows by their place, without having to make them all. */
export interface RowList {
  readonly length: number;
  at: (index: number) => CodeRow | undefined;
  /** The row of a line, or -1 where it is not shown. */
  find: (place: LinePlace) => number;
}

export function lineRows(count: number): RowList {
  return {
    length: count,
    at: (index) => (index >= 0 && index < count ? { kind: "line", file: index + 1 } : undefined),
    find: ({ side, line }) => (side === "file" && line >= 1 && line <= count ? line - 1 : -1),
  };
}

export function listRows(rows: readonly CodeRow[]): RowList {
  return {
    length: rows.length,
    at: (index) => rows[index],
    find: (place) => rows.findIndex((row) => isAt(row, place)),
  };
}

export function isAt(row: CodeRow, { side, line }: LinePlace): boolean {
  if (row.kind === "gap") return false;
  return side === "file" ? row.kind !== "removed" && row.file === line : "base" in row && row.base === line;
}

/** The next row, up or down, that a comment can be about; on one side only, where the other one takes none. */
export function stepFrom(rows: RowList, from: number, by: 1 | -1, side?: CommentSide): number {
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const row = rows.at(index);
    const place = row === undefined ? undefined : placeOf(row);
    if (place !== undefined && (side === undefined || place.side === side)) return index;
  }
  return from;
}

/** How much was added and removed. */
export function changeCount(runs: readonly LineRun[]): { added: number; removed: number } {
  const count = (kind: LineRun["kind"]): number =>
    runs.reduce((sum, run) => sum + (run.kind === kind ? run.count : 0), 0);
  return { added: count("added"), removed: count("removed") };
}
