import { expect, it } from "vitest";
import { changedTerms } from "./contract-changes.js";
import type { CommandCriterion, LoopContract } from "./loop-contract.js";

const command = (id: string, text: string, role: CommandCriterion["role"] = "required"): CommandCriterion => ({
  id,
  text,
  role,
  kind: "command",
  command: text,
  timeoutMs: 1,
  tier: "slow",
});

const CONTRACT: LoopContract = {
  mode: "criteria",
  title: "Tidy",
  promise: { text: "DONE", issued: false },
  criteria: [command("tests", "npm test")],
  steps: [{ id: "s1", title: "Sweep" }],
  limits: { iterations: 50, rejections: 3 },
  shape: "tool",
  protects: ["src/**"],
  protectedThings: [{ name: "a.test.js", sha256: "a".repeat(64) }],
  settings: { answers: "bound", policy: "", prices: {} },
};

it("is nothing when nothing has changed", () => {
  expect(changedTerms(CONTRACT, structuredClone(CONTRACT))).toEqual([]);
});

it("says of every term what it was and what it is", () => {
  const to: LoopContract = {
    ...CONTRACT,
    promise: { text: "FIN", issued: false },
    criteria: [command("ok", "true"), command("no", "rm x", "must-not")],
    steps: [...CONTRACT.steps, { id: "s2", title: "Mop" }],
    limits: { iterations: 0, rejections: 3, usd: 5 },
    protects: [],
    protectedThings: [
      { name: "a.test.js", sha256: "b".repeat(64) },
      { name: "new", sha256: "c".repeat(64) },
    ],
  };
  expect(changedTerms(CONTRACT, to)).toEqual([
    { term: "criterion tests", was: "npm test" },
    { term: "criterion ok", is: "true" },
    { term: "criterion no", is: "must not succeed: rm x" },
    { term: "limit iterations", was: "50", is: "none" },
    { term: "limit usd", is: "5" },
    { term: "step s2", is: "Mop" },
    { term: "promise", was: "DONE", is: "FIN" },
    { term: "protects src/**", was: "yes" },
    { term: "accepted a.test.js", was: "aaaaaaaaaaaa", is: "bbbbbbbbbbbb" },
  ]);
});
