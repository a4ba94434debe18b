import { describe, expect, it } from "vitest";
import {
  command,
  minutesLater,
  PROMISE,
  results,
  said,
  sample as sampleOf,
  situation,
  spent,
  step,
  type Turn,
} from "../../../../../tests/fixtures/loop/situations.js";
import type { LoopState } from "../../model/loop-state.js";
import { decide } from "./decide.js";
import { idleLimit, idleTurns, tokensOf } from "./decision-rules.js";

const codeOf = (turn: Turn): string => decide(situation(turn)).code;
const GOES_ON = "continue_loop";
const TESTS = command("tests");
const CLAIMED: Turn = { contract: { criteria: [TESTS] }, says: said(PROMISE) };

describe("L5: limits", () => {
  it.each<[iteration: number, limit: number, code: string]>([
    [1, 2, GOES_ON],
    [2, 2, "max_iterations_reached"],
    [3, 2, "max_iterations_reached"],
    [1, 1, "max_iterations_reached"],
    [1_000_000, 0, GOES_ON],
  ])("L5: max iterations: in iteration %d of %d: %s", (iteration, iterations, code) => {
    expect(codeOf({ limits: { iterations }, state: { iteration, reviewedAt: iteration } })).toBe(code);
  });

  it.each<[ms: number, code: string]>([
    [-3_600_000, GOES_ON],
    [0, GOES_ON],
    [59_999, GOES_ON],
    [60_000, "budget_time"],
    [60_001, "budget_time"],
  ])("L12: a time limit of a minute after %d ms: %s", (ms, code) => {
    const now = minutesLater(ms / 60_000);
    expect(codeOf({ limits: { wallMs: 60_000 }, now })).toBe(code);
    expect(codeOf({ limits: { wallMs: 0 }, now })).toBe(GOES_ON);
    expect(codeOf({ now })).toBe(GOES_ON);
  });

  it.each<[usd: number, code: string]>([
    [1.99, GOES_ON],
    [2, "budget_cost"],
    [2.01, "budget_cost"],
  ])("L12: a budget in money of $2 when $%d are used: %s", (usd, code) => {
    const probes = { spend: spent(usd) };
    expect(codeOf({ limits: { usd: 2 }, probes })).toBe(code);
    expect(codeOf({ limits: { usd: 0 }, probes })).toBe(GOES_ON);
    expect(codeOf({ probes })).toBe(GOES_ON);
  });

  it("L12: what the known models cost counts although another has no price", () => {
    const probes = { spend: spent(2, { usd: null, unpriced: ["new"] }) };
    expect(codeOf({ limits: { usd: 2 }, probes })).toBe("budget_cost");
  });

  it.each<[tokens: number, code: string]>([
    [999, GOES_ON],
    [1_000, "budget_tokens"],
    [1_001, "budget_tokens"],
  ])("L12: a budget of 1000 tokens when %d are used: %s", (input, code) => {
    const spend = spent(0, { tokens: { input: input - 60, output: 10, cacheRead: 20, cacheWrite: 30 } });
    expect(tokensOf(situation({ probes: { spend } }))).toBe(input);
    expect(codeOf({ limits: { tokens: 1_000 }, probes: { spend } })).toBe(code);
    expect(codeOf({ limits: { tokens: 0 }, probes: { spend } })).toBe(GOES_ON);
    expect(codeOf({ probes: { spend } })).toBe(GOES_ON);
  });

  it("L12: with nothing used no limit is reached, even if usage is unknown", () => {
    expect(tokensOf(situation())).toBe(0);
    expect(codeOf({ limits: { tokens: 1 } })).toBe(GOES_ON);
  });

  it("L12: with a budget in money, unknown costs pause the loop, from the second iteration on where nothing is known", () => {
    const limits = { usd: 2 };
    expect(codeOf({ limits, state: { iteration: 1 } })).toBe(GOES_ON);
    expect(codeOf({ limits, state: { iteration: 2 } })).toBe("cost_unknown");
    const unpriced = { spend: spent(0.5, { usd: null, unpriced: ["new"] }) };
    expect(codeOf({ limits, state: { iteration: 1 }, probes: unpriced })).toBe("cost_unknown");
    expect(codeOf({ limits: { usd: 0 }, probes: unpriced })).toBe(GOES_ON);
    expect(codeOf({ probes: unpriced })).toBe(GOES_ON);
    expect(codeOf({ limits, probes: { spend: spent(0) } })).toBe(GOES_ON);
  });

  it("L12: with a budget in money, a transcript that shows no call after a finished turn pauses the loop", () => {
    const limits = { usd: 2 };
    const none = { spend: spent(0, { usd: null, calls: 0 }) };
    const lastStop = { seq: 9, id: "", at: "", sessionId: "", decision: "block", code: "verifying" } as const;
    expect(codeOf({ limits, probes: none, state: { iteration: 1 } })).toBe(GOES_ON);
    expect(codeOf({ limits, probes: none, state: { iteration: 1, lastStop } })).toBe("cost_unknown");
    expect(codeOf({ limits, probes: none, state: { iteration: 2 } })).toBe("cost_unknown");
    expect(codeOf({ probes: none, state: { iteration: 2 } })).toBe(GOES_ON);
  });

  it.each<[calls: number, before: number, without: number | undefined, code: string]>([
    [5, 4, undefined, GOES_ON],
    // What the last turn used may be written down only now.
    [5, 5, undefined, GOES_ON],
    [5, 5, 1, "cost_unknown"],
    [6, 5, 1, GOES_ON],
  ])("L12: with a budget in money, %d calls after %d and %s turns without one: %s", (calls, before, without, code) => {
    const state = {
      iteration: 3,
      spend: spent(0.1, { calls: before }),
      ...(without === undefined ? {} : { turnsWithoutCalls: without }),
    };
    const probes = { spend: spent(0.1, { calls }) };
    expect(codeOf({ limits: { usd: 2 }, probes, state })).toBe(code);
    expect(codeOf({ probes, state })).toBe(GOES_ON);
  });

  it("L5: a claim in the last iteration is checked; only then is the limit a limit", () => {
    const last = { ...CLAIMED, limits: { iterations: 2 } };
    expect(codeOf(last)).toBe("verifying");
    expect(codeOf({ ...last, state: { results: results({ tests: true }) } })).toBe("completed_verified");
    expect(codeOf({ ...last, state: { results: results({ tests: false }) } })).toBe("max_iterations_reached");
  });

  it.each<[waits: number, code: string]>([
    [4, "verifying"],
    [5, "verification_unsettled"],
    [6, "verification_unsettled"],
  ])("L10: after %d answers that only asked to wait: %s", (waits, code) => {
    expect(codeOf({ ...CLAIMED, state: { waits } })).toBe(code);
    expect(codeOf({ contract: { criteria: [TESTS] }, state: { waits } })).toBe(GOES_ON);
    expect(codeOf({ ...CLAIMED, state: { waits, results: results({ tests: false }) } })).toBe("claim_rejected");
  });

  it.each<[waits: number, tools: number | undefined, verifying: boolean, code: string]>([
    [39, 1, true, "verifying"],
    [40, 1, true, "verification_unsettled"],
    [5, 0, true, "verification_unsettled"],
    [5, undefined, true, "verification_unsettled"],
    [5, 1, false, "verification_unsettled"],
  ])("a long check is waited for longer: %d answers, %j tool calls, under way: %j", (waits, tools, verifying, code) => {
    const { tools: _, ...bare } = sampleOf();
    const sample = { ...bare, ...(tools === undefined ? {} : { tools }) };
    expect(codeOf({ ...CLAIMED, state: { waits }, probes: { verifying, sample } })).toBe(code);
  });

  it.each<[iteration: number, code: string]>([
    [6, GOES_ON],
    [7, "review_due"],
    [8, "review_due"],
  ])(
    "L12: colleague shape, a person looks in every three iterations, last before the fifth: in the %d.: %s",
    (iteration, code) => {
      expect(codeOf({ limits: { reviewEvery: 3 }, state: { iteration, reviewedAt: 5 } })).toBe(code);
      expect(codeOf({ limits: { reviewEvery: 0 }, state: { iteration, reviewedAt: 5 } })).toBe(GOES_ON);
      expect(codeOf({ state: { iteration, reviewedAt: 5 } })).toBe(GOES_ON);
    },
  );
});

describe("L3: waiting", () => {
  it("L3: a new question is asked once, then the human is waited for", () => {
    const ask = (openQuestions: string[], asked: string[]): string =>
      codeOf({ run: { hasProcess: true, state: "waiting", openQuestions }, state: { asked } });
    expect(ask(["q1"], [])).toBe("ask_human");
    expect(ask(["q1"], ["q1"])).toBe("awaiting_human");
    expect(ask(["q1", "q2"], ["q1"])).toBe("ask_human");
    expect(ask(["q2"], ["q1", "q2"])).toBe("awaiting_human");
    expect(ask([], ["q1"])).toBe(GOES_ON);
  });

  it("L5: a limit that is reached is not put off by new questions, but waiting for an answer costs nothing", () => {
    const run = { hasProcess: true, openQuestions: ["q1"] };
    const atLimits: Turn[] = [
      { limits: { iterations: 2 } },
      { limits: { wallMs: 1 } },
      { limits: { usd: 1 }, probes: { spend: spent(1) } },
    ];
    for (const limit of atLimits) {
      expect(["max_iterations_reached", "budget_time", "budget_cost"]).toContain(codeOf({ ...limit, run }));
      expect(codeOf({ ...limit, run, state: { asked: ["q1"] } })).toBe("awaiting_human");
    }
  });

  it("L3: a sleep is waited for until it is due", () => {
    const now = minutesLater(10);
    const at = (ms: number): string => new Date(now.getTime() + ms).toISOString();
    const code = (sleepsUntil: string): string => codeOf({ run: { hasProcess: true, sleepsUntil }, now });
    expect(code(at(1))).toBe("awaiting_time");
    expect(code(at(0))).toBe(GOES_ON);
    expect(code(at(-1))).toBe(GOES_ON);
    expect(code("no date")).toBe(GOES_ON);
  });

  it("L3: work in the background is waited for, unless the agent says that it is done", () => {
    const input = { background: 1 };
    expect(codeOf({ input })).toBe("awaiting_background");
    expect(codeOf({ input: { background: 0 } })).toBe(GOES_ON);
    expect(codeOf({ input, ...CLAIMED, state: { results: results({ tests: false }) } })).toBe("claim_rejected");
  });
});

describe("L12: error classes", () => {
  type Class = "transient" | "logic" | "blocking" | "unknown";
  const failed = (...classes: Class[]): string => codeOf({ state: { steps: [step("a", "failed", classes)] } });

  it.each<[code: string, classes: Class[]]>([
    ["error_blocking", ["blocking"]],
    ["error_blocking", ["logic", "transient", "blocking"]],
    ["error_unknown", ["unknown"]],
    ["error_transient", ["transient", "transient"]],
    ["error_transient", ["logic", "transient", "transient"]],
    [GOES_ON, ["transient"]],
    [GOES_ON, ["transient", "logic", "transient"]],
    [GOES_ON, ["transient", "transient", "logic"]],
    [GOES_ON, ["logic", "logic", "logic", "logic"]],
    [GOES_ON, ["blocking", "logic"]],
    [GOES_ON, ["unknown", "logic"]],
    [GOES_ON, []],
  ])("L12: %s after the errors %j of a step", (code, classes) => {
    expect(failed(...classes)).toBe(code);
  });

  it("L12: an error of a step that was taken up again or done pauses nothing", () => {
    for (const status of ["open", "done"] as const)
      expect(codeOf({ state: { steps: [step("a", status, ["blocking"])] } })).toBe(GOES_ON);
  });

  it("L12: errors of two steps are not added up, but any step is enough", () => {
    const once = [step("a", "failed", ["transient"]), step("b", "failed", ["transient"])];
    expect(codeOf({ state: { steps: once } })).toBe(GOES_ON);
    expect(codeOf({ state: { steps: [step("a", "done"), step("b", "failed", ["blocking"])] } })).toBe("error_blocking");
  });
});

describe("L5: runaway detection by what the agent does", () => {
  const idle = (idleStops: number, blockCap?: number): string =>
    codeOf({ state: { idleStops }, sample: { tools: 0 }, ...(blockCap === undefined ? {} : { host: { blockCap } }) });

  it("L5: turns without a tool call: a warning at the third, a pause at the sixth", () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((before) => idle(before))).toEqual([
      GOES_ON,
      GOES_ON,
      "idle_warning",
      "idle_warning",
      "idle_warning",
      "stuck_idle",
      "stuck_idle",
    ]);
  });

  it.each<[cap: number, limit: number]>([
    [0, 6],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [7, 5],
    [8, 6],
    [9, 6],
    [1_000, 6],
  ])("L5: a host that ends turns by itself after %d blocks: ours comes at %d", (cap, limit) => {
    expect(idleLimit(situation({ host: { blockCap: cap } }))).toBe(limit);
    const paused = limit === 6 ? "stuck_idle" : "harness_block_cap";
    expect(idle(limit - 1, cap)).toBe(paused);
    expect([GOES_ON, "idle_warning"]).toContain(idle(limit - 2, cap));
  });

  it("L5: a tool call starts over, and a turn of which nothing is known changes nothing", () => {
    expect(idleTurns(situation({ state: { idleStops: 9 }, sample: { tools: 1 } }))).toBe(0);
    expect(idleTurns(situation({ state: { idleStops: 2 }, sample: { tools: 0 } }))).toBe(3);
    const { tools: _, ...unknown } = situation().probes.sample;
    expect(idleTurns(situation({ state: { idleStops: 2 }, probes: { sample: unknown } }))).toBe(2);
  });

  it.each<[denied: string[], before: number, code: string]>([
    [["Bash"], 0, GOES_ON],
    [["Bash", "Bash", "Write"], 1, "stuck_permissions"],
    [["Bash"], 2, "stuck_permissions"],
    [[], 5, GOES_ON],
  ])("L5: tools denied now: %j, in %d turns before: %s", (denied, deniedTurns, code) => {
    expect(codeOf({ probes: { denied }, state: { deniedTurns } })).toBe(code);
  });

  it("L5: an agent that says three times in a row and with the same reason that it cannot continue is believed", () => {
    const says = "<loop-blocked>no\nkey</loop-blocked>";
    const blocked = (state: Partial<LoopState>): string => codeOf({ says, state });
    expect(blocked({})).toBe(GOES_ON);
    expect(blocked({ blocked: { reason: "no key", times: 1 } })).toBe(GOES_ON);
    expect(blocked({ blocked: { reason: "no key", times: 2 } })).toBe("blocked_confirmed");
    expect(blocked({ blocked: { reason: "no key", times: 3 } })).toBe("blocked_confirmed");
    expect(blocked({ blocked: { reason: "no network", times: 2 } })).toBe(GOES_ON);
    expect(codeOf({ state: { blocked: { reason: "no key", times: 9 } } })).toBe(GOES_ON);
  });

  it.each<[rejections: number, limit: number, code: string]>([
    [3, 5, "claim_rejected"],
    [4, 5, "claims_exhausted"],
    [5, 5, "claims_exhausted"],
    [0, 1, "claims_exhausted"],
    [1_000, 0, "claim_rejected"],
  ])("L10: after %d wrong claims of at most %d another one: %s", (rejections, limit, code) => {
    const state = { rejections, results: results({ tests: false }) };
    expect(codeOf({ ...CLAIMED, state, limits: { rejections: limit } })).toBe(code);
    expect(codeOf({ contract: { criteria: [TESTS] }, state, limits: { rejections: limit } })).toBe(GOES_ON);
  });

  it("L10: an agent that gets better with every wrong claim is not given up", () => {
    const state = { rejections: 4, redAtRejection: 3, results: results({ tests: false }) };
    const failing = (...ids: string[]): string => codeOf({ ...CLAIMED, state, sample: { failing: ids } });
    expect(failing("tests", "lint")).toBe("claim_rejected");
    expect(failing("tests", "lint", "docs")).toBe("claims_exhausted");
  });
});
