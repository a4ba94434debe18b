/**
 * A list as it stands on the screen. What comes live never moves what somebody reads: new rows wait until they are asked
 * for, rows that are decided elsewhere stay where they are and say so.
 */
import type { QuestionList, QuestionRow } from "../../wire/inbox-wire.js";

export type ListKind = "open" | "decided";

export interface ShownList {
  kind: ListKind;
  /** Undefined until the first page has come. */
  rows: readonly QuestionRow[] | undefined;
  /** New rows that are not shown yet, in order. */
  waiting: readonly QuestionRow[];
  /** Ids of shown rows that no longer belong here. */
  left: ReadonlySet<string>;
  next: string | null;
  /** How many match on all pages, as the server has said last. */
  total: number;
}

export interface ListChange {
  changed: readonly QuestionRow[];
  gone: readonly string[];
}

export function emptyList(kind: ListKind): ShownList {
  return { kind, rows: undefined, waiting: [], left: new Set(), next: null, total: 0 };
}

/** What stops a whole run first, then what has waited longest; decided ones newest first. */
export function compareRows(kind: ListKind, a: QuestionRow, b: QuestionRow): number {
  if (kind === "open" && a.stops !== b.stops) return a.stops === "run" ? -1 : 1;
  const difference =
    kind === "open"
      ? Date.parse(a.askedAt) - Date.parse(b.askedAt)
      : Date.parse(b.decidedAt ?? b.askedAt) - Date.parse(a.decidedAt ?? a.askedAt);
  if (difference !== 0) return difference;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function belongs(kind: ListKind, row: QuestionRow): boolean {
  return (row.state === "open") === (kind === "open");
}

/** The first page, asked for by whoever looks: everything is shown at once. */
export function startList(kind: ListKind, page: QuestionList): ShownList {
  return {
    ...emptyList(kind),
    rows: page.questions.filter((row) => belongs(kind, row)),
    next: page.next,
    total: page.total,
  };
}

/** A further page, below. What came live in the meantime is not shown twice. */
export function extendList(list: ShownList, page: QuestionList): ShownList {
  const rows = list.rows ?? [];
  const known = new Set([...rows, ...list.waiting].map(({ id }) => id));
  return {
    ...list,
    rows: [...rows, ...page.questions.filter((row) => belongs(list.kind, row) && !known.has(row.id))],
    next: page.next,
    total: page.total,
  };
}

/** What came live. */
export function changeList(list: ShownList, { changed, gone }: ListChange): ShownList {
  if (list.rows === undefined) return list;
  const fresh = new Map(changed.map((row) => [row.id, row]));
  const rows = list.rows.map((row) => fresh.get(row.id) ?? row);
  const shown = new Set(rows.map(({ id }) => id));
  const left = new Set([...list.left, ...gone].filter((id) => shown.has(id)));
  for (const { id } of changed) left.delete(id);
  for (const row of rows) if (!belongs(list.kind, row)) left.add(row.id);
  const missing = new Set(gone);
  const waiting = [
    ...list.waiting.filter(({ id }) => !fresh.has(id) && !missing.has(id)),
    ...changed.filter((row) => belongs(list.kind, row) && !shown.has(row.id) && !isBelow(list, row)),
  ].toSorted((a, b) => compareRows(list.kind, a, b));
  const changedList = { ...list, rows, left, waiting };
  // In an empty list nothing can move.
  return rows.length === 0 ? settleList(changedList) : changedList;
}

/** Where pages are missing, a row behind the last one comes with its page. */
function isBelow({ kind, rows = [], next }: ShownList, row: QuestionRow): boolean {
  const last = rows.at(-1);
  return next !== null && last !== undefined && compareRows(kind, row, last) > 0;
}

/** After a gap in the stream: the first page again, taken as news. */
export function catchUpList(list: ShownList, page: QuestionList): ShownList {
  if (list.rows === undefined) return startList(list.kind, page);
  const there = new Set(page.questions.map(({ id }) => id));
  const last = page.questions.at(-1);
  const covered = (row: QuestionRow): boolean =>
    page.next === null || (last !== undefined && compareRows(list.kind, row, last) <= 0);
  const gone = [...list.rows, ...list.waiting].filter((row) => !there.has(row.id) && covered(row)).map(({ id }) => id);
  return { ...changeList(list, { changed: page.questions, gone }), total: page.total };
}

/** "3 new" was pressed: everything falls into place. */
export function settleList(list: ShownList): ShownList {
  const rows = [...(list.rows ?? []), ...list.waiting]
    .filter(({ id }) => !list.left.has(id))
    .toSorted((a, b) => compareRows(list.kind, a, b));
  return { ...list, rows, waiting: [], left: new Set() };
}

/** Somebody here has decided it: it leaves at once. */
export function dropRow(list: ShownList, id: string): ShownList {
  const rows = list.rows?.filter((row) => row.id !== id);
  const left = new Set([...list.left].filter((other) => other !== id));
  return { ...list, rows, left, waiting: list.waiting.filter((row) => row.id !== id) };
}

/** What comes after a question, or before it with `step` -1; only what is still open counts. */
export function neighbour(list: ShownList, id: string | undefined, step: 1 | -1): QuestionRow | undefined {
  const rows = list.rows ?? [];
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0) return step === 1 ? rows.find((row) => !list.left.has(row.id)) : undefined;
  for (let n = at + step; n >= 0 && n < rows.length; n += step) {
    const row = rows[n];
    if (row !== undefined && !list.left.has(row.id)) return row;
  }
  return undefined;
}

/** After a decision: the one below, else the first that still waits, shown or not. */
export function nextToDecide(list: ShownList, id: string): QuestionRow | undefined {
  const below = neighbour(list, id, 1);
  if (below !== undefined && below.id !== id) return below;
  return settleList(list).rows?.find((row) => row.id !== id && row.readOnly === undefined);
}
