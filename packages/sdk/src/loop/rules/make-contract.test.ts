import { describe, expect, it } from "vitest";
import type { LoopContract } from "../../model/loop-contract.js";
import {
  type ContractRequest,
  commandsOf,
  DEFAULT_ITERATIONS,
  makeContract,
  RUN_ITERATIONS,
  stepsOf,
} from "./make-contract.js";

const SETTINGS = { answers: "open" as const, policy: "", prices: {} };

function made(parts: Partial<ContractRequest> = {}): LoopContract {
  const contract = tried(parts);
  if ("problem" in contract) throw new Error(contract.problem);
  return contract;
}

function tried(parts: Partial<ContractRequest> = {}): ReturnType<typeof makeContract> {
  return makeContract({
    goal: "Fix it",
    criteria: [],
    mustNot: [],
    claims: [],
    steps: [],
    protect: [],
    iterations: 50,
    settings: SETTINGS,
    nonce: "4f2a",
    ...parts,
  });
}

const TESTS = { id: "tests", command: "npm test" };
const LINT = { id: "lint", command: "npm run lint" };

describe("a contract from what someone asked for", () => {
  it("L5: the usual limits are 50 iterations, and 256 for a loop that follows a process", () => {
    expect([DEFAULT_ITERATIONS, RUN_ITERATIONS]).toEqual([50, 256]);
  });

  it("is this when nothing but a goal is given", () => {
    expect(made()).toEqual({
      mode: "prompt",
      title: "Fix it",
      promise: { text: "DONE-4f2a", issued: true },
      criteria: [],
      steps: [],
      limits: { iterations: 50, rejections: 5 },
      shape: "tool",
      protects: [],
      protectedThings: [],
      settings: SETTINGS,
    });
  });

  it("has the limits that were given, and no others", () => {
    const limits = { usd: 2.5, tokens: 1_000, wallMs: 60_000, reviewEvery: 3 };
    expect(made({ ...limits, iterations: 0 }).limits).toEqual({ iterations: 0, rejections: 5, ...limits });
  });

  it("L12: tool and colleague shape: only a colleague is reviewed every five iterations, unless told otherwise", () => {
    expect(made({ shape: "colleague" })).toMatchObject({ shape: "colleague", limits: { reviewEvery: 5 } });
    expect(made({ shape: "colleague", reviewEvery: 2 }).limits.reviewEvery).toBe(2);
    expect(made({ shape: "tool" }).limits).not.toHaveProperty("reviewEvery");
    expect(made({ shape: "tool", reviewEvery: 2 }).limits.reviewEvery).toBe(2);
  });

  it.each<[parts: Partial<ContractRequest>, mode: string]>([
    [{}, "prompt"],
    [{ mustNot: [TESTS] }, "prompt"],
    [{ criteria: [TESTS] }, "criteria"],
    [{ fastCriteria: [TESTS] }, "criteria"],
    [{ claims: ["docs are good"] }, "criteria"],
    [{ steps: ["build"] }, "tasks"],
    [{ steps: ["build"], criteria: [TESTS] }, "tasks"],
    [{ steps: ["build"], mode: "run" }, "run"],
  ])("of %j has the mode %s", (parts, mode) => {
    expect(made(parts).mode).toBe(mode);
  });

  it.each<[goal: string, title: string]>([
    ["\n  \n Fix it \nnow", "Fix it"],
    ["", ""],
    ["\n\n", ""],
    ["a\u001b[31mred", "a\\x1b[31mred"],
  ])("takes its title from the first line with words: %j", (goal, title) => {
    expect(made({ goal }).title).toBe(title);
  });

  it("cuts a long title to 120 characters", () => {
    expect(made({ goal: "x".repeat(120) }).title).toBe("x".repeat(120));
    expect(made({ goal: "x".repeat(121) }).title).toBe(`${"x".repeat(119)}…`);
  });

  it("keeps a promise as it was given, white space at the ends aside; an empty one is refused", () => {
    expect(made({ completionPromise: " ALL  DONE\n" }).promise).toEqual({ text: "ALL  DONE", issued: false });
    for (const completionPromise of ["", " \n"])
      expect(tried({ completionPromise })).toEqual({
        problem: "The promise is empty.",
        hint: "Omit it to have one generated.",
      });
  });

  it("L10: criteria with commands that the engine runs: slow and required, fast, forbidden, and claims, in this order", () => {
    const { criteria } = made({
      criteria: [TESTS],
      fastCriteria: [LINT],
      mustNot: [{ id: "wiped", command: "test -e gone" }],
      claims: ["Docs are good", "tests"],
      criterionTimeoutMs: 5,
    });
    const common = { kind: "command", timeoutMs: 5 };
    expect(criteria).toEqual([
      { ...common, id: "tests", text: "npm test", command: "npm test", tier: "slow", role: "required" },
      { ...common, id: "lint", text: "npm run lint", command: "npm run lint", tier: "fast", role: "required" },
      { ...common, id: "wiped", text: "test -e gone", command: "test -e gone", tier: "fast", role: "must-not" },
      { kind: "claim", id: "docs-are-good", text: "Docs are good" },
      { kind: "claim", id: "tests-2", text: "tests" },
    ]);
    expect(commandsOf(criteria)).toEqual(["npm test", "npm run lint", "test -e gone"]);
  });

  it("gives a criterion ten minutes unless told otherwise", () => {
    expect(made({ criteria: [TESTS] }).criteria[0]).toMatchObject({ timeoutMs: 600_000 });
  });

  it.each<[parts: Partial<ContractRequest>]>([
    [{ criteria: [TESTS, TESTS] }],
    [{ criteria: [TESTS], fastCriteria: [TESTS] }],
    [{ fastCriteria: [TESTS], mustNot: [TESTS] }],
  ])("refuses two criteria of one name: %j", (parts) => {
    expect(tried(parts)).toEqual({ problem: 'Two criteria are named "tests".', hint: "Give each a unique name." });
  });

  it("gives steps ids of their own, also apart from those that are taken", () => {
    expect(made({ steps: ["Build it", "Build it!"] }).steps).toEqual([
      { id: "build-it", title: "Build it" },
      { id: "build-it-2", title: "Build it!" },
    ]);
    expect(stepsOf(["Build it"], ["build-it"])).toEqual([{ id: "build-it-2", title: "Build it" }]);
  });

  it("keeps its own copy of the globs that were given", () => {
    const protect = ["test/**"];
    const { protects } = made({ protect });
    protect.push("later");
    expect(protects).toEqual(["test/**"]);
  });
});
