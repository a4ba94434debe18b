import { describe, expect, it } from "vitest";
import { barKinds, detailsOf, errorLine, lookOf } from "./span-look.js";
import { splitParts } from "./split-parts.js";
import { spanWith } from "./test-timeline.js";

const running = [{ attempt: 1, from: 0, end: "running" as const }];
const failed = [{ attempt: 1, from: 0, to: 5, end: "failed" as const, error: "\n  exit 3\nmore" }];

describe("words for a step", () => {
  it("what it does, or what came of it, is never told by colour alone", () => {
    const words = [
      { state: "ok" },
      { state: "approved" },
      { state: "rejected" },
      { state: "error" },
      { state: "dropped" },
      { state: "open", who: "person" },
      { state: "open", who: "time" },
      { state: "open", who: "agent" },
      { state: "open", attempts: running },
      { state: "open", attempts: failed },
      { state: "open" },
    ] as const;
    expect(
      words.map(
        (given) => lookOf(spanWith({ ...given, attempts: [...("attempts" in given ? given.attempts : [])] })).word,
      ),
    ).toEqual([
      "Done",
      "Approved",
      "Rejected",
      "Failed",
      "Dropped",
      "Waiting on you",
      "Sleeping",
      "Running",
      "Running",
      "Waiting to retry",
      "Not started",
    ]);
  });

  it("kind, how long, and how often it was tried", () => {
    expect(detailsOf(spanWith({ from: 0, to: 65_000 }), 0)).toEqual(["shell", "1 min 5 s"]);
    expect(detailsOf(spanWith({ from: 0, to: 500, attempts: [...failed, ...failed] }), 0)).toEqual([
      "shell",
      "500 ms",
      "2 attempts",
    ]);
  });

  it("a step that waited for its turn took only the time since it started", () => {
    const late = [{ attempt: 1, from: 400, to: 500, end: "ok" as const }];
    expect(detailsOf(spanWith({ from: 0, to: 500, attempts: late }), 0)).toEqual(["shell", "100 ms"]);
  });

  it("the first line of the last error, unless all went well in the end", () => {
    expect(errorLine(spanWith({ state: "error", attempts: failed }))).toBe("  exit 3");
    expect(errorLine(spanWith({ state: "ok", attempts: failed }))).toBeUndefined();
  });
});

it("the legend has only what the picture has", () => {
  const spans = [
    spanWith({ state: "ok", to: 5 }),
    spanWith({ state: "open", attempts: running }),
    spanWith({ state: "rejected", who: "person", to: 5 }),
  ];
  expect([...barKinds({ spans, to: 9 })].toSorted()).toEqual(["person", "rejected", "running", "work"]);
});

describe("where the time went", () => {
  it("only what took time, with parts of a hundred that hide nothing", () => {
    const split = { workingMs: 1, waitingOnPersonMs: 9_999, waitingOnTimeMs: 0, idleMs: 0 };
    expect(splitParts(split).map(({ word, percent }) => [word, percent])).toEqual([
      ["Working", "<1 %"],
      ["Waiting on you", "99 %"],
    ]);
    expect(splitParts({ ...split, workingMs: 0 }).map(({ percent }) => percent)).toEqual(["100 %"]);
    expect(splitParts({ ...split, workingMs: 0, waitingOnPersonMs: 0 })).toEqual([]);
  });
});
