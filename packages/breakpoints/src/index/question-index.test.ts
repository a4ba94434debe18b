import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { parseQuery } from "../rules/question-query.js";
import type { QuestionRow } from "../wire/inbox-wire.js";
import { QuestionIndex, type RunReading } from "./question-index.js";

type Question = RunReading["questions"][number];

function question(effect: string, changes: Partial<QuestionRow> = {}): Question {
  const row = {
    question: `${effect}?`,
    state: "open" as const,
    project: { name: "p", root: "/p" },
    run: { id: "r", process: "x" },
    stops: "run" as const,
    agent: false,
    askedAt: "2026-01-20T08:00:00.000Z",
    commentCount: 0,
    ...changes,
  };
  return { effect, endedAt: row.decidedAt ?? "", row };
}

function reading(...questions: Question[]): RunReading {
  return { stamp: "1", unfinished: true, questions };
}

class Opened {
  readonly file = path.join(tempDir(), "inbox", "index.db");
  readonly losses: string[] = [];
  readonly index = this.open();

  open(): QuestionIndex {
    return new QuestionIndex(this.file, { isOwnPlace: true, onLoss: (why) => void this.losses.push(why) });
  }

  ids(query: Record<string, string> = {}): string[] {
    return this.index.list(parseQuery((name) => query[name])).questions.map(({ id }) => id);
  }
}

const KEY = { place: "/p/runs", run: "r" };

describe("the index of questions", () => {
  it("tells what is different after a reading, and nothing when nothing is", () => {
    const { index } = new Opened();
    const first = index.replaceRun(KEY, reading(question("a"), question("b")));
    expect([first.changed.map(({ id }) => id), first.gone]).toEqual([["a", "b"], []]);
    expect(index.replaceRun(KEY, reading(question("a"), question("b")))).toMatchObject({ changed: [], gone: [] });
    const next = index.replaceRun(KEY, reading(question("a", { commentCount: 1 })));
    expect([next.changed.map(({ id }) => id), next.gone]).toEqual([["a"], ["b"]]);
    expect(index.removeRun(KEY).gone).toEqual(["a"]);
    expect(index.runsIn(KEY.place).size).toBe(0);
  });

  it("open: what stops a run first, then the oldest; decided: the newest first", () => {
    const opened = new Opened();
    const at = (second: number): string => new Date(Date.UTC(2026, 0, 20, 8, 0, second)).toISOString();
    opened.index.replaceRun(
      KEY,
      reading(
        question("part-old", { stops: "part", askedAt: at(1) }),
        question("run-new", { askedAt: at(9) }),
        question("run-old", { askedAt: at(2) }),
        question("no", { state: "rejected", decidedAt: at(3) }),
        question("yes", { state: "approved", decidedAt: at(4) }),
        question("odd", { askedAt: "no time at all" }),
      ),
    );
    expect(opened.ids()).toEqual(["odd", "run-old", "run-new", "part-old"]);
    expect(opened.ids({ state: "decided" })).toEqual(["yes", "no"]);
    const { index } = opened;
    const { next, total, open } = index.list(parseQuery((name) => ({ limit: "3" })[name]));
    expect([total, open]).toEqual([4, 4]);
    expect(opened.ids({ after: next as string })).toEqual(["part-old"]);
  });

  it("everything of a run changes at once, or nothing", () => {
    const opened = new Opened();
    opened.index.replaceRun(KEY, reading(question("a")));
    const broken = { ...question("b"), effect: undefined as unknown as string };
    expect(() => opened.index.replaceRun(KEY, reading(question("c"), broken))).toThrow(/NOT NULL|undefined|bind/iu);
    expect(opened.ids()).toEqual(["a"]);
    opened.index.replaceRun(KEY, reading(question("d")));
    expect(opened.ids()).toEqual(["d"]);
  });

  it("is there again after a new start, and gone with its file; nobody else can read it", () => {
    const opened = new Opened();
    opened.index.replaceRun(KEY, reading(question("a")));
    for (const ending of ["", "-wal", "-shm"]) expect(fs.statSync(`${opened.file}${ending}`).mode & 0o777).toBe(0o600);
    opened.index.close();
    const again = opened.open();
    expect([again.openCount(), again.runsIn(KEY.place).get("r")]).toMatchObject([1, { stamp: "1", unfinished: true }]);
    for (const ending of ["", "-wal", "-shm"]) fs.rmSync(`${opened.file}${ending}`, { force: true });
    expect([again.openCount(), opened.losses]).toEqual([0, ["its file is gone"]]);
    again.replaceRun(KEY, reading(question("b")));
    expect(again.openCount()).toBe(1);
  });

  it("B9: knows which runs need a person, and which no longer do", () => {
    const { index } = new Opened();
    const trouble = {
      state: "failed" as const,
      why: "no luck",
      at: "2026-01-20T08:00:00.000Z",
      run: { id: "r", process: "x" },
      project: { name: "p", root: "/p" },
    };
    const subject = `run:r@${Date.parse(trouble.at)}`;
    const subjects = (): string[] => index.troubles(10).map((row) => row.subject);
    index.replaceRun(KEY, { ...reading(), trouble });
    expect([index.troubles(10), index.isOvercome(subject)]).toEqual([[{ subject, ...trouble }], false]);
    // A copy of the run is in trouble of its own.
    const copy = { place: "/q/runs", run: "r" };
    index.replaceRun(copy, { ...reading(), trouble });
    const [other = ""] = subjects().filter((one) => one !== subject);
    expect(other).toMatch(/^run:r\.[0-9a-f]{8}@\d+$/u);
    index.replaceRun(copy, reading());
    expect([subjects(), index.isOvercome(other), index.isOvercome(subject)]).toEqual([[subject], true, false]);
    index.replaceRun(KEY, { ...reading(), trouble: { ...trouble, at: "2026-01-20T09:00:00.000Z" } });
    expect([index.isOvercome(subject), subjects().length]).toEqual([true, 1]);
    // Of a run that is gone, or cannot be read, nobody knows.
    index.removeRun(copy);
    index.replaceRun(KEY, { ...reading(), problem: "damaged" });
    expect([subjects(), index.isOvercome(subject), index.isOvercome("run:never@1")]).toEqual([[], false, false]);
    index.replaceRun(KEY, { ...reading(), trouble });
    index.removePlace(KEY.place);
    expect([subjects(), index.isOvercome(subject)]).toEqual([[], false]);
  });

  it("works on without a file where none can be written", () => {
    const opened = new Opened();
    const folder = path.dirname(opened.file);
    fs.rmSync(folder, { recursive: true });
    fs.writeFileSync(folder, "in the way");
    opened.index.replaceRun(KEY, reading(question("a")));
    expect([opened.ids(), opened.losses.length]).toEqual([["a"], 1]);
  });
});
