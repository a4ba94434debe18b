import { describe, expect, it } from "vitest";
import { importLoopStateFile, importTaskRecord } from "./import-loop.js";

const SEED = {
  spec: "original user request verbatim",
  criteria: ["tests pass", "lint clean", "no type errors"],
  criteriaStatus: { "tests pass": false, "lint clean": true, "no type errors": false },
  exit_signal: false,
  steps: ["step1", "step2", "step3"],
  completedSteps: ["step1"],
  remainingSteps: ["step2", "step3"],
  iteration: 2,
  status: "in_progress",
  circuitBreaker: { stuckCount: 0, lastUnmet: "tests pass" },
};

function imported(parts: object): unknown {
  return importLoopStateFile(JSON.stringify({ ...SEED, ...parts }));
}

describe("L10: `.loop/state.json` import", () => {
  it("L10: plain-string criteria become claims, with the results that the file gives them", () => {
    expect(imported({})).toEqual({
      goal: "original user request verbatim",
      criteria: [
        { kind: "claim", id: "tests-pass", text: "tests pass" },
        { kind: "claim", id: "lint-clean", text: "lint clean" },
        { kind: "claim", id: "no-type-errors", text: "no type errors" },
      ],
      claimedMet: ["lint-clean"],
      claimedDone: false,
      steps: [
        { id: "step1", title: "step1" },
        { id: "step2", title: "step2" },
        { id: "step3", title: "step3" },
      ],
      doneSteps: ["step1"],
      iteration: 2,
    });
  });

  it("L10: everything true and an exit signal end nothing", () => {
    const criteriaStatus = { "tests pass": true, "lint clean": true, "no type errors": true, other: true };
    expect(imported({ criteriaStatus, exit_signal: true })).toMatchObject({
      claimedMet: ["tests-pass", "lint-clean", "no-type-errors"],
      claimedDone: true,
      goal: SEED.spec,
    });
  });

  it("L10: unknown fields are ignored, missing ones are empty, a byte order mark is skipped", () => {
    expect(importLoopStateFile('\ufeff{"spec":"x","$schema":1,"criteria":null,"nested":{"a":[1]}}')).toEqual({
      goal: "x",
      criteria: [],
      claimedMet: [],
      claimedDone: false,
      steps: [],
      doneSteps: [],
      iteration: 1,
    });
  });

  it.each<[object, string]>([
    [{ spec: 5 }, '"spec" must be a string, not 5.'],
    [{ spec: "" }, '"spec" is missing or empty.'],
    [{ spec: " \n" }, '"spec" is missing or empty.'],
    [{ spec: null }, '"spec" is missing or empty.'],
    [{ criteria: "tests" }, '"criteria" must be a list of strings, not a string.'],
    [{ criteria: { a: true } }, '"criteria" must be a list of strings, not an object.'],
    [{ criteria: ["a", 1] }, '"criteria" must be a list of strings, not a list with other values.'],
    [{ criteriaStatus: ["tests pass"] }, '"criteriaStatus" must be an object, not a list.'],
    [{ criteriaStatus: { "tests pass": "yes" } }, '"criteriaStatus.tests pass" must be true or false, not a string.'],
    [{ exit_signal: 1 }, '"exit_signal" must be true or false, not 1.'],
    [{ steps: [{ title: "x" }] }, '"steps" must be a list of strings, not a list with other values.'],
    [{ completedSteps: 1 }, '"completedSteps" must be a list of strings, not 1.'],
    [{ remainingSteps: {} }, '"remainingSteps" must be a list of strings, not an object.'],
    [{ iteration: "2" }, '"iteration" must be a whole number of at least 0, not a string.'],
    [{ iteration: -1 }, '"iteration" must be a whole number of at least 0, not -1.'],
    [{ iteration: 1.5 }, '"iteration" must be a whole number of at least 0, not 1.5.'],
    [{ iteration: 1e300 }, '"iteration" must be a whole number of at least 0, not 1e+300.'],
    [{ status: "completed" }, "The loop is completed."],
    [{ status: "cancelled" }, "The loop is cancelled."],
    [{ status: "on\u001b[2Jhold" }, '"status" must be in_progress, not on\\x1b[2Jhold.'],
    [{ status: false }, '"status" must be a string, not false.'],
  ])("L10: %j is refused in clear words", (parts, problem) => {
    expect(imported(parts)).toMatchObject({ problem, hint: expect.any(String) });
  });

  it.each([
    ["", "is not JSON"],
    ['{"spec":"x"', "is not JSON"],
    ["\u001b[2J", "is not JSON"],
    ["[".repeat(200_000), "is not JSON"],
    ["null", "must contain an object, not null"],
    ["[]", "must contain an object, not a list"],
    ['"x"', "must contain an object, not a string"],
  ])("L10: a file that is no such file is refused: %#", (text, words) => {
    const problem = importLoopStateFile(text);
    expect(problem).toMatchObject({ problem: expect.stringContaining(words) });
    expect(JSON.stringify(problem)).not.toContain("\\u001b");
  });

  it("L10: names of object members are names like others", () => {
    const text = `{"spec":"x","criteria":["__proto__","constructor","toString"],"criteriaStatus":{"__proto__":true}}`;
    expect(importLoopStateFile(text)).toMatchObject({
      criteria: [{ text: "__proto__" }, { text: "constructor" }, { text: "toString" }],
      claimedMet: ["proto"],
    });
  });

  it("L10: a criterion listed twice counts once, an empty one is ignored", () => {
    expect(imported({ criteria: ["a", "a", "", " ", "A"], criteriaStatus: {} })).toMatchObject({
      criteria: [
        { id: "a", text: "a" },
        { id: "a-2", text: "A" },
      ],
    });
  });

  it.each<[what: string, lists: [string[], string[], string[]], titles: string[], done: string[]]>([
    ["only the two lists", [[], ["a"], ["b"]], ["a", "b"], ["a"]],
    ["done and not done", [["a"], ["a"], ["a"]], ["a"], []],
    ["done, but not listed", [["b"], ["a"], []], ["b", "a"], ["a"]],
    ["neither done nor not done", [["a", "b"], ["a"], []], ["a", "b"], ["a"]],
    ["the same title twice, one of them done", [["a", "a"], ["a"], ["a"]], ["a", "a"], ["a"]],
    ["empty titles", [["", " "], [""], []], [], []],
  ])("L10: steps: %s", (_, [steps, completedSteps, remainingSteps], titles, done) => {
    const loop = imported({ steps, completedSteps, remainingSteps });
    expect(loop).toMatchObject({ doneSteps: done });
    expect((loop as { steps: { title: string }[] }).steps.map(({ title }) => title)).toEqual(titles);
  });
});

const RECORD = {
  id: "task-uuid",
  subject: "Complete: [spec summary]",
  description: "Full spec with success criteria",
  status: "in_progress",
};
const METADATA = {
  iteration: 3,
  cost: 4.5,
  shape: "tool",
  budget: 25,
  maxIterations: 10,
  startedAt: "2026-03-01T10:00:00Z",
  lastCheckpoint: "2026-03-01T11:00:00Z",
  completedSteps: ["step1", "step2"],
  remainingSteps: ["step3", "step4"],
  errors: [],
};

function record(parts: object, metadata: object = {}): unknown {
  return importTaskRecord(JSON.stringify({ ...RECORD, metadata: { ...METADATA, ...metadata }, ...parts }));
}

describe("L12: task record import", () => {
  it("L12: goal, steps, shape, budget, iterations, ID, start and cost are taken over", () => {
    expect(record({})).toEqual({
      goal: "Full spec with success criteria",
      criteria: [],
      claimedMet: [],
      claimedDone: false,
      steps: ["step1", "step2", "step3", "step4"].map((title) => ({ id: title, title })),
      doneSteps: ["step1", "step2"],
      iteration: 3,
      shape: "tool",
      iterations: 10,
      usd: 25,
      id: "task-uuid",
      startedAt: "2026-03-01T10:00:00Z",
      spentUsd: 4.5,
    });
  });

  it("L12: a start that is no time, no cost and no ID are not taken over", () => {
    const bare = record({ id: "" }, { cost: 0, startedAt: "ISO-timestamp" });
    for (const name of ["id", "startedAt", "spentUsd"]) expect(bare).not.toHaveProperty(name);
  });

  it("L12: without a description the subject is the goal; without metadata there are no limits", () => {
    expect(importTaskRecord('{"subject":"Complete: tidy up","status":"pending"}')).toEqual({
      goal: "tidy up",
      criteria: [],
      claimedMet: [],
      claimedDone: false,
      steps: [],
      doneSteps: [],
      iteration: 1,
    });
    expect(record({}, { cost: null, budget: null, shape: null })).not.toHaveProperty("usd");
    expect(record({}, { budget: 0 })).not.toHaveProperty("usd");
    expect(record({}, { maxIterations: 0 })).toMatchObject({ iterations: 0 });
  });

  it.each<[object, object, string]>([
    [{ description: 1 }, {}, '"description" must be a string, not 1.'],
    [{ description: "", subject: "Complete: " }, {}, '"description" is missing or empty.'],
    [{ status: "completed" }, {}, "The loop is completed."],
    [{ status: "deleted" }, {}, "The loop is deleted."],
    [{ status: "x" }, {}, '"status" must be in_progress or pending, not x.'],
    [{ metadata: [] }, {}, '"metadata" must be an object, not a list.'],
    [{}, { iteration: "3" }, '"metadata.iteration" must be a whole number of at least 0, not a string.'],
    [{}, { cost: "a lot" }, '"metadata.cost" must be a number of at least 0, not a string.'],
    [{}, { budget: -5 }, '"metadata.budget" must be a number of at least 0, not -5.'],
    [{}, { maxIterations: 1.5 }, '"metadata.maxIterations" must be a whole number of at least 0, not 1.5.'],
    [{}, { shape: "boss" }, '"metadata.shape" must be tool or colleague, not boss.'],
    [{}, { completedSteps: "all" }, '"metadata.completedSteps" must be a list of strings, not a string.'],
  ])("L12: %j with %j is refused in clear words", (parts, metadata, problem) => {
    expect(record(parts, metadata)).toMatchObject({ problem, hint: expect.any(String) });
  });
});
