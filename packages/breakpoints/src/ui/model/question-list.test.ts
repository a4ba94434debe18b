import { expect, test } from "vitest";
import type { QuestionList, QuestionRow } from "../../wire/inbox-wire.js";
import {
  catchUpList,
  changeList,
  compareRows,
  dropRow,
  emptyList,
  extendList,
  neighbour,
  nextToDecide,
  type ShownList,
  settleList,
  startList,
} from "./question-list.js";

function row(id: string, more: Partial<QuestionRow> = {}): QuestionRow {
  return {
    id,
    question: `${id}?`,
    state: "open",
    project: { name: "p", root: "/p" },
    run: { id: "r", process: "x" },
    stops: "run",
    agent: false,
    askedAt: `2026-01-01T00:00:0${id.length}.000Z`,
    commentCount: 0,
    ...more,
  };
}

function page(questions: QuestionRow[], next: string | null = null): QuestionList {
  return { questions, next, open: questions.length, total: questions.length, unreadable: [] };
}

const ids = (rows: readonly QuestionRow[] | undefined): string[] | undefined => rows?.map(({ id }) => id);
const shown = (...rows: QuestionRow[]): ShownList => startList("open", page(rows));
const [a, b, c] = [row("a"), row("bb"), row("ccc")];

test("B2 a new question waits until it is asked for, and then takes its place by age and by what it blocks", () => {
  const before = shown(b, row("part", { stops: "part" }));
  const after = changeList(before, { changed: [a, row("run!!")], gone: [] });
  expect(ids(after.rows)).toEqual(ids(before.rows));
  expect(ids(after.waiting)).toEqual(["a", "run!!"]);
  const settled = settleList(after);
  expect(ids(settled.rows)).toEqual(["a", "bb", "run!!", "part"]);
  expect(settled.waiting).toEqual([]);
});

test("B2 in an empty list a new question is shown at once: there is nothing that it could move", () => {
  const list = changeList(shown(), { changed: [b, a], gone: [] });
  expect([ids(list.rows), list.waiting]).toEqual([["a", "bb"], []]);
});

test("a question that is decided elsewhere stays where it is, says so, and leaves when the list is settled", () => {
  const decided = { ...b, state: "approved" as const, by: "mia" };
  const list = changeList(shown(a, b, c), { changed: [decided], gone: [] });
  expect(list.rows?.[1]).toBe(decided);
  expect([...list.left]).toEqual(["bb"]);
  expect(ids(settleList(list).rows)).toEqual(["a", "ccc"]);
});

test("a question that is asked again comes back where it was", () => {
  const decided = changeList(shown(a, b), { changed: [{ ...b, state: "rejected" }], gone: [] });
  expect([...changeList(decided, { changed: [b], gone: [] }).left]).toEqual([]);
});

test("what is gone leaves the waiting at once, and what is shown only when the list is settled", () => {
  const list = changeList(changeList(shown(a), { changed: [b], gone: [] }), { changed: [], gone: ["a", "bb", "zzz"] });
  expect(ids(list.rows)).toEqual(["a"]);
  expect(list.waiting).toEqual([]);
  expect([...list.left]).toEqual(["a"]);
});

test("the same event twice changes nothing", () => {
  const change = { changed: [b], gone: ["zzz"] };
  const once = changeList(shown(a), change);
  expect(changeList(once, change)).toEqual(once);
});

test("a row behind the last page that was loaded comes with its page, not as news", () => {
  const list = startList("open", page([a], "2"));
  expect(changeList(list, { changed: [c], gone: [] }).waiting).toEqual([]);
  const earlier = row("0", { askedAt: "2025-01-01T00:00:00.000Z" });
  expect(ids(changeList(list, { changed: [earlier], gone: [] }).waiting)).toEqual(["0"]);
});

test("a further page shows nothing twice", () => {
  const list = changeList(startList("open", page([b], "2")), { changed: [a], gone: [] });
  expect(ids(extendList(list, page([a, b, c])).rows)).toEqual(["bb", "ccc"]);
});

test("after a gap the first page is news: what is missing in it has left, what lies behind it stays", () => {
  const far = row("later", { stops: "part" });
  const list = catchUpList(shown(a, b, far), page([b, c], "3"));
  expect(ids(list.rows)).toEqual(["a", "bb", "later"]);
  expect([...list.left]).toEqual(["a"]);
  expect(ids(list.waiting)).toEqual(["ccc"]);
  expect([...catchUpList(shown(a, far), page([a])).left]).toEqual(["later"]);
});

test("nothing is known before the first page, and events change nothing then", () => {
  expect(changeList(emptyList("open"), { changed: [a], gone: [] })).toEqual(emptyList("open"));
  expect(ids(catchUpList(emptyList("open"), page([a])).rows)).toEqual(["a"]);
});

test("decided questions are ordered by when they were decided, the newest first", () => {
  const at = (id: string, decidedAt: string) => row(id, { state: "approved", decidedAt });
  const rows = [at("old", "2026-01-01T00:00:00Z"), at("new", "2026-01-03T00:00:00Z")];
  expect(rows.toSorted((x, y) => compareRows("decided", x, y)).map(({ id }) => id)).toEqual(["new", "old"]);
});

test("j and k pass over what has left, and stop at the ends", () => {
  const list = changeList(shown(a, b, c), { changed: [{ ...b, state: "approved" }], gone: [] });
  expect(neighbour(list, "a", 1)?.id).toBe("ccc");
  expect(neighbour(list, "ccc", -1)?.id).toBe("a");
  expect(neighbour(list, "ccc", 1)).toBeUndefined();
  expect(neighbour(list, undefined, 1)?.id).toBe("a");
  expect(neighbour(list, undefined, -1)).toBeUndefined();
});

test("B2 after a decision the next open question comes: the one below, else the first, also one that waits", () => {
  expect(nextToDecide(shown(a, b, c), "bb")?.id).toBe("ccc");
  expect(nextToDecide(shown(a, b, c), "ccc")?.id).toBe("a");
  expect(nextToDecide(changeList(shown(a), { changed: [b], gone: [] }), "a")?.id).toBe("bb");
  expect(nextToDecide(shown(a), "a")).toBeUndefined();
  expect(nextToDecide(shown(row("x", { readOnly: "newer" }), a), "a")).toBeUndefined();
});

test("what somebody here has decided leaves at once", () => {
  const list = dropRow(changeList(shown(a, b), { changed: [{ ...a, state: "approved" }], gone: [] }), "a");
  expect(ids(list.rows)).toEqual(["bb"]);
  expect([...list.left]).toEqual([]);
});
