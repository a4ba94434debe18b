import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { parseRunQuery } from "../rules/run-query.js";
import type { RunRow } from "../wire/run-wire.js";
import { QuestionIndex, type RunReading } from "./question-index.js";
import type { RunCard } from "./run-cards.js";

const AT = "2026-11-17T08:00:00.000Z";
const KEY = { place: "/p/runs", run: "r" };

function card(changes: Partial<RunRow> = {}, texts: Pick<RunCard, "words" | "logs"> = {}): RunCard {
  const row = {
    project: { name: "p", root: "/p" },
    process: "x",
    title: null,
    lane: "working" as const,
    state: "running",
    outcome: null,
    why: "",
    createdAt: AT,
    lastEventAt: AT,
    since: AT,
    until: null,
    events: 1,
    iteration: null,
    maxIterations: null,
    spend: null,
    budgetUsd: null,
    agent: false,
    ...changes,
  };
  return {
    row,
    facts: { state: row.state, asks: false, paused: false, until: null, writtenAt: 0, agent: false, driven: true },
    ...texts,
  };
}

function reading(of: RunCard): RunReading {
  return { stamp: "1", unfinished: true, questions: [], card: of };
}

function open(): QuestionIndex {
  return new QuestionIndex(path.join(tempDir(), "index.db"), { isOwnPlace: true, onLoss: () => undefined });
}

const list = (index: QuestionIndex, query: Record<string, string> = {}) => index.listRuns(parseRunQuery(query));
const ids = (index: QuestionIndex, query: Record<string, string> = {}): string[] =>
  list(index, query).runs.map(({ id }) => id);

describe("cards of runs", () => {
  it("tell what has changed, also when no question has; work began when it began", () => {
    const index = open();
    expect(index.followRun(KEY, { stamp: "1", card: card() })).toBeUndefined();
    expect(index.replaceRun(KEY, reading(card())).runs.changed).toMatchObject([{ id: "r", events: 1 }]);
    expect(index.followRun(KEY, { stamp: "2", card: card() })).toEqual({ changed: [], gone: [] });
    const later = "2026-11-17T09:00:00.000Z";
    const next = card({ events: 2, lastEventAt: later, since: later });
    expect(index.followRun(KEY, { stamp: "3", card: next })?.changed).toMatchObject([{ events: 2, since: AT }]);
    const stalled = card({ events: 2, lastEventAt: later, since: later, lane: "stalled" });
    expect(index.followRun(KEY, { stamp: "3", card: stalled })?.changed).toMatchObject([{ since: later }]);
    expect(index.runsIn(KEY.place).get("r")?.stamp).toBe("3");
    expect([...index.cardsIn(KEY.place)]).toMatchObject([["r", { lane: "stalled", facts: { driven: true } }]]);
  });

  it("a run that can no longer be read has none; one that is gone is remembered until it is back", () => {
    const index = open();
    index.replaceRun(KEY, reading(card()));
    const broken = { stamp: "2", unfinished: false, questions: [], problem: "damaged" };
    expect(index.replaceRun(KEY, broken).runs).toEqual({ changed: [], gone: ["r"] });
    expect([ids(index), index.goneRun("r")]).toEqual([[], undefined]);
    index.replaceRun(KEY, reading(card()));
    expect(index.removeRun(KEY).runs.gone).toEqual(["r"]);
    expect([ids(index), index.goneRun("r"), index.goneRun("never")]).toEqual([[], KEY, undefined]);
    index.replaceRun(KEY, reading(card()));
    expect(index.goneRun("r")).toBeUndefined();
    // It may be seen while it is being deleted.
    for (const half of [broken, { stamp: "3", unfinished: false, questions: [] }]) {
      index.replaceRun(KEY, reading(card()));
      index.replaceRun(KEY, half);
      index.removeRun(KEY);
      expect(index.goneRun("r")).toEqual(KEY);
    }
    index.replaceRun({ ...KEY, run: "no-run" }, { stamp: "3", unfinished: false, questions: [] });
    index.removeRun({ ...KEY, run: "no-run" });
    expect(index.goneRun("no-run")).toBeUndefined();
    index.replaceRun(KEY, reading(card()));
    expect(index.removePlace(KEY.place).runs.gone).toEqual(["r"]);
    // The project may only have moved.
    expect(index.goneRun("r")).toBeUndefined();
  });

  it("a copy in another place has an id of its own, and both lead to where they are", () => {
    const index = open();
    const copy = { place: "/a/runs", run: "r" };
    index.replaceRun(KEY, reading(card()));
    index.replaceRun(copy, reading(card({ project: { name: "a", root: "/a" } })));
    const [other = ""] = ids(index).filter((id) => id !== "r");
    expect(other).toMatch(/^r\.[0-9a-f]{8}$/u);
    expect([index.findRun("r"), index.findRun(other), index.findRun("r.00000000")]).toEqual([KEY, copy, undefined]);
    index.removeRun(KEY);
    expect([ids(index), index.findRun(other)]).toEqual([[other], copy]);
  });

  it("are found by what they are about and by the ends of their logs, which stay until newer ones are read", () => {
    const index = open();
    index.replaceRun(KEY, reading(card({}, { words: "Die große Übung", logs: "segfault at 0x1 %_'\"" })));
    index.followRun(KEY, { stamp: "2", card: card({ events: 2 }) });
    for (const search of ["GROSSE", "übung", "ÜBUNG", "segFAULT die", "%_'\"", "0x1"])
      expect([search, ids(index, { search })]).toEqual([search, search === "GROSSE" ? [] : ["r"]]);
    index.followRun(KEY, { stamp: "3", card: card({ events: 2 }, { logs: "fine" }) });
    expect([ids(index, { search: "segfault" }), ids(index, { search: "fine übung" })]).toEqual([[], ["r"]]);
    index.removeRun(KEY);
    expect(ids(index, { search: "fine" })).toEqual([]);
  });

  it("filters take names as they are, and days by the clock on the wall", () => {
    const index = open();
    const noon = (day: number): string => new Date(2026, 10, day, 12).toISOString();
    index.replaceRun(KEY, reading(card({ createdAt: noon(1), lastEventAt: noon(3), process: "a%" })));
    index.replaceRun(
      { place: "/q/runs", run: "s" },
      reading(card({ createdAt: noon(3), lastEventAt: noon(3), process: "ab", project: { name: "q", root: "/q" } })),
    );
    expect(ids(index, { day: "2026-11-01" })).toEqual(["r"]);
    expect(ids(index, { day: "2026-11-02" })).toEqual([]);
    expect(ids(index, { day: "2026-11-03" })).toEqual(["r", "s"]);
    expect([ids(index, { process: "a%" }), ids(index, { project: "/q" }), ids(index, { state: "failed" })]).toEqual([
      ["r"],
      ["s"],
      [],
    ]);
    expect(list(index, { search: "nothing" })).toMatchObject({
      processes: ["a%", "ab"],
      projects: [
        { name: "p", root: "/p" },
        { name: "q", root: "/q" },
      ],
    });
  });
});
