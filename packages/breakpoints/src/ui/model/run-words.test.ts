import { describe, expect, test } from "vitest";
import type { RunRow } from "../../wire/run-wire.js";
import { ALL_RUN_WORDS, iterationWords, LANE_WORDS, money, OUTCOME_WORDS, runWords, spendWords } from "./run-words.js";

const ROW: RunRow = {
  id: "r",
  project: { name: "shop", root: "/shop" },
  process: "build",
  title: null,
  lane: "working",
  state: "running",
  outcome: null,
  why: "",
  createdAt: "",
  lastEventAt: "",
  since: "",
  until: null,
  questions: [],
  events: 1,
  iteration: null,
  maxIterations: null,
  spend: null,
  budgetUsd: null,
  agent: false,
};

describe("how a run stands", () => {
  test("B7 outcomes differ by icon and word, and each says what it means", () => {
    const all = Object.values(OUTCOME_WORDS);
    expect(new Set(all.map(({ icon }) => icon)).size).toBe(all.length);
    expect(new Set(all.map(({ word }) => word)).size).toBe(all.length);
    for (const { says } of ALL_RUN_WORDS) expect(says).toMatch(/\.$/u);
  });

  test("no word stands twice in the help", () => {
    expect(new Set(ALL_RUN_WORDS.map(({ word }) => word)).size).toBe(ALL_RUN_WORDS.length);
  });

  test("the outcome counts first, then an open question, then the state, then the lane", () => {
    const questions = [{ id: "q", title: "?" }];
    expect(runWords({ ...ROW, outcome: "claim", questions })).toBe(OUTCOME_WORDS.claim);
    expect(runWords({ ...ROW, questions, state: "paused" }).word).toBe("Asks you");
    expect(runWords({ ...ROW, state: "paused" }).word).toBe("Paused");
    expect(runWords({ ...ROW, lane: "stalled" })).toBe(LANE_WORDS.stalled);
  });
});

describe("what it has cost", () => {
  const spend = (usd: number | null, knownUsd = usd ?? 0) => ({ usd, knownUsd, tokens: 1 });

  test.each([
    ["against a limit", { spend: spend(1.2), budgetUsd: 5 }, { text: "$1.20 of $5", share: 0.24, tone: "quiet" }],
    ["near the limit", { spend: spend(4), budgetUsd: 5 }, { text: "$4 of $5", share: 0.8, tone: "needs" }],
    ["over the limit", { spend: spend(7.5), budgetUsd: 5 }, { text: "$7.50 of $5", share: 1, tone: "bad" }],
    ["without a limit", { spend: spend(1.2), budgetUsd: null }, { text: "$1.20", share: undefined, tone: "quiet" }],
    [
      "partly unknown",
      { spend: spend(null, 1.2), budgetUsd: 5 },
      { text: "at least $1.20 of $5", share: 0.24, tone: "quiet" },
    ],
    [
      "unknown",
      { spend: spend(null), budgetUsd: 5 },
      { text: "Cost unknown, limit $5", share: undefined, tone: "quiet" },
    ],
    [
      "unknown, without a limit",
      { spend: spend(null), budgetUsd: null },
      { text: "Cost unknown", share: undefined, tone: "quiet" },
    ],
    ["never told", { spend: null, budgetUsd: 5 }, { text: "Cost unknown, limit $5", share: undefined, tone: "quiet" }],
    [
      "of an agent that never told",
      { spend: null, budgetUsd: null, agent: true },
      { text: "Cost unknown", share: undefined, tone: "quiet" },
    ],
    ["a limit of nothing", { spend: spend(0), budgetUsd: 0 }, { text: "$0 of $0", share: 1, tone: "bad" }],
  ] as const)("B7 %s", (_, more, words) => {
    expect(spendWords({ ...ROW, ...more })).toEqual(words);
  });

  test("a run without an agent costs nothing by its nature: nothing is said", () => {
    expect(spendWords(ROW)).toBeUndefined();
  });

  test("amounts of money", () => {
    expect(money(0.0056)).toBe("$0.0056");
    expect(money(0.333333)).toBe("$0.33");
    expect(money(1200)).toBe("$1,200");
  });
});

test("how far it is", () => {
  expect(iterationWords(ROW)).toBeUndefined();
  expect(iterationWords({ ...ROW, iteration: 3 })).toBe("Iteration 3");
  expect(iterationWords({ ...ROW, iteration: 3, maxIterations: 10 })).toBe("Iteration 3 of 10");
});
