import { describe, expect, it } from "vitest";
import { RULE_EXAMPLES } from "../../../../../tests/fixtures/loop/rule-examples.js";
import {
  COMPLETED,
  command,
  PROMISE,
  PROOF,
  results,
  SESSION,
  said,
  sample,
  situation,
  spent,
  type Turn,
} from "../../../../../tests/fixtures/loop/situations.js";
import type { StopHookInvoked } from "../../model/loop-events.js";
import { decide, nextIteration, recordOf } from "./decide.js";
import { TURN_RULES } from "./decision-rules.js";

function recorded(turn: Turn): StopHookInvoked {
  const all = situation(turn);
  return recordOf(all, decide(all));
}

describe("L7: `STOP_HOOK_INVOKED` journaled for every decision", () => {
  it("L7: has the fields that scripts know, with their values", () => {
    const run = { hasProcess: true, state: "waiting", pendingKinds: ["node", "breakpoint"] } as const;
    const record = recorded({ run: { ...run, pendingKinds: [...run.pendingKinds] } });
    expect(Object.entries(record).slice(0, 8)).toEqual(
      Object.entries({
        sessionId: SESSION,
        iteration: 2,
        decision: "block",
        reason: "continue_loop",
        runState: "waiting",
        pendingKinds: "node, breakpoint",
        hasPromise: false,
        timestamp: "2026-03-01T10:01:00.000Z",
      }),
    );
  });

  it.each(TURN_RULES.map(({ code, action }) => [code, action] as const))("L7: %s is recorded", (code, action) => {
    const turn = RULE_EXAMPLES[code] as Turn;
    const counts = action === "block" && code !== "verifying" && code !== "ask_human";
    const { iteration } = situation(turn).state;
    expect(recorded(turn)).toMatchObject({
      reason: code,
      decision: action === "block" ? "block" : "approve",
      iteration,
      nextIteration: counts ? iteration + 1 : iteration,
      sample: situation(turn).probes.sample,
    });
  });

  it("only a block that sends the agent to work uses up an iteration", () => {
    const next = (action: "block" | "allow", code: string): number => nextIteration(situation(), { action, code });
    expect([next("block", "continue_loop"), next("block", "verifying"), next("block", "ask_human")]).toEqual([3, 2, 2]);
    expect(next("allow", "continue_loop")).toBe(2);
  });

  it("a record of a plain turn holds nothing that did not happen", () => {
    expect(Object.keys(recorded({})).slice(8)).toEqual(["nextIteration", "sample"]);
  });

  it("a session that the host did not name is recorded as such", () => {
    const { sessionId: _, ...input } = situation().input;
    expect(recordOf({ ...situation(), input }, { code: "continue_loop", action: "block" }).sessionId).toBe("");
  });

  it.each<[what: string, turn: Turn, claim: string | undefined]>([
    ["the promise", { says: said(PROMISE) }, PROMISE],
    [
      "a loop-complete block",
      { contract: { mode: "tasks" }, says: "<loop-complete>x</loop-complete>" },
      "loop-complete",
    ],
    ["the proof, without its text", { run: COMPLETED, says: said(PROOF) }, "completion proof"],
    ["a promise that does not count here", { run: { hasProcess: true }, says: said(PROMISE) }, undefined],
    ["nothing", {}, undefined],
  ])("a claim is recorded: %s", (_, turn, claim) => {
    expect(recorded(turn).claim).toBe(claim);
  });

  it("that the agent has used a promise tag is recorded whatever it holds", () => {
    expect(recorded({ says: said("something else") }).hasPromise).toBe(true);
    expect(recorded({ says: "`<promise>x</promise>`" }).hasPromise).toBe(false);
  });

  it("a claim is recorded as wrong exactly when a criterion is red on this tree", () => {
    const contract = { criteria: [command("tests")] };
    const red = { results: results({ tests: false }) };
    expect(recorded({ contract, state: red, says: said(PROMISE) }).rejected).toBe(true);
    expect(recorded({ contract, state: red }).rejected).toBeUndefined();
    expect(recorded({ contract, says: said(PROMISE) }).rejected).toBeUndefined();
    expect(
      recorded({ contract, state: { results: results({ tests: true }) }, says: said(PROMISE) }),
    ).not.toHaveProperty("rejected");
  });

  it("what the turn has used, what was denied, why the agent is blocked, which breaker warns and what is to be asked", () => {
    const spend = spent(0.25);
    expect(
      recorded({ probes: { spend, denied: ["Bash", "Write"] }, says: "<loop-blocked>no key</loop-blocked>" }),
    ).toMatchObject({
      spend,
      denied: 2,
      blocked: "no key",
    });
    expect(recorded({ state: { progress: [sample(), sample()] } }).warned).toBe("no_progress");
    expect(recorded({ state: { progress: [sample(), sample()], halfOpen: ["no_progress"] } })).not.toHaveProperty(
      "warned",
    );
    const run = { hasProcess: true, openQuestions: ["q1", "q2"] };
    expect(recorded({ run, state: { asked: ["q1"] } }).asked).toEqual(["q1", "q2"]);
    expect(recorded({ run, state: { asked: ["q1", "q2"] } })).not.toHaveProperty("asked");
  });
});
