import { describe, expect, it } from "vitest";
import { liftingOption } from "./lifted-limits.js";
import type { LoopContract, LoopLimits } from "./loop-contract.js";
import type {
  CriterionChecked,
  LoopEventPayloads,
  ProgressSample,
  StepChanged,
  StopHookInvoked,
} from "./loop-events.js";
import { BASELINE, beginLoop, foldLoop, type LoopState, nextIterationTimes } from "./loop-state.js";

const STARTED = "2026-03-01T10:00:00.000Z";
const LATER = "2026-03-01T10:05:00.000Z";

const CONTRACT: LoopContract = {
  mode: "tasks",
  title: "Fix it",
  promise: { text: "DONE", issued: false },
  criteria: [],
  steps: [{ id: "one", title: "first" }],
  limits: { iterations: 50, rejections: 5, usd: 2 },
  shape: "tool",
  protects: [],
  protectedThings: [],
  settings: { answers: "open", policy: "", prices: {} },
};

let seq = 1;

function fold<T extends keyof LoopEventPayloads>(
  state: LoopState,
  type: T,
  payload: LoopEventPayloads[T],
  timestamp = LATER,
): LoopState {
  seq += 1;
  const frame = { seq, id: `e${seq}`, timestamp, format: 1, writer: "test", prev: null, checksum: "" };
  foldLoop(state, { ...frame, type, payload });
  return state;
}

function begun(iteration = 1): LoopState {
  const payload = { contract: CONTRACT, goal: { value: "Fix it" }, iteration };
  return fold(beginLoop({ payload, timestamp: STARTED }), "SESSION_BOUND", {
    harness: "claude-code",
    sessionId: "s1",
    by: "start",
  });
}

function sample(parts: Partial<ProgressSample> = {}): ProgressSample {
  return { at: STARTED, work: 0, stepsDone: 0, seconds: 60, ...parts };
}

function stop(state: LoopState, parts: Partial<StopHookInvoked> = {}, timestamp = LATER): LoopState {
  return fold(
    state,
    "STOP_HOOK_INVOKED",
    {
      sessionId: "s1",
      iteration: state.iteration,
      decision: "block",
      reason: "continue_loop",
      runState: "running",
      pendingKinds: "",
      hasPromise: false,
      timestamp,
      nextIteration: state.iteration + 1,
      ...parts,
    },
    timestamp,
  );
}

function check(state: LoopState, criterion: string, parts: Partial<CriterionChecked> = {}): LoopState {
  return fold(state, "CRITERION_CHECKED", {
    verification: "v1",
    criterion,
    ok: true,
    kind: "command",
    outcome: "met",
    exitCode: 0,
    signal: null,
    durationMs: 5,
    before: "t",
    after: "t",
    alone: false,
    tail: "",
    flaky: false,
    at: LATER,
    ...parts,
  });
}

describe("a loop that was begun", () => {
  it("stands at its first iteration with nothing counted and all steps open", () => {
    const state = beginLoop({
      payload: { contract: CONTRACT, goal: { value: "Fix it" }, iteration: 7 },
      timestamp: STARTED,
    });
    expect(state).toEqual({
      contract: CONTRACT,
      goal: { value: "Fix it" },
      startedAt: STARTED,
      iteration: 7,
      iterationTimes: [],
      lastIterationAt: STARTED,
      sessions: [],
      idleStops: 0,
      rejections: 0,
      waits: 0,
      confirmations: 0,
      deniedTurns: 0,
      asked: [],
      results: {},
      greenBefore: [],
      steps: [{ id: "one", title: "first", status: "open", errors: [] }],
      progress: [],
      turn: { open: true },
      claims: 0,
      contractChanges: [],
      reviewedAt: 7,
    });
  });

  it("is not changed by events that say nothing about it", () => {
    const state = begun();
    const before = structuredClone(state);
    for (const type of ["ENGINE_ERROR", "RUN_COMPLETED", "toString", "__proto__"])
      foldLoop(state, {
        type,
        payload: {},
        seq: 9,
        id: "e",
        timestamp: LATER,
        format: 1,
        writer: "",
        prev: null,
        checksum: "",
      });
    expect(state).toEqual(before);
  });

  it("follows the run once it has a process", () => {
    const payload = {
      processId: "p",
      entry: { path: "p.js", export: "process" },
      inputs: { value: {} },
      codeHash: "c",
    };
    expect(fold(begun(), "PROCESS_ATTACHED", payload).contract).toEqual({ ...CONTRACT, mode: "run" });
    expect(CONTRACT.mode).toBe("tasks");
  });
});

describe("sessions of a loop", () => {
  it("the newest works on it, all are remembered, each once", () => {
    const state = begun();
    state.idleStops = 4;
    fold(state, "SESSION_BOUND", { harness: "claude-code", sessionId: "s2", by: "resume" });
    expect(state.session).toEqual({ harness: "claude-code", sessionId: "s2", by: "resume", at: LATER });
    expect(state).toMatchObject({ idleStops: 0, turn: { open: true } });
    fold(state, "SESSION_BOUND", { harness: "claude-code", sessionId: "s1", by: "adoption" });
    expect(state.sessions).toEqual(["s2", "s1"]);
    expect(state.turn).toEqual({ open: false });
  });

  it("only its own session can leave it", () => {
    const state = begun();
    fold(state, "SESSION_RELEASED", { sessionId: "s2", reason: "end" });
    expect(state.session?.sessionId).toBe("s1");
    fold(state, "SESSION_RELEASED", { sessionId: "s1", reason: "end" });
    expect(state).not.toHaveProperty("session");
    expect(state.sessions).toEqual(["s1"]);
  });

  it("a stop of a session that has lost the loop says nothing about it", () => {
    const state = begun();
    const before = structuredClone(state);
    stop(state, { sessionId: "s2", decision: "approve", ended: "claim", paused: "x", nextIteration: 99 });
    expect(state).toEqual(before);
    fold(state, "SESSION_RELEASED", { sessionId: "s1", reason: "end" });
    stop(state, { sessionId: "s1", nextIteration: 99 });
    expect(state.iteration).toBe(1);
  });
});

describe("the end of a turn", () => {
  it("moves the iteration and remembers what was decided, where and when", () => {
    const state = stop(begun(), { turn: { promptId: "p1", key: "k1" } });
    expect(state).toMatchObject({ iteration: 2, lastIterationAt: LATER, turn: { promptId: "p1", open: true } });
    expect(state.lastStop).toEqual({
      seq,
      id: `e${seq}`,
      at: LATER,
      sessionId: "s1",
      decision: "block",
      code: "continue_loop",
      key: "k1",
    });
    stop(state, { decision: "approve", nextIteration: 2 });
    expect(state.turn).toEqual({ open: false });
    expect(state.lastStop).not.toHaveProperty("key");
  });

  it("may pause the loop or end it; a later one undoes neither", () => {
    const state = stop(begun(), { decision: "approve", reason: "budget_cost", paused: "no money", nextIteration: 1 });
    expect(state.paused).toEqual({ code: "budget_cost", message: "no money", by: "engine", at: LATER });
    stop(state, { decision: "approve", reason: "completed_verified", ended: "verified" });
    const ended = { attestation: "verified", code: "completed_verified", at: LATER };
    expect(state.ended).toEqual(ended);
    stop(state, { decision: "approve", reason: "loop_terminal" });
    expect(state).toMatchObject({ ended, paused: { code: "budget_cost" } });
  });

  it("keeps what was used, also when a later turn does not know it", () => {
    const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const spend = { usd: 1, knownUsd: 1, tokens, calls: 1, unpriced: [], pricedAt: "" };
    expect(stop(stop(begun(), { spend })).spend).toEqual(spend);
  });

  it("counts turns in a row in which no new model call was found", () => {
    const spend = { usd: 1, knownUsd: 1, tokens: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 }, unpriced: [] };
    const calls = [1, 1, 1, 2].map((count) => ({ ...spend, calls: count, pricedAt: "" }));
    const state = begun();
    const counts = calls.map((used) => stop(state, { spend: used }).turnsWithoutCalls);
    expect(counts).toEqual([undefined, 1, 2, undefined]);
  });

  it("remembers each question that was to be asked, once", () => {
    const state = stop(stop(stop(begun(), { asked: ["q1"] })), { asked: ["q1", "q2"] });
    expect(state.asked).toEqual(["q1", "q2"]);
  });

  it("counts claims, right or wrong", () => {
    expect(stop(stop(stop(begun(), { claim: "DONE" })), { claim: "DONE" }).claims).toBe(2);
  });

  it.each<[field: "waits" | "confirmations", reason: string]>([
    ["waits", "verifying"],
    ["confirmations", "criteria_met_confirm"],
  ])("%s are counted in a row", (field, reason) => {
    const state = stop(stop(begun(), { reason }), { reason });
    expect(state[field]).toBe(2);
    expect(stop(state)[field]).toBe(0);
  });

  it("turns without a tool call are counted in a row; those of which it is not known count neither way", () => {
    const state = begun();
    const counts = [0, 0, undefined, 0, 1, 0].map(
      (tools) => stop(state, { sample: sample(tools === undefined ? {} : { tools }) }).idleStops,
    );
    expect(counts).toEqual([1, 2, 2, 3, 0, 1]);
    expect(stop(state).idleStops).toBe(1);
  });

  it("a turn that was allowed to end without a tool call does not count: the agent may be waiting", () => {
    const state = begun();
    const idle = sample({ tools: 0 });
    for (let turn = 0; turn < 5; turn += 1) stop(state, { sample: idle });
    expect(stop(state, { decision: "approve", reason: "awaiting_background", sample: idle }).idleStops).toBe(0);
  });

  it("turns in which the host denied a tool are counted in a row", () => {
    const state = begun();
    expect([1, 5, 0, 2].map((denied) => stop(state, { denied }).deniedTurns)).toEqual([1, 2, 0, 1]);
    expect(stop(state).deniedTurns).toBe(0);
  });

  it("the same reason for being blocked is counted in a row", () => {
    const state = begun();
    const seen = ["a", "a", "b", undefined, "b"].map((blocked) =>
      structuredClone(stop(state, blocked === undefined ? {} : { blocked }).blocked),
    );
    expect(seen).toEqual([
      { reason: "a", times: 1 },
      { reason: "a", times: 2 },
      { reason: "b", times: 1 },
      undefined,
      { reason: "b", times: 1 },
    ]);
  });

  it("warnings hold until a turn ends without one", () => {
    const state = stop(begun(), { warned: "plateau" });
    expect(state.halfOpen).toEqual(["plateau"]);
    expect(stop(state, { warned: "no_progress" }).halfOpen).toEqual(["plateau", "no_progress"]);
    expect(stop(state, { warned: "plateau" }).halfOpen).toEqual(["plateau", "no_progress"]);
    expect(stop(state)).not.toHaveProperty("halfOpen");
  });

  it("wrong claims are counted; fewer red criteria than the last time begin a new row", () => {
    const state = begun();
    const reject = (...failing: string[]): number =>
      stop(state, { rejected: true, sample: sample({ failing }) }).rejections;
    expect([reject("a", "b"), reject("a", "b"), reject("a"), reject("a"), reject("a", "b")]).toEqual([1, 2, 1, 2, 3]);
    expect(stop(state).rejections).toBe(3);
    expect(stop(begun(), { rejected: true })).toMatchObject({ rejections: 1, redAtRejection: 0 });
  });

  it("remembers the last twelve samples and the lengths of the last three turns", () => {
    const state = begun();
    for (let turn = 1; turn <= 13; turn += 1) stop(state, { sample: sample({ work: turn, seconds: turn }) });
    expect(state.progress.map(({ work }) => work)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(state.iterationTimes).toEqual([11, 12, 13]);
  });
});

describe("L5: lengths of turns", () => {
  it.each<[times: number[], seconds: number, next: number[]]>([
    [[62, 58], 45, [62, 58, 45]],
    [[1, 2, 3], 4, [2, 3, 4]],
    [[1, 2], 0, [1, 2]],
    [[1, 2], -60, [1, 2]],
    [[], 1, [1]],
  ])("L5: after %j one of %d seconds: %j", (times, seconds, next) => {
    expect(nextIterationTimes(times, seconds)).toEqual(next);
  });
});

describe("L10: verifications and their results", () => {
  const group = { pid: 1, start: "x" } as unknown as LoopEventPayloads["VERIFICATION_STARTED"]["group"];
  const started = { verification: "v1", criteria: ["tests"], tree: "t", host: "h", group, alone: false };

  it("L10: one is under way until it has ended itself", () => {
    const state = fold(begun(), "VERIFICATION_STARTED", started);
    expect(state.verification).toEqual({ ...started, at: LATER });
    fold(state, "VERIFICATION_FINISHED", { verification: "v0", outcome: "lost" });
    expect(state.verification?.verification).toBe("v1");
    fold(state, "VERIFICATION_FINISHED", { verification: "v1", outcome: "done" });
    expect(state).not.toHaveProperty("verification");
  });

  it("L10: the last four results of each criterion are kept, the newest last", () => {
    const state = begun();
    for (const tail of ["1", "2", "3", "4", "5"]) check(state, "tests", { tail });
    check(state, "lint", { tail: "x" });
    expect(state.results["tests"]?.map(({ tail }) => tail)).toEqual(["2", "3", "4", "5"]);
    expect(state.results["lint"]?.length).toBe(1);
  });

  it.each(["constructor", "__proto__", "hasOwnProperty"])("a criterion may be named %s", (id) => {
    const { results } = check(check(begun(), id), id);
    expect(Object.entries(results).map(([name, list]) => [name, list.length])).toEqual([[id, 2]]);
    expect(Object.getPrototypeOf(results)).toBe(Object.prototype);
  });

  it("L10: a criterion met before any work is remembered as such, unless the check changed the tree", () => {
    const state = begun();
    check(state, "a", { verification: BASELINE });
    check(state, "b", { verification: BASELINE, ok: false });
    check(state, "c", { verification: BASELINE, before: "other" });
    check(state, "d");
    expect(state.greenBefore).toEqual(["a"]);
  });
});

describe("L12: steps and their errors", () => {
  const change = (state: LoopState, parts: Partial<StepChanged>): LoopState =>
    fold(state, "STEP_CHANGED", { step: "one", title: "first", status: "failed", by: "agent", ...parts });

  it("L12: errors of a step are kept in a row, with class and note", () => {
    const state = change(change(begun(), { errorClass: "transient", note: "no network" }), {});
    expect(state.steps).toEqual([
      {
        id: "one",
        title: "first",
        status: "failed",
        errors: [
          { errorClass: "transient", note: "no network", at: LATER },
          { errorClass: "unknown", at: LATER },
        ],
      },
    ]);
  });

  it.each(["open", "done"] as const)("L12: a step that is %s has no errors any more", (status) => {
    expect(change(change(begun(), {}), { status }).steps).toEqual([{ id: "one", title: "first", status, errors: [] }]);
  });

  it("L12: a step that nobody knew is added at the end", () => {
    const state = change(begun(), { step: "two", title: "second", status: "open" });
    expect(state.steps.map(({ id, title }) => [id, title])).toEqual([
      ["one", "first"],
      ["two", "second"],
    ]);
  });
});

describe("L12: pause and resume", () => {
  const COUNTED: Partial<LoopState> = {
    idleStops: 5,
    rejections: 4,
    redAtRejection: 2,
    waits: 3,
    confirmations: 2,
    deniedTurns: 1,
    progress: [sample()],
    iterationTimes: [1, 2, 3],
    halfOpen: ["plateau"],
    blocked: { reason: "x", times: 2 },
    iteration: 9,
  };

  it("L12: a pause keeps everything as it was", () => {
    const state = Object.assign(begun(), structuredClone(COUNTED));
    fold(state, "LOOP_PAUSED", { code: "by_request", message: "lunch", by: "person" });
    expect(state).toMatchObject({
      ...COUNTED,
      paused: { code: "by_request", message: "lunch", by: "person", at: LATER },
    });
  });

  it("L12: after a pause nothing of what was counted before counts against the loop", () => {
    const state = Object.assign(begun(), structuredClone(COUNTED));
    fold(state, "STEP_CHANGED", { step: "one", title: "first", status: "failed", errorClass: "blocking", by: "agent" });
    fold(state, "LOOP_PAUSED", { code: "error_blocking", message: "", by: "engine" });
    fold(state, "LOOP_RESUMED", { by: "person" });
    expect(state).toMatchObject({
      idleStops: 0,
      rejections: 0,
      waits: 0,
      confirmations: 0,
      deniedTurns: 0,
      progress: [],
      iterationTimes: [],
      iteration: 9,
      reviewedAt: 9,
      contract: CONTRACT,
      steps: [{ status: "failed", errors: [] }],
    });
    for (const gone of ["paused", "halfOpen", "blocked", "redAtRejection"]) expect(state).not.toHaveProperty(gone);
  });

  it("L12: limits can be raised with it; those not named stay", () => {
    const state = fold(begun(), "LOOP_RESUMED", { by: "person", limits: { iterations: 80, tokens: 5 } });
    expect(state.contract).toEqual({ ...CONTRACT, limits: { iterations: 80, rejections: 5, usd: 2, tokens: 5 } });
    expect(CONTRACT.limits.iterations).toBe(50);
  });
});

describe("an amended contract", () => {
  it("takes the place of the old one; new steps are open, known ones are as they were", () => {
    const state = begun();
    fold(state, "STEP_CHANGED", { step: "one", title: "first", status: "done", by: "agent" });
    const contract = { ...CONTRACT, title: "Fix more", steps: [...CONTRACT.steps, { id: "two", title: "second" }] };
    fold(state, "LOOP_AMENDED", { what: "a step", contract, by: "person" });
    expect(state.contract).toEqual(contract);
    expect(state.steps).toEqual([
      { id: "one", title: "first", status: "done", errors: [] },
      { id: "two", title: "second", status: "open", errors: [] },
    ]);
  });
});

describe("L12: the limit that has paused a loop", () => {
  const AT: LoopLimits = { iterations: 50, rejections: 5, usd: 2, tokens: 9000, wallMs: 60_000 };
  const pausedAt = (code: string, after: Partial<LoopLimits>): LoopState => {
    const state = begun();
    state.contract = { ...CONTRACT, limits: AT };
    fold(state, "LOOP_PAUSED", { code, message: "A limit.", by: "engine" });
    const contract = { ...CONTRACT, limits: { ...AT, ...after } };
    return fold(state, "LOOP_AMENDED", { what: "limits", contract, by: "person" });
  };

  it.each([
    ["max_iterations_reached", "iterations", " --max-iterations <n>"],
    ["budget_cost", "usd", " --budget-usd <amount>"],
    ["budget_tokens", "tokens", " --budget-tokens <n>"],
    ["budget_time", "wallMs", " --max-time <time>"],
  ] as const)("L12: %s: is lifted once it was raised or taken away, and by nothing else", (code, limit, option) => {
    const at = AT[limit] ?? Number.NaN;
    const others = Object.fromEntries(
      Object.entries(AT).map(([name, value]) => [name, name === limit ? at : value + 1]),
    );
    const optionAfter = (after: Partial<LoopLimits>): string => liftingOption(pausedAt(code, after).paused);
    expect([{ [limit]: at + 1 }, { [limit]: 0 }].map(optionAfter)).toEqual(["", ""]);
    expect([{}, { [limit]: at - 1 }, others].map(optionAfter)).toEqual([option, option, option]);
  });

  it("L12: what else has paused it is lifted by the change of the contract that helps, and by no other", () => {
    const limits = { ...CONTRACT.limits, usd: 1 };
    const was: LoopContract = { ...CONTRACT, limits, protectedThings: [{ name: "a.txt", sha256: "1" }] };
    const lifted = (code: string, change: Partial<LoopContract>): true | undefined => {
      const state = begun();
      state.contract = was;
      fold(state, "LOOP_PAUSED", { code, message: "", by: "engine" });
      fold(state, "LOOP_AMENDED", { what: "x", contract: { ...was, ...change }, by: "person" });
      return state.paused?.lifted;
    };
    const changes: Record<string, Partial<LoopContract>> = {
      contract_tampered: { protectedThings: [{ name: "a.txt", sha256: "2" }] },
      no_criteria: { criteria: [{ kind: "claim", id: "a", text: "a" }] },
      cost_unknown: { limits: { ...limits, usd: 0 } },
    };
    for (const code of Object.keys(changes))
      for (const [helps, change] of Object.entries(changes))
        expect([code, helps, lifted(code, change)]).toEqual([code, helps, code === helps ? true : undefined]);
    const more = { protectedThings: [...was.protectedThings, { name: "b.txt", sha256: "1" }] };
    expect(lifted("contract_tampered", more)).toBeUndefined();
  });

  it("L12: a raised limit counts for that pause only", () => {
    const state = pausedAt("max_iterations_reached", { iterations: 60 });
    fold(state, "LOOP_RESUMED", { by: "person" });
    fold(state, "LOOP_PAUSED", { code: "max_iterations_reached", message: "A limit.", by: "engine" });
    expect(liftingOption(state.paused)).toBe(" --max-iterations <n>");
  });
});

describe("L10: an amended criterion", () => {
  const old = {
    kind: "command",
    id: "tests",
    text: "true",
    command: "true",
    timeoutMs: 5,
    tier: "slow",
    role: "required",
  } as const;
  const lint = { ...old, id: "lint" };
  const amended = (criteria: LoopContract["criteria"]): LoopState => {
    const state = begun();
    state.contract = { ...CONTRACT, criteria: [old, lint] };
    check(check(state, "tests", { verification: BASELINE }), "lint", { verification: BASELINE });
    return fold(state, "LOOP_AMENDED", { what: "x", contract: { ...CONTRACT, criteria }, by: "person" });
  };

  it("L10: results of the old command say nothing about the new one, those of others stay", () => {
    const state = amended([{ ...old, command: "npm test" }, lint]);
    expect(Object.keys(state.results)).toEqual(["lint"]);
    expect(state.greenBefore).toEqual(["lint"]);
  });

  it("L10: nor does a criterion that was dropped leave its results behind", () => {
    expect(Object.keys(amended([lint]).results)).toEqual(["lint"]);
    expect(Object.keys(amended([old, lint]).results)).toEqual(["tests", "lint"]);
  });
});

describe("a prompt", () => {
  it("opens a turn, unless the host said it itself", () => {
    const state = stop(begun(), { decision: "approve", turn: { promptId: "p1" } });
    fold(state, "PROMPT_SUBMITTED", { sessionId: "s1", promptId: "p2", kind: "notification" });
    expect(state.turn).toEqual({ promptId: "p1", open: false });
    fold(state, "PROMPT_SUBMITTED", { sessionId: "s1", promptId: "p2", kind: "turn" });
    expect(state.turn).toEqual({ promptId: "p2", open: true });
    fold(state, "PROMPT_SUBMITTED", { sessionId: "s1", kind: "steering" });
    expect(state.turn).toEqual({ open: true });
  });
});

describe("a turn that failed", () => {
  const failed = { sessionId: "s1", error: "rate_limit", message: "API Error: 429", report: "f1" };

  it("is closed, counted in a row, and forgotten at the next stop or when the loop is resumed", () => {
    const state = stop(begun(), { decision: "block", turn: { promptId: "p1" } });
    fold(state, "TURN_FAILED", failed);
    expect(state.turn).toEqual({ promptId: "p1", open: false });
    expect(state.failure).toMatchObject({ error: "rate_limit", message: "API Error: 429", report: "f1", times: 1 });
    fold(state, "TURN_FAILED", { ...failed, report: "f2" });
    expect(state.failure).toMatchObject({ report: "f2", times: 2 });
    stop(state, { decision: "block" });
    expect(state.failure).toBeUndefined();
    fold(state, "TURN_FAILED", failed);
    fold(state, "LOOP_RESUMED", { by: "person" });
    expect(state.failure).toBeUndefined();
  });

  it("of a session that has lost the loop says nothing about it", () => {
    const state = stop(begun(), { decision: "block" });
    fold(state, "TURN_FAILED", { ...failed, sessionId: "s2" });
    expect([state.failure, state.turn.open]).toEqual([undefined, true]);
  });
});
