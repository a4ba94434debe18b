/**
 * The board of runs as it stands on the screen. What comes live is written into the cards at once, and counts follow at
 * once. Where a card stands changes only when the board is settled, so that nothing moves away under a finger.
 */
import type { Lane, RunList, RunRow } from "../../wire/run-wire.js";

export const LANES = ["you", "working", "stalled", "waiting", "done"] as const satisfies readonly Lane[];

type ByLane<T> = Readonly<Record<Lane, T>>;

export interface Board extends Pick<RunList, "next" | "failed" | "processes" | "projects" | "unreadable"> {
  /** What is known of every run, on the screen or not yet. */
  rows: ReadonlyMap<string, RunRow>;
  /** Which cards stand where, from the top. Undefined until the first answer has come. */
  lanes: ByLane<readonly string[]> | undefined;
  /** Ids of cards on the screen whose run is gone, or no longer matches. */
  left: ReadonlySet<string>;
  /** How many there are by lane, also those that are not loaded. */
  counts: ByLane<number>;
}

export function emptyBoard(): Board {
  return {
    rows: new Map(),
    lanes: undefined,
    left: new Set(),
    counts: { you: 0, working: 0, stalled: 0, waiting: 0, done: 0 },
    failed: 0,
    next: null,
    processes: [],
    projects: [],
    unreadable: [],
  };
}

/** What has failed in this time stands above everything else that is done. */
const FRESH_MS = 24 * 60 * 60_000;

/** The order of the server: the newest first, but for what has failed of late. */
function compareRuns(a: RunRow, b: RunRow, now: number): number {
  const isFresh = ({ outcome, since }: RunRow): boolean => outcome === "failed" && Date.parse(since) >= now - FRESH_MS;
  const difference = Number(isFresh(b)) - Number(isFresh(a)) || Date.parse(b.since) - Date.parse(a.since);
  if (difference !== 0) return difference;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** The first answer to what was asked for: everything is shown. */
export function startBoard(page: RunList, now: number): Board {
  const { runs, ...rest } = page;
  const rows = new Map(runs.map((row) => [row.id, row]));
  return settleBoard({ ...emptyBoard(), ...rest, rows }, now);
}

/** More of what is done, below. What has come live in the meantime is not shown twice. */
export function extendBoard(board: Board, page: RunList): Board {
  if (board.lanes === undefined) return board;
  const more = page.runs.filter(({ id, lane }) => lane === "done" && !board.rows.has(id));
  return {
    ...board,
    rows: new Map([...board.rows, ...more.map((row) => [row.id, row] as const)]),
    lanes: { ...board.lanes, done: [...board.lanes.done, ...more.map(({ id }) => id)] },
    next: page.next,
    counts: page.counts,
    failed: page.failed,
  };
}

/** What came live about runs that are known here; whether a new one matches what was asked for, only the server knows. */
export function changeBoard(
  board: Board,
  { changed, gone }: { changed: readonly RunRow[]; gone: readonly string[] },
): Board {
  const rows = new Map(board.rows);
  const left = new Set(board.left);
  const counts = { ...board.counts };
  let { failed } = board;
  const count = ({ lane, outcome }: RunRow, by: 1 | -1): void => {
    counts[lane] = Math.max(0, counts[lane] + by);
    if (lane === "done" && outcome === "failed") failed = Math.max(0, failed + by);
  };
  for (const row of changed) {
    const before = rows.get(row.id);
    if (before === undefined) continue;
    rows.set(row.id, row);
    if (!left.delete(row.id)) count(before, -1);
    count(row, 1);
  }
  for (const id of gone) {
    const before = rows.get(id);
    if (before === undefined || left.has(id)) continue;
    left.add(id);
    count(before, -1);
  }
  return { ...board, rows, left, counts, failed };
}

/** The first page again, taken as news. */
export function catchUpBoard(board: Board, page: RunList, now: number): Board {
  if (board.lanes === undefined) return startBoard(page, now);
  const there = new Map(page.runs.map((row) => [row.id, row]));
  const missing = [...board.rows.values()].filter(({ id }) => !there.has(id));
  const covers = coverageOf(page, now);
  const left = missing.filter((row) => covers(row)).map(({ id }) => id);
  const { counts, failed, processes, projects, unreadable } = page;
  return {
    ...board,
    rows: new Map([...board.rows, ...there]),
    left: new Set(left),
    counts,
    failed,
    processes,
    projects,
    unreadable,
    // Further pages that are here already are not asked for again.
    next: missing.some((row) => row.lane === "done" && !covers(row)) ? board.next : page.next,
  };
}

/** Whether a row would be in the page if it still matched: of long lanes a page has only the beginning. */
function coverageOf({ runs, counts }: RunList, now: number): (row: RunRow) => boolean {
  return (row) => {
    const inLane = runs.filter(({ lane }) => lane === row.lane);
    const last = inLane.at(-1);
    return inLane.length >= counts[row.lane] || (last !== undefined && compareRuns(row, last, now) <= 0);
  };
}

/** Everything falls into place. */
export function settleBoard(board: Board, now: number): Board {
  const rows = [...board.rows.values()]
    .filter(({ id }) => !board.left.has(id))
    .toSorted((a, b) => compareRuns(a, b, now));
  const idsIn = (wanted: Lane): string[] => rows.filter(({ lane }) => lane === wanted).map(({ id }) => id);
  return {
    ...board,
    rows: new Map(rows.map((row) => [row.id, row])),
    lanes: {
      you: idsIn("you"),
      working: idsIn("working"),
      stalled: idsIn("stalled"),
      waiting: idsIn("waiting"),
      done: idsIn("done"),
    },
    left: new Set(),
  };
}

export interface BoardNews {
  /** Runs that are not on the screen yet, or stand in another lane by now. */
  fresh: number;
  left: number;
}

/** What would change its place if the board were settled. */
export function newsOf({ rows, lanes, left }: Board): BoardNews {
  if (lanes === undefined) return { fresh: 0, left: 0 };
  const placed = new Map(LANES.flatMap((lane) => lanes[lane].map((id) => [id, lane] as const)));
  const fresh = [...rows.values()].filter(({ id, lane }) => !left.has(id) && placed.get(id) !== lane).length;
  return { fresh, left: [...left].filter((id) => placed.has(id)).length };
}

export function isEmptyBoard({ counts }: Board): boolean {
  return LANES.every((lane) => counts[lane] === 0);
}

/** Two runs of one process can be compared. */
export function canPick(picked: readonly RunRow[], row: RunRow): boolean {
  if (picked.some(({ id }) => id === row.id)) return true;
  return picked.length < 2 && picked.every(({ process }) => process === row.process);
}

/** Picks a run, or no longer; what cannot be picked changes nothing. */
export function pickRun(picked: readonly RunRow[], row: RunRow): readonly RunRow[] {
  if (picked.some(({ id }) => id === row.id)) return picked.filter(({ id }) => id !== row.id);
  return canPick(picked, row) ? [...picked, row] : picked;
}
