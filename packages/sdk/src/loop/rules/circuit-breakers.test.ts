import { describe, expect, it } from "vitest";
import { sample, situation, stateOf } from "../../../../../tests/fixtures/loop/situations.js";
import type { ProgressSample } from "../../model/loop-events.js";
import type { LoopState } from "../../model/loop-state.js";
import { type Breaker, trippedBreaker } from "./circuit-breakers.js";
import { decide } from "./decide.js";

/** What trips when these turns have ended, the last of them just now. */
function tripped(turns: readonly ProgressSample[], state: Partial<LoopState> = {}): Breaker | undefined {
  return trippedBreaker(stateOf({ ...state, progress: turns.slice(0, -1) }), turns.at(-1) as ProgressSample);
}

const trees = (names: string, parts: Partial<ProgressSample> = {}): ProgressSample[] =>
  names.split("").map((tree) => sample({ tree, ...parts }));
const blind = (turns: readonly ProgressSample[]): ProgressSample[] => turns.map(({ tree: _tree, ...rest }) => rest);

describe("L10: circuit breaker: nothing happens", () => {
  it("L10: trips at the third turn with the same tree, work, failures and steps", () => {
    expect(tripped(trees("a"))).toBeUndefined();
    expect(tripped(trees("aa"))).toBeUndefined();
    expect(tripped(trees("aaa"))).toBe("no_progress");
    expect(tripped(trees("aaaa"))).toBe("no_progress");
    expect(tripped(trees("baaa"))).toBe("no_progress");
    expect(tripped(trees("aaab"))).toBeUndefined();
    expect(tripped(trees("aba"))).toBeUndefined();
  });

  it.each<[what: string, change: Partial<ProgressSample>]>([
    ["the tree", { tree: "b" }],
    ["the work of the run", { work: 2 }],
    ["the criteria that fail", { failing: ["lint"] }],
    ["that a criterion was checked at all", { failing: [] }],
    ["the steps done", { stepsDone: 1 }],
  ])("L10: a change of %s is progress", (_, change) => {
    expect(tripped([...trees("aa"), sample({ tree: "a", ...change })])).toBeUndefined();
    expect(tripped([sample({ tree: "a", ...change }), ...trees("aa")])).toBeUndefined();
  });

  it("L10: tool calls and passing time are not progress", () => {
    const [one, two] = trees("aa") as [ProgressSample, ProgressSample];
    expect(tripped([one, two, sample({ tree: "a", tools: 40, seconds: 900, at: "later", failures: 3 })])).toBe(
      "no_progress",
    );
  });

  it("L10: never trips on what nobody knows", () => {
    expect(tripped(blind(trees("aaa")))).toBeUndefined();
    expect(tripped([...blind(trees("a")), ...trees("aa")])).toBeUndefined();
  });
});

describe("L5: runaway detection", () => {
  const still = trees("aaa", { seconds: 15 });
  const fast = (state: Partial<LoopState>, seconds = 15): Breaker | undefined =>
    tripped([...still.slice(1), sample({ tree: "a", seconds })], state);

  it.each<[iteration: number, breaker: Breaker]>([
    [4, "no_progress"],
    [5, "too_fast"],
    [6, "too_fast"],
  ])("L5: from the fifth iteration on: %d: %s", (iteration, breaker) => {
    expect(fast({ iteration, iterationTimes: [15, 15] })).toBe(breaker);
  });

  it.each<[times: number[], seconds: number, breaker: Breaker]>([
    [[15, 15], 14, "too_fast"],
    [[15, 15], 15, "too_fast"],
    [[15, 15], 16, "no_progress"],
    [[1, 40], 3, "too_fast"],
    [[1, 41], 4, "no_progress"],
    [[600, 15, 15], 15, "too_fast"],
    [[5], 5, "no_progress"],
    [[], 5, "no_progress"],
    [[5, 5], 0, "no_progress"],
    [[5, 5], -20, "no_progress"],
    [[5, 5, 5], -20, "too_fast"],
  ])("L5: three turns of at most 15 s on average: %j and now %d: %s", (iterationTimes, seconds, breaker) => {
    expect(fast({ iteration: 5, iterationTimes }, seconds)).toBe(breaker);
  });

  it("L5: short turns in which something happens are not a runaway", () => {
    expect(tripped(trees("abc", { seconds: 1 }), { iteration: 9, iterationTimes: [1, 1] })).toBeUndefined();
  });
});

describe("L10: circuit breaker: the same failure again and again", () => {
  const failed = { signatures: ["tests:1"] };

  it("L10: trips at the third turn with the same failures although something was changed", () => {
    expect(tripped(trees("ab", failed))).toBeUndefined();
    expect(tripped(trees("abc", failed))).toBe("same_failure");
    expect(tripped(trees("aab", failed))).toBe("same_failure");
    expect(tripped(trees("abb", failed))).toBe("same_failure");
    expect(tripped([...trees("x", { signatures: ["other"] }), ...trees("abc", failed)])).toBe("same_failure");
  });

  it("L10: without a change it is standing still", () => {
    expect(tripped(trees("aaa", failed))).toBe("no_progress");
  });

  it("L10: other failures, fewer of them, or none that is known are not the same", () => {
    expect(tripped([...trees("ab", failed), ...trees("c", { signatures: ["tests:2"] })])).toBeUndefined();
    expect(tripped([...trees("ab", failed), ...trees("c", { signatures: [] })])).toBeUndefined();
    expect(tripped([...trees("ab", { signatures: ["a", "b"] }), ...trees("c", { signatures: ["a"] })])).toBeUndefined();
    expect(tripped(trees("abc", { signatures: [] }))).toBeUndefined();
    expect(tripped(trees("abc"))).toBeUndefined();
  });
});

describe("L10: circuit breaker: a plateau", () => {
  const failing = { failing: ["tests"] };

  it("L10: trips at the fifth turn with the same criteria unmet", () => {
    expect(tripped(trees("abcd", failing))).toBeUndefined();
    expect(tripped(trees("abcde", failing))).toBe("plateau");
    expect(tripped([...trees("x", { failing: ["lint"] }), ...trees("abcde", failing)])).toBe("plateau");
  });

  it("L10: not when another criterion fails, a step was done, or none is known to fail", () => {
    expect(tripped([...trees("abcd", failing), ...trees("e", { failing: ["lint"] })])).toBeUndefined();
    expect(tripped([...trees("abcd", failing), ...trees("e", { ...failing, stepsDone: 1 })])).toBeUndefined();
    expect(tripped(trees("abcde", { failing: [] }))).toBeUndefined();
    expect(tripped(trees("abcde"))).toBeUndefined();
  });

  it.each<[counts: (number | undefined)[], breaker: Breaker | undefined]>([
    [[5, 5, 5, 5, 4], undefined],
    [[5, 9, 9, 9, 4], undefined],
    [[5, 5, 5, 5, 5], "plateau"],
    [[5, 4, 3, 2, 5], "plateau"],
    [[5, 5, 5, 5, 6], "plateau"],
    [[undefined, 5, 4, 3, 2], "plateau"],
    [[5, 4, 3, 2, undefined], "plateau"],
  ])("L10: failures counted %j: %s", (counts, breaker) => {
    const turns = counts.map((failures, index) =>
      sample({ tree: `${index}`, ...failing, ...(failures === undefined ? {} : { failures }) }),
    );
    expect(tripped(turns)).toBe(breaker);
  });
});

describe("L10: circuit breaker: back and forth", () => {
  it.each<[names: string, breaker: Breaker | undefined]>([
    ["aba", undefined],
    ["abab", "oscillation"],
    ["abcab", "oscillation"],
    ["abcaca", "oscillation"],
    ["abacd", undefined],
    ["abaca", "oscillation"],
    ["abacad", undefined],
    ["aabb", undefined],
    ["abaab", "oscillation"],
    ["ababc", undefined],
  ])("L10: the trees %s: %s", (names, breaker) => {
    expect(tripped(trees(names))).toBe(breaker);
  });

  it("L10: turns whose tree nobody knows are passed over", () => {
    const [a, b] = trees("ab") as [ProgressSample, ProgressSample];
    const [unknown] = blind([a]) as [ProgressSample];
    expect(tripped([a, unknown, b, a, unknown, b])).toBe("oscillation");
    expect(tripped([a, unknown, a, unknown, a])).toBeUndefined();
  });
});

describe("L10: a tripped breaker", () => {
  const still = [sample(), sample()];

  it("L10: is looked for in this order: back and forth, same failure, standing still, plateau", () => {
    const both = { signatures: ["f"], failing: ["tests"] };
    expect(tripped(trees("xabab", both))).toBe("oscillation");
    expect(tripped(trees("vwxyz", both))).toBe("same_failure");
    expect(tripped(trees("aaaaa", { failing: ["tests"] }))).toBe("no_progress");
  });

  it("L10: warns first, by name, and pauses only when it trips again at the next turn", () => {
    expect(decide(situation({ state: { progress: still } }))).toEqual({
      code: "breaker_half_open",
      action: "block",
      breaker: "no_progress",
    });
    expect(decide(situation({ state: { progress: still, halfOpen: ["no_progress"] } }))).toEqual({
      code: "stuck_no_progress",
      action: "pause",
    });
  });

  it("L10: the warning of another breaker is not its own", () => {
    expect(decide(situation({ state: { progress: still, halfOpen: ["oscillation"] } })).code).toBe("breaker_half_open");
  });

  it("L5: standing still is one thing, whether the turns are short or not", () => {
    const fast = { iteration: 5, iterationTimes: [10, 10], progress: still };
    const code = (state: Partial<LoopState>, seconds: number): string =>
      decide(situation({ state, sample: { seconds } })).code;
    expect(code({ ...fast, halfOpen: ["no_progress"] }, 10)).toBe("iteration_too_fast");
    expect(code({ ...fast, halfOpen: ["too_fast"] }, 60)).toBe("stuck_no_progress");
    expect(code({ ...fast, halfOpen: ["plateau"] }, 10)).toBe("breaker_half_open");
    expect(code(fast, 10)).toBe("breaker_half_open");
  });

  it("L10: two breakers that take turns pause the loop as well", () => {
    const state = { progress: still, halfOpen: ["no_progress", "oscillation"] };
    expect(decide(situation({ state })).code).toBe("stuck_no_progress");
  });

  it("L10: a warning alone pauses nothing", () => {
    expect(decide(situation({ state: { halfOpen: ["no_progress"] } })).code).toBe("continue_loop");
  });
});
