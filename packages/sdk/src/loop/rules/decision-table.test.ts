import { describe, expect, it } from "vitest";
import { bothOf, RULE_EXAMPLES } from "../../../../../tests/fixtures/loop/rule-examples.js";
import { PROMISE, said, situation, type Turn } from "../../../../../tests/fixtures/loop/situations.js";
import { endingWords, SPOKEN_CODES } from "../texts/ending-texts.js";
import { decide } from "./decide.js";
import { ENGINE_ERROR_RULE, TURN_RULES } from "./decision-rules.js";
import { GUARD_RULES } from "./guard-rules.js";

const CODES = TURN_RULES.map(({ code }) => code);
const ORDER = Object.keys(RULE_EXAMPLES);
const LIMITS = ["budget_time", "budget_cost", "budget_tokens", "cost_unknown", "max_iterations_reached"];

const ruleOf = (code: string) => TURN_RULES[CODES.indexOf(code)] as (typeof TURN_RULES)[number];
const exampleOf = (code: string): Turn => RULE_EXAMPLES[code] as Turn;
const applies = (code: string, turn: Turn): boolean => ruleOf(code).when(situation(turn));
const codesWith = (...actions: string[]): string[] =>
  TURN_RULES.flatMap(({ action, code }) => (actions.includes(action) ? [code] : []));

/** Neighbours that never apply to the same turn, so that their order says nothing. */
const EXCLUSIVE = [
  "completion_proof_matched > completed_verified",
  "completed_verified > promise_matched",
  "promise_matched > no_criteria",
  "claims_exhausted > confirm_missing",
  "stuck_oscillation > stuck_same_failure",
  "stuck_same_failure > stuck_no_progress",
  "stuck_no_progress > stuck_plateau",
  "stuck_plateau > iteration_too_fast",
  "steps_remaining > run_incomplete",
  "run_incomplete > proof_missing",
];

describe("L3: the table of decisions", () => {
  it("L3: every code has one row, and the rows stand in this order", () => {
    expect(CODES).toEqual(ORDER);
    const all = [...GUARD_RULES, ...TURN_RULES, ENGINE_ERROR_RULE].map(({ code }) => code);
    expect(new Set(all).size).toBe(all.length);
  });

  it("L3: only these let the agent stop without a pause, and only these end a loop", () => {
    expect(codesWith("allow")).toEqual(["command_waiting", "awaiting_human", "awaiting_time", "awaiting_background"]);
    expect(codesWith("done")).toEqual(["completion_proof_matched", "completed_verified", "promise_matched"]);
    expect(codesWith("block")).toEqual([
      "verifying",
      "ask_human",
      "criteria_met_confirm",
      "breaker_half_open",
      "claim_rejected",
      "steps_remaining",
      "run_incomplete",
      "proof_missing",
      "idle_warning",
      "continue_loop",
    ]);
  });

  it("L3: every row says in a sentence when it applies", () => {
    for (const { doc } of [...GUARD_RULES, ...TURN_RULES, ENGINE_ERROR_RULE]) expect(doc).toMatch(/^[A-Z].{8,}\.$/u);
  });

  it("L3: reason codes that scripts know are codes of this table", () => {
    expect(CODES).toEqual(
      expect.arrayContaining([
        "max_iterations_reached",
        "iteration_too_fast",
        "completion_proof_matched",
        "continue_loop",
      ]),
    );
    expect(GUARD_RULES.map(({ code }) => code)).toContain("run_state_unknown");
  });

  it.each(ORDER)("L3: decides %s for a turn to which only that and later rules apply", (code) => {
    expect(decide(situation(exampleOf(code)))).toMatchObject({ code, action: ruleOf(code).action });
  });

  it("L3: of two rules that apply to a turn the earlier one decides, for every pair", () => {
    const pairs = ORDER.flatMap((first, index) => ORDER.slice(index + 1).map((second) => [first, second] as const));
    const decided = pairs.flatMap(([first, second]) => {
      const turn = bothOf(exampleOf(first), exampleOf(second));
      return applies(first, turn) && applies(second, turn) ? [{ first, second, turn }] : [];
    });
    const wrong = decided.filter(
      ({ first, turn }) => ORDER.indexOf(decide(situation(turn)).code) > ORDER.indexOf(first),
    );
    expect(wrong.map(({ first, second }) => `${second} before ${first}`)).toEqual([]);
    expect(decided.length).toBeGreaterThan(500);
  });

  it("L3: each pair of neighbours was tried on a turn to which both apply, unless there is none", () => {
    const neighbours = ORDER.slice(1).map((second, index) => ({ first: ORDER[index] as string, second }));
    const untried = neighbours.filter(({ first, second }) => {
      const turn = bothOf(exampleOf(first), exampleOf(second));
      return decide(situation(turn)).code !== first || !applies(second, turn);
    });
    expect(untried.map(({ first, second }) => `${first} > ${second}`)).toEqual(EXCLUSIVE);
  });

  it("L3: a true claim comes before every limit", () => {
    const atEveryLimit = LIMITS.map(exampleOf).reduce(bothOf);
    for (const code of codesWith("done")) {
      const turn = bothOf(exampleOf(code), atEveryLimit);
      for (const limit of ["budget_time", "budget_cost", "max_iterations_reached"])
        expect(applies(limit, turn)).toBe(true);
      expect(decide(situation(turn))).toMatchObject({ code, action: "done" });
    }
  });

  it("L5: limits come before every rule that continues; only checking a claim may exceed the iterations", () => {
    const isBefore = (first: string, second: string): boolean => CODES.indexOf(first) < CODES.indexOf(second);
    for (const block of codesWith("block"))
      expect(LIMITS.filter((limit) => !isBefore(limit, block))).toEqual(
        block === "verifying" ? ["max_iterations_reached"] : [],
      );
  });

  it("L3: the last rule always applies, and continues", () => {
    expect(TURN_RULES.at(-1)).toMatchObject({ code: "continue_loop", action: "block" });
    for (const code of ORDER) expect(applies("continue_loop", exampleOf(code))).toBe(true);
  });

  it("L3: a guard never holds the agent, nor does a failure of the engine", () => {
    expect([...new Set([...GUARD_RULES, ENGINE_ERROR_RULE].map(({ action }) => action))]).toEqual(["allow"]);
    expect(ENGINE_ERROR_RULE.code).toBe("engine_error");
  });

  it("L8: an agent that may stop because its loop is paused or done is told why and how to resume", () => {
    const lifting: Record<string, string> = {
      max_iterations_reached: " --max-iterations <n>",
      budget_cost: " --budget-usd <amount>",
      budget_tokens: " --budget-tokens <n>",
      budget_time: " --max-time <time>",
    };
    for (const code of codesWith("pause", "done")) {
      const turn = situation(exampleOf(code));
      const words = endingWords(turn, decide(turn), { run: "my-run" });
      expect(words?.why).toMatch(/^(?:✅|🛑|⚠️ ) Babysitter run: \S/u);
      expect(words?.onward.at(-1)).toBe(
        ruleOf(code).action === "done"
          ? "Report: babysitter loop:report my-run"
          : `The loop is paused and nothing is lost. To resume: babysitter loop:resume my-run${lifting[code] ?? ""}`,
      );
    }
  });

  it("L3: there are words for every code that lets go, except for the background, which needs nobody", () => {
    const spoken = codesWith("pause", "done", "allow").filter((code) => code !== "awaiting_background");
    expect(SPOKEN_CODES.toSorted()).toEqual(spoken.toSorted());
    const background = situation(exampleOf("awaiting_background"));
    expect(endingWords(background, decide(background), { run: "my-run" })).toBeUndefined();
  });

  it("a decision without a row would be shown by its code, not lost", () => {
    const turn = situation({ says: said(PROMISE) });
    expect(endingWords(turn, { code: "new_code", action: "pause" }, { run: "r" })?.why).toBe("new_code");
    expect(endingWords(turn, { code: "new_code", action: "done" }, { run: "r" })?.why).toBe("new_code");
  });
});
