import { describe, expect, test } from "vitest";
import type { Lane, RunList, RunRow } from "../../wire/run-wire.js";
import {
  type Board,
  canPick,
  catchUpBoard as catchUpAt,
  changeBoard,
  emptyBoard,
  extendBoard,
  isEmptyBoard,
  LANES,
  newsOf,
  pickRun,
  settleBoard as settleAt,
  startBoard as startAt,
} from "./run-board.js";

const NOW = Date.UTC(2026, 10, 17, 18);

/** A run that has stood there since some minute. */
function run(id: string, lane: Lane, minute = 0, more: Partial<RunRow> = {}): RunRow {
  const at = new Date(Date.UTC(2026, 10, 17, 12, minute)).toISOString();
  return {
    id,
    project: { name: "shop", root: "/shop" },
    process: "build",
    title: null,
    lane,
    state: "running",
    outcome: null,
    why: "",
    createdAt: at,
    lastEventAt: at,
    since: at,
    until: null,
    questions: [],
    events: 1,
    iteration: null,
    maxIterations: null,
    spend: null,
    budgetUsd: null,
    agent: false,
    ...more,
  };
}

const startBoard = (list: RunList): Board => startAt(list, NOW);
const settleBoard = (board: Board): Board => settleAt(board, NOW);
const catchUpBoard = (board: Board, list: RunList): Board => catchUpAt(board, list, NOW);

function page(runs: RunRow[], more: Partial<RunList> = {}): RunList {
  const counts = { you: 0, working: 0, stalled: 0, waiting: 0, done: 0 };
  for (const { lane } of runs) counts[lane] += 1;
  const failed = runs.filter(({ outcome }) => outcome === "failed").length;
  return { runs, next: null, counts, failed, processes: ["build"], projects: [], unreadable: [], ...more };
}

describe("the first answer", () => {
  test("B7 puts every run into its lane, the newest first", () => {
    const board = startBoard(page([run("old", "done", 1), run("new", "done", 5), run("asks", "you", 2)]));
    expect(board.lanes).toEqual({ you: ["asks"], working: [], stalled: [], waiting: [], done: ["new", "old"] });
    expect(newsOf(board)).toEqual({ fresh: 0, left: 0 });
    expect(isEmptyBoard(board)).toBe(false);
  });

  test("equal times are ordered by name, so that cards never swap", () => {
    const runs = [run("b", "done"), run("a", "done")];
    expect(startBoard(page(runs)).lanes?.done).toEqual(["a", "b"]);
    expect(startBoard(page(runs.toReversed())).lanes?.done).toEqual(["a", "b"]);
  });

  test("B7 what has failed of late stands above everything else that is done", () => {
    const failed = { outcome: "failed" } as const;
    const runs = [run("ok", "done", 9), run("red", "done", 1, failed), run("old", "done", -24 * 60, failed)];
    expect(startBoard(page(runs)).lanes?.done).toEqual(["red", "ok", "old"]);
  });

  test("a board that nobody has answered for is empty, without lanes", () => {
    expect(emptyBoard().lanes).toBeUndefined();
    expect(isEmptyBoard(emptyBoard())).toBe(true);
    expect(newsOf(emptyBoard())).toEqual({ fresh: 0, left: 0 });
  });
});

describe("what comes live", () => {
  const board = startBoard(page([run("a", "working", 1), run("b", "working", 2), run("z", "done", 0)]));

  test("B7 is written into the card, and counted, while the card stays where it is", () => {
    const after = changeBoard(board, { changed: [run("a", "you", 9, { why: "It asks." })], gone: [] });
    expect(after.rows.get("a")?.why).toBe("It asks.");
    expect(after.lanes).toBe(board.lanes);
    expect(after.counts).toEqual({ you: 1, working: 1, stalled: 0, waiting: 0, done: 1 });
    expect(newsOf(after)).toEqual({ fresh: 1, left: 0 });
  });

  test("B7 falls into place when the board is settled", () => {
    const settled = settleBoard(changeBoard(board, { changed: [run("a", "done", 9)], gone: ["b"] }));
    expect(settled.lanes).toEqual({ you: [], working: [], stalled: [], waiting: [], done: ["a", "z"] });
    expect(settled.rows.has("b")).toBe(false);
    expect(newsOf(settled)).toEqual({ fresh: 0, left: 0 });
  });

  test("a run that goes away is counted out once, and counted in again when it comes back", () => {
    const gone = changeBoard(changeBoard(board, { changed: [], gone: ["a"] }), { changed: [], gone: ["a", "nobody"] });
    expect(gone.counts.working).toBe(1);
    expect(newsOf(gone)).toEqual({ fresh: 0, left: 1 });
    const back = changeBoard(gone, { changed: [run("a", "working", 3)], gone: [] });
    expect(back.counts.working).toBe(2);
    expect(newsOf(back)).toEqual({ fresh: 0, left: 0 });
  });

  test("failures are counted as they come, as they go on, and as they go away", () => {
    const bad = { outcome: "failed" } as const;
    const failed = changeBoard(board, { changed: [run("a", "done", 9, bad), run("z", "done", 9, bad)], gone: [] });
    expect(failed.failed).toBe(2);
    const retried = changeBoard(failed, { changed: [run("a", "working", 10)], gone: ["z", "z"] });
    expect(retried.failed).toBe(0);
    expect(catchUpBoard(failed, page([], { failed: 7 })).failed).toBe(7);
    expect(extendBoard(failed, page([], { failed: 8 })).failed).toBe(8);
  });

  test("of a run that is not known here nothing is taken: whether it matches, the server says", () => {
    const after = changeBoard(board, { changed: [run("new", "you")], gone: [] });
    expect(after.rows.has("new")).toBe(false);
    expect(after.counts).toEqual(board.counts);
  });
});

describe("the first page again", () => {
  test("B7 new runs and those that are gone wait until the board is settled; counts are the server's", () => {
    const board = startBoard(page([run("a", "working", 1), run("b", "working", 2)]));
    const after = catchUpBoard(board, page([run("b", "working", 2), run("c", "you", 3)]));
    expect(after.lanes).toBe(board.lanes);
    expect(newsOf(after)).toEqual({ fresh: 1, left: 1 });
    expect(after.counts).toMatchObject({ you: 1, working: 1 });
    expect(settleBoard(after).lanes).toMatchObject({ you: ["c"], working: ["b"] });
  });

  test("keeps further pages, and where they end", () => {
    const first = page([run("d9", "done", 9), run("d8", "done", 8)], { next: "8", counts: countsOf(4) });
    const second = page([run("d7", "done", 7), run("d6", "done", 6)], { next: null, counts: countsOf(4) });
    const board = extendBoard(startBoard(first), second);
    expect(board.lanes?.done).toEqual(["d9", "d8", "d7", "d6"]);
    const after = catchUpBoard(board, first);
    expect(after.next).toBeNull();
    expect(after.left.size).toBe(0);
  });

  test("what is missing between those that are there is gone, also when pages are missing", () => {
    const board = startBoard(page([run("d9", "done", 9), run("d8", "done", 8), run("d7", "done", 7)]));
    const after = catchUpBoard(board, page([run("d9", "done", 9), run("d7", "done", 7)], { counts: countsOf(9) }));
    expect([...after.left]).toEqual(["d8"]);
  });

  test("a further page shows nothing twice", () => {
    const board = startBoard(page([run("a", "done", 9)], { next: "9" }));
    const more = extendBoard(board, page([run("a", "done", 9), run("b", "done", 8), run("c", "you", 8)]));
    expect(more.lanes?.done).toEqual(["a", "b"]);
    expect(more.next).toBeNull();
  });

  test("before any answer it is the first one", () => {
    const runs = page([run("a", "done")]);
    expect(catchUpBoard(emptyBoard(), runs)).toEqual(startBoard(runs));
    expect(extendBoard(emptyBoard(), runs).lanes).toBeUndefined();
  });
});

function countsOf(done: number): RunList["counts"] {
  return { you: 0, working: 0, stalled: 0, waiting: 0, done };
}

describe("picking runs to compare", () => {
  const [a, b, c] = [run("a", "done"), run("b", "done"), run("c", "done")];
  const other = run("o", "done", 0, { process: "deploy" });

  test("B7 takes two of one process, and no third one", () => {
    const two = pickRun(pickRun([], a), b);
    expect(two).toEqual([a, b]);
    expect(pickRun(two, c)).toBe(two);
    expect(canPick(two, c)).toBe(false);
    expect(canPick(two, a)).toBe(true);
    expect(pickRun(two, a)).toEqual([b]);
  });

  test("refuses a run of another process", () => {
    expect(canPick([a], other)).toBe(false);
    expect(pickRun([a], other)).toEqual([a]);
    expect(canPick([], other)).toBe(true);
  });
});

test("the lanes are in the order of what needs a person most", () => {
  expect(LANES).toEqual(["you", "working", "stalled", "waiting", "done"]);
});
