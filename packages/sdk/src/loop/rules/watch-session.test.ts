import { describe, expect, it } from "vitest";
import { minutesLater, RUNNING, SESSION, STARTED, stateOf } from "../../../../../tests/fixtures/loop/situations.js";
import type { LoopState } from "../../model/loop-state.js";
import type { RunView } from "./situation.js";
import { type Watch, type Watched, watchSession } from "./watch-session.js";

const SINCE = minutesLater(10);
const secondsLater = (seconds: number): Date => new Date(SINCE.getTime() + seconds * 1_000);

const QUESTION: Partial<RunView> = { hasProcess: true, pendingKinds: ["breakpoint"], openQuestions: ["E1"] };
const SLEEP: Partial<RunView> = { hasProcess: true, pendingKinds: ["sleep"] };

function decided(code: string, decision: "approve" | "block" = "approve", at: Date = SINCE): Partial<LoopState> {
  const lastStop = { seq: 7, id: "S7", at: at.toISOString(), sessionId: SESSION, decision, code };
  return { lastStop, turn: { open: decision === "block" } };
}

interface Seen extends Partial<Omit<Watched, "state" | "run">> {
  state?: Partial<LoopState>;
  run?: Partial<RunView>;
}

function watch({ state, run, ...rest }: Seen): Watch {
  return watchSession({
    state: stateOf(state),
    run: { ...RUNNING, ...run },
    lastResolution: 0,
    sessionId: SESSION,
    runName: "r",
    since: SINCE,
    now: secondsLater(5),
    ...rest,
  });
}

const kindOf = (seen: Seen): Watch["kind"] => watch(seen).kind;

describe("the watch over a session that rests", () => {
  it("P8: waits while a question is open, and wakes when anything was decided since", () => {
    const state = decided("awaiting_human");
    expect(watch({ state, run: QUESTION, lastResolution: 6 })).toMatchObject({ kind: "wait", about: "stop-7" });
    expect(watch({ state, run: QUESTION, lastResolution: 8 })).toEqual({
      kind: "wake",
      about: "stop-7",
      text: "Babysitter: the question that the run waited for was decided; the decision is in the run, not here. Continue: babysitter run:iterate r",
    });
    expect(kindOf({ state, run: { ...QUESTION, pendingKinds: [], openQuestions: [] } })).toBe("wake");
  });

  it("P8: wakes exactly when a sleep is due, even with a question open", () => {
    for (const [code, run] of [
      ["awaiting_time", SLEEP],
      ["awaiting_human", QUESTION],
    ] as const) {
      const seen = { state: decided(code), run: { ...run, dueAt: secondsLater(60).toISOString() } };
      expect(watch(seen)).toEqual({ kind: "wait", until: secondsLater(60), about: "stop-7" });
      expect(kindOf({ ...seen, now: new Date(secondsLater(60).getTime() - 1) })).toBe("wait");
      expect(kindOf({ ...seen, now: secondsLater(60) })).toBe("wake");
    }
  });

  it("looks after a background task that never ends, once in half an hour", () => {
    const state = decided("awaiting_background");
    expect(watch({ state })).toEqual({ kind: "wait", until: secondsLater(1_800), about: "stop-7" });
    expect(kindOf({ state, now: secondsLater(1_799) })).toBe("wait");
    expect(kindOf({ state, now: secondsLater(1_800) })).toBe("wake");
  });

  it("waits a while for the decision that is made at the same time", () => {
    const earlier = decided("awaiting_human", "approve", minutesLater(9));
    for (const state of [earlier, {}, decided("continue_loop", "block", minutesLater(9))]) {
      const seen = { state, run: QUESTION, lastResolution: 8 };
      expect(watch(seen)).toEqual({ kind: "wait", until: secondsLater(70) });
      expect(kindOf({ ...seen, now: secondsLater(69.9) })).toBe("wait");
      expect(kindOf({ ...seen, now: secondsLater(70) })).toBe("over");
    }
  });

  it("is over when the agent works, however it came to that", () => {
    expect(kindOf({ state: decided("continue_loop", "block") })).toBe("over");
    expect(kindOf({ state: { ...decided("awaiting_human"), turn: { open: true } }, run: QUESTION })).toBe("over");
  });

  it("is over when a newer stop was decided: that one has a watch of its own", () => {
    const seen = { state: decided("awaiting_human"), run: QUESTION, lastResolution: 8 };
    expect(kindOf({ ...seen, about: "stop-7" })).toBe("wake");
    expect(kindOf({ ...seen, about: "stop-6" })).toBe("over");
  });

  it.each([
    ["paused", { paused: { code: "by_request", message: "", by: "person", at: STARTED } }],
    ["ended", { ended: { attestation: "claim", code: "promise_matched", at: STARTED } }],
    ["another session's", { session: { harness: "claude-code", sessionId: "s2", by: "start", at: STARTED } }],
  ] as const)("is over when the loop is %s", (_, parts) => {
    const state = { ...decided("awaiting_human"), ...parts };
    expect(kindOf({ state, run: QUESTION, lastResolution: 8 })).toBe("over");
  });

  it("is over when the run was cancelled, and after a decision that is no rest", () => {
    const state = decided("awaiting_human");
    expect(kindOf({ state, run: { ...QUESTION, cancelled: true }, lastResolution: 8 })).toBe("over");
    expect(kindOf({ state: decided("paused") })).toBe("over");
  });
});

describe("the watch over a turn that failed", () => {
  const FAILURE = `failure-${SINCE.getTime()}`;
  const failed = (times: number, error = "unknown"): Partial<LoopState> => ({
    failure: { error, message: "API Error: 529", report: "f", at: SINCE.toISOString(), times },
    turn: { open: false },
  });

  it.each([
    [1, 15],
    [2, 60],
    [3, 300],
    [4, 900],
    [5, 1_800],
    [6, 3_600],
    [13, 3_600],
  ])("P8: the host is tried again after failure %i, %i seconds later", (times, seconds) => {
    const state = failed(times);
    expect(watch({ state })).toEqual({ kind: "wait", until: secondsLater(seconds), about: FAILURE });
    expect(kindOf({ state, now: new Date(secondsLater(seconds).getTime() - 1) })).toBe("wait");
    expect(watch({ state, now: secondsLater(seconds) })).toMatchObject({
      kind: "wake",
      text: expect.stringContaining("ended with a host error (unknown)") as string,
    });
  });

  it("is over after so many failures that it will not get better, and where nobody but a person can help", () => {
    expect(kindOf({ state: failed(14), now: secondsLater(99_999) })).toBe("over");
    for (const error of ["authentication_failed", "billing_error", "invalid_request"])
      expect(kindOf({ state: failed(1, error), now: secondsLater(60) })).toBe("over");
    expect(kindOf({ state: failed(1, "rate_limit"), now: secondsLater(60) })).toBe("wake");
  });

  it("is over when another one came after it", () => {
    expect(kindOf({ state: failed(2), about: FAILURE })).toBe("wait");
    expect(kindOf({ state: failed(2), about: "failure-1" })).toBe("over");
  });

  it("is over when someone typed since: their turn has an end of its own", () => {
    expect(kindOf({ state: { ...failed(1), ...decided("continue_loop", "block") }, now: secondsLater(60) })).toBe(
      "over",
    );
  });
});
