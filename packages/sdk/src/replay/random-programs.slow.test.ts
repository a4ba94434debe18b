import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  crashing,
  foreseen,
  inOneSitting,
  interrupted,
  interruptedLate,
  type Story,
} from "../../../../tests/fixtures/replay/interrupted-runs.js";
import { programs, touchesWorld, withLateWork } from "../../../../tests/fixtures/replay/random-programs.js";

const NUM_RUNS = Number(process.env["BABYSITTER_FUZZ_RUNS"] || 250);
const SEED = process.env["BABYSITTER_FUZZ_SEED"];
const parameters = {
  numRuns: NUM_RUNS,
  ...(SEED === undefined ? {} : { seed: Number(SEED) }),
} as const;

const interruptions = fc.array(
  fc.record({ idle: fc.nat(1), restart: fc.boolean(), together: fc.integer({ min: 1, max: 3 }) }),
  { minLength: 1, maxLength: 6 },
);
/** An uninterrupted run. */
const HOT = [{ idle: 0, restart: false, together: 1 }];
const lateInterruptions = fc.array(
  fc.record({ idle: fc.nat(3), restart: fc.boolean(), together: fc.integer({ min: 1, max: 3 }) }),
  { minLength: 1, maxLength: 6 },
);
const COLD = [{ idle: 0, restart: true, together: 1 }];

function comparable(story: Story, withKeys: boolean): Omit<Story, "keys"> & { keys?: string[] } {
  const { keys, ...rest } = story;
  return withKeys ? { ...rest, keys } : rest;
}

describe("random programs", () => {
  it("C5 R1 R2 R4 R8: a run with interruptions asks, receives and answers the same as one in a single sitting", {
    timeout: 120_000 + NUM_RUNS * 1_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.integer({ min: 1 }), interruptions, async (program, order, breaks) => {
        const hot = await inOneSitting(program, order);
        expect(hot.swapped).toEqual([]);
        expect(new Set(hot.keys.map((key) => key.split(" ")[0])).size).toBe(hot.keys.length);
        const ordered = !touchesWorld(program);
        for (const plan of [breaks, COLD]) {
          const other = await interrupted(program, hot.answered, plan);
          expect(comparable(other, ordered)).toEqual(comparable(hot, ordered));
        }
      }),
      parameters,
    );
  });

  it("C5 R4 R5 R8: what comes back by itself between iterations comes again in every replay", {
    timeout: 120_000 + NUM_RUNS * 1_000,
  }, async () => {
    // How often the heart has beaten, and which of two plain branches has called its group first, is open.
    const end = ({ status, output, error, requests, swapped }: Story): object => ({
      status,
      output,
      error,
      requests: requests
        .map((request) => request.replace(/,"beats":\d+/u, "").replaceAll(/par\d+/gu, "par"))
        .toSorted(),
      swapped,
    });
    await fc.assert(
      fc.asyncProperty(programs, fc.integer({ min: 1 }), lateInterruptions, async (program, seed, breaks) => {
        const late = withLateWork(program, seed);
        const hot = await interruptedLate(late, seed, HOT);
        expect(hot.swapped).toEqual([]);
        expect(end(await interruptedLate(late, seed, breaks))).toEqual(end(hot));
      }),
      parameters,
    );
  });

  it("C5 J4 R8: a crash after any part of what an iteration writes changes nothing", {
    timeout: 120_000 + NUM_RUNS * 1_000,
  }, async () => {
    const crashes = fc.array(fc.nat(4), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(programs, fc.integer({ min: 1 }), crashes, async (program, order, plan) => {
        const hot = await inOneSitting(program, order);
        const ordered = !touchesWorld(program);
        const other = await crashing(program, hot.answered, plan);
        expect(comparable(other, ordered)).toEqual(comparable(hot, ordered));
      }),
      parameters,
    );
  });

  it("C5 C6 J4 R8: results that a process sees before they are recorded change nothing, whatever crashes then", {
    timeout: 120_000 + NUM_RUNS * 1_000,
  }, async () => {
    const accidents = fc.array(fc.constantFrom(undefined, undefined, "elsewhere" as const, 0, 1, 2), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(programs, fc.integer({ min: 1 }), accidents, async (program, order, plan) => {
        const hot = await inOneSitting(program, order);
        const ordered = !touchesWorld(program);
        for (const accident of [plan, [undefined]])
          expect(comparable(await foreseen(program, hot.answered, accident), ordered)).toEqual(
            comparable(hot, ordered),
          );
      }),
      parameters,
    );
  });
});
