import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CheckWay,
  ImaginedLoop,
  type Stop,
  WORDS,
  type World,
} from "../../../../../tests/fixtures/loop/imagined-loop.js";
import { claim, command, contractOf, file, mustNot } from "../../../../../tests/fixtures/loop/situations.js";
import type { Criterion, StepSpec } from "../../model/loop-contract.js";
import { TURN_RULES } from "./decision-rules.js";

const SEED = process.env["LOOP_SEED"];
const RUNS = {
  numRuns: Number(process.env["LOOP_RUNS"] ?? 2_000),
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
};

type Act = (loop: ImaginedLoop) => void;

const rarely = fc.integer({ min: 0, max: 19 }).map((n) => n === 0);
const stops: fc.Arbitrary<Stop> = fc.record({
  says: fc.constantFrom<keyof typeof WORDS>(
    ...(Object.keys(WORDS) as (keyof typeof WORDS)[]),
    "nothing",
    "promise",
    "promise",
    "proof",
  ),
  tools: fc.constantFrom(0, 1, 1, 1, undefined),
  usd: fc.constantFrom(0, 0, 1, 2),
  seconds: fc.constantFrom(-30, 0, 5, 60, 600),
  told: fc.constantFrom(true, true, true, false),
  isSilent: rarely,
  isTampered: rarely,
  isDenied: fc.constantFrom(false, false, false, true),
  background: fc.constantFrom(0, 0, 0, 1),
  isForeign: rarely,
});
const tree = fc.nat(2);
const ways = fc.constantFrom<CheckWay>("quiet", "quiet", "quiet", "disturbed", "changing", "late");

const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 9,
    arbitrary: stops.map(
      (stop): Act =>
        (loop) =>
          loop.stop(stop),
    ),
  },
  {
    weight: 9,
    arbitrary: fc.tuple(fc.nat(3), ways, fc.boolean(), tree).map(
      ([index, way, luck, to]): Act =>
        (loop) =>
          loop.check(index, way, { luck, to }),
    ),
  },
  {
    weight: 3,
    arbitrary: tree.map(
      (to): Act =>
        (loop) =>
          loop.edit(to),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Act>((loop) => loop.crash()) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: -90, max: 90 }).map(
      (minutes): Act =>
        (loop) =>
          loop.clock(minutes),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Act>((loop) => loop.pause()) },
  {
    weight: 3,
    arbitrary: fc.nat(2).map(
      (raise): Act =>
        (loop) =>
          loop.resume(raise),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("open", "done", "done", "failed").map(
      (status): Act =>
        (loop) =>
          loop.step("s1", status),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Act>((loop) => loop.completeRun()) },
  {
    weight: 1,
    arbitrary: fc.nat(3).map(
      (id): Act =>
        (loop) =>
          loop.askQuestion(`q${id}`),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Act>((loop) => loop.answerQuestions()) },
);

const criteria = fc.subarray<Criterion>([command("tests"), file("README.md"), mustNot("wiped"), claim("docs")]);
const worlds: fc.Arbitrary<World> = fc
  .record({
    criteria,
    mode: fc.constantFrom("prompt", "criteria", "tasks"),
    steps: fc.constantFrom<StepSpec[]>([], [], [{ id: "s1", title: "s1" }]),
    iterations: fc.constantFrom(0, 1, 3, 8),
    usd: fc.constantFrom(0, 0, 6),
    tokens: fc.constantFrom(0, 0, 500),
    wallMs: fc.constantFrom(0, 0, 3_600_000),
    rejections: fc.constantFrom(0, 2, 5),
    reviewEvery: fc.constantFrom(0, 0, 2),
    hasProcess: fc.constantFrom(false, false, true),
    seed: fc.nat(999),
  })
  .map(({ criteria: list, mode, steps, hasProcess, seed, ...limits }) => ({
    contract: contractOf({ criteria: list, mode: hasProcess ? "run" : mode, steps }, limits),
    hasProcess,
    seed,
  }));

describe("L10: whatever happens to a loop", () => {
  it("L10: it never ends as verified unless that is true now, keeps its limits, does not move while paused, and loses nothing", () => {
    // A test that tries nothing must not go unnoticed.
    const seen = new Set<string>();
    fc.assert(
      fc.property(worlds, fc.array(acts, { minLength: 1, maxLength: 40, size: "max" }), (world, list) => {
        const loop = new ImaginedLoop(world);
        for (const act of list) act(loop);
        loop.crash();
        for (const code of loop.codes) seen.add(code);
      }),
      RUNS,
    );
    const met = TURN_RULES.map(({ code }) => code).filter((code) => seen.has(code));
    expect(met).toEqual(expect.arrayContaining(["completed_verified", "completion_proof_matched", "promise_matched"]));
    expect(met.length).toBeGreaterThan(20);
  });

  it("L10: an ended loop stays as it ended", () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 20, size: "max" }), (list) => {
        const loop = new ImaginedLoop({ contract: contractOf(), hasProcess: false, seed: 1 });
        loop.stop({
          says: "promise",
          tools: 1,
          usd: 0,
          seconds: 5,
          told: true,
          isSilent: false,
          isTampered: false,
          isDenied: false,
          background: 0,
          isForeign: false,
        });
        const events = loop.events.length;
        for (const act of list) act(loop);
        expect([loop.ended?.code, loop.events.length]).toEqual(["promise_matched", events]);
      }),
      { ...RUNS, numRuns: 200 },
    );
  });

  it("L5: an agent that achieves nothing may stop, however it spends its turns and without any other limit", () => {
    fc.assert(
      fc.property(fc.array(stops, { minLength: 12, maxLength: 12 }), fc.boolean(), (list, hasProcess) => {
        const contract = contractOf({}, { iterations: 0 });
        const loop = new ImaginedLoop({ contract, hasProcess, seed: 1, iteration: 5 });
        for (const stop of list)
          loop.stop({ ...stop, says: "nothing", background: 0, isForeign: false, seconds: stop.seconds > 0 ? 10 : 20 });
        expect(loop.isPaused).toBe(true);
        expect(loop.codes.length).toBeLessThan(5);
      }),
      { ...RUNS, numRuns: 300 },
    );
  });

  it("L10: an agent whose claims can never be checked may stop", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(stops, tree), { minLength: 12, maxLength: 12 }), (list) => {
        const contract = contractOf({ criteria: [command("tests")] }, { iterations: 0 });
        const loop = new ImaginedLoop({ contract, hasProcess: false, seed: 1 });
        for (const [stop, to] of list) {
          loop.check(0, "disturbed", { luck: true, to: to + 1 });
          loop.edit(to + 4);
          loop.stop({ ...stop, says: "promise", isForeign: false, isSilent: false, isTampered: false });
        }
        expect(loop.codes).toEqual([...Array.from({ length: 5 }, () => "verifying"), "verification_unsettled"]);
      }),
      { ...RUNS, numRuns: 100 },
    );
  });
});
