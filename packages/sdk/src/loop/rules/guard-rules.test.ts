import { describe, expect, it } from "vitest";
import { RUNNING, SESSION, STARTED, stateOf } from "../../../../../tests/fixtures/loop/situations.js";
import type { LoopState } from "../../model/loop-state.js";
import { decideGuard } from "./decide.js";
import { GUARD_RULES } from "./guard-rules.js";
import type { RunView, SessionStanding, StopInput } from "./situation.js";

const INPUT: StopInput = { valid: true, sessionId: SESSION, subagent: false, background: 0 };

function bound(state: Partial<LoopState> = {}, run: Partial<RunView> = {}): SessionStanding {
  return { kind: "bound", state: stateOf(state), run: { ...RUNNING, ...run } };
}

function codeOf(standing: SessionStanding, input: Partial<StopInput> = {}): string | undefined {
  return decideGuard({ ...INPUT, ...input }, standing)?.code;
}

const PAUSED: Partial<LoopState> = { paused: { code: "by_request", message: "", by: "person", at: STARTED } };
const ENDED: Partial<LoopState> = { ended: { attestation: "verified", code: "completed_verified", at: STARTED } };
const FOREIGN: Partial<LoopState> = { session: { harness: "x", sessionId: "s2", by: "resume", at: STARTED } };

describe("L3: guard checks, before anyone looks at the turn", () => {
  it("L3: the loop of this session that is under way takes a look at the turn", () => {
    expect(decideGuard(INPUT, bound())).toBeUndefined();
  });

  it.each<[code: string, standing: SessionStanding, input: Partial<StopInput>]>([
    ["input_invalid", bound(), { valid: false }],
    ["subagent_not_looped", bound(), { subagent: true }],
    ["no_active_loop", { kind: "no-session" }, {}],
    ["no_active_loop", { kind: "unbound" }, {}],
    ["session_inactive", { kind: "inactive" }, {}],
    ["state_corrupt", { kind: "corrupt", problem: "no number" }, {}],
    ["run_state_unknown", { kind: "run-unknown", runId: "r", problem: "gone" }, {}],
    ["cancelled", bound({}, { cancelled: true }), {}],
    ["loop_terminal", bound(ENDED), {}],
    ["not_owner", bound(FOREIGN), {}],
    ["not_owner", bound(), { sessionId: "s2" }],
    ["paused", bound(PAUSED), {}],
  ])("L3: %s lets the agent stop", (code, standing, input) => {
    expect(decideGuard({ ...INPUT, ...input }, standing)).toEqual({ code, action: "allow" });
  });

  it("L3: no session id in the input lets the agent stop, whatever else is known", () => {
    const { sessionId: _, ...nameless } = INPUT;
    for (const standing of [bound(), bound(PAUSED), { kind: "no-session" } as const])
      expect(decideGuard(nameless, standing)?.code).toBe("input_invalid");
  });

  it("L9: a loop without a session belongs to nobody", () => {
    const { session: _, ...state } = stateOf();
    expect(codeOf({ kind: "bound", state, run: RUNNING })).toBe("not_owner");
  });

  it("L3: the first guard that applies decides", () => {
    const everything = bound({ ...ENDED, ...FOREIGN, ...PAUSED }, { cancelled: true });
    expect(codeOf(everything, { valid: false, subagent: true })).toBe("input_invalid");
    expect(codeOf(everything, { subagent: true })).toBe("subagent_not_looped");
    expect(codeOf({ kind: "corrupt", problem: "" }, { subagent: true })).toBe("subagent_not_looped");
    expect(codeOf(everything)).toBe("cancelled");
    expect(codeOf(bound({ ...ENDED, ...FOREIGN, ...PAUSED }))).toBe("loop_terminal");
    expect(codeOf(bound({ ...FOREIGN, ...PAUSED }))).toBe("not_owner");
  });

  it("L3: the guards stand in this order", () => {
    expect(GUARD_RULES.map(({ code }) => code)).toEqual([
      "input_invalid",
      "subagent_not_looped",
      "no_active_loop",
      "session_inactive",
      "state_corrupt",
      "run_state_unknown",
      "cancelled",
      "loop_terminal",
      "not_owner",
      "paused",
    ]);
  });
});
