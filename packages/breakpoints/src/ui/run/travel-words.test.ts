import type { JournalEvent, RunSummary, TimelineMark } from "@a5c-ai/babysitter-sdk/view";
import { describe, expect, it } from "vitest";
import { changeNotes } from "./change-list.js";
import { integrityWords, UNCHECKED_WORDS } from "./integrity-words.js";
import { positionOf, secondsTime, sliderMarks } from "./travel-words.js";

describe("the slider", () => {
  it("begins with the first event and ends with the last one", () => {
    expect([positionOf(1, 5), positionOf(3, 5), positionOf(5, 5), positionOf(1, 1)]).toEqual([0, 50, 100, 0]);
  });

  it("has no more marks than can be told apart, and keeps those that tell most", () => {
    const mark = (seq: number, kind: TimelineMark["kind"]): TimelineMark => ({ seq, at: 0, kind, text: kind });
    const many = Array.from({ length: 500 }, (_, n) => mark(n + 1, n === 400 ? "code-changed" : "retried"));
    const shown = sliderMarks(many, 500);
    expect([shown.length, shown.some(({ seq }) => seq === 401)]).toEqual([200, true]);
    expect(shown).toEqual(shown.toSorted((a, b) => a.seq - b.seq));
    expect(sliderMarks([mark(3, "failed"), mark(9, "ended")], 5).map(({ seq }) => seq)).toEqual([3]);
  });

  it("tells the second, and the day when it is another one", () => {
    const now = new Date(2026, 10, 17, 22).getTime();
    expect(secondsTime(new Date(2026, 10, 17, 21, 14, 3).toISOString(), now)).toMatch(/^21:14:03$/u);
    expect(secondsTime(new Date(2026, 10, 16, 21, 14, 3).toISOString(), now)).toMatch(/16.*21:14:03/u);
    expect(secondsTime("never")).toBe("never");
  });
});

describe("what was changed on the way", () => {
  it("code: which files, which breakpoints are lost, and who has agreed", () => {
    const change = { files: [{ path: "p.mjs" }], lost: [{ file: "p.mjs", hash: "", text: "Ship?" }] };
    const events = [
      { seq: 1, type: "RUN_CREATED", timestamp: "t1", payload: {} },
      { seq: 2, type: "CODE_CHANGED", timestamp: "t2", payload: change },
      { seq: 3, type: "CODE_ACCEPTED", timestamp: "t3", payload: { ...change, by: "ada" } },
    ] as unknown as JournalEvent[];
    expect(changeNotes(events, undefined).code).toEqual([
      { seq: 2, at: "t2", files: ["p.mjs"], lost: ["p.mjs: Ship?"], accepted: undefined },
      { seq: 3, at: "t3", files: ["p.mjs"], lost: ["p.mjs: Ship?"], accepted: "ada" },
    ]);
  });

  it("contract: what was and what is, unless nothing was changed", () => {
    const terms = [{ term: "limit iterations", was: "5", is: "9" }];
    const contractChanges = [
      { at: "t1", terms },
      { at: "t2", terms: [] },
    ];
    expect(changeNotes([], { loop: { contractChanges } } as unknown as RunSummary).contract).toEqual([
      { at: "t1", terms },
    ]);
  });
});

describe("integrity", () => {
  const finding = (harmless: boolean) => ({ file: "journal/1.json", problem: "gap", harmless });

  it.each([
    [true, [], "Integrity verified", "good"],
    [true, [finding(true)], "Integrity verified, 1 harmless finding", "good"],
    [false, [finding(false), finding(true)], "Integrity broken: 1 problem", "bad"],
  ])("ok %s with %j", (ok, findings, word, tone) => {
    expect(integrityWords({ ok, events: 1_412, signed: 0, findings })).toMatchObject({ word, tone });
  });

  it("a check that could not be done does not look as calm as one that was not asked for", () => {
    const { failed, unasked } = UNCHECKED_WORDS;
    expect([failed.word, failed.tone, unasked.tone]).toEqual(["Integrity not checked", "needs", "quiet"]);
  });
});
