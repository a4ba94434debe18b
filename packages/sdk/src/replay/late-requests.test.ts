import { setTimeout as delay, setInterval as ticks } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { until } from "../../../../tests/fixtures/processes.js";
import { eventsOf, eventTypes, ok, other, pendingKeys, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { waitAsync } from "../../../../tests/fixtures/replay/random-programs.js";
import { createTestRun, type TestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";

/** Longer than an engine waits that sees nothing under way. */
const LATE = 700;
const SHORT_LIMIT = 400;

/** What may call back after an iteration has ended because the process was quiet. */
const LATECOMERS: Record<string, (go: () => void) => void | Promise<void>> = {
  "a repeating timer": (go) => {
    let beats = 0;
    const timer = setInterval(() => {
      beats += 1;
      if (beats < 4) return;
      clearInterval(timer);
      go();
    }, LATE / 4);
  },
  "a timer that does not hold the program": (go) => void setTimeout(go, LATE).unref(),
  "a timer beyond the limit": (go) => void setTimeout(go, LATE),
  "a timer that is refreshed": (go) => {
    let times = 0;
    const timer = setTimeout(() => {
      times += 1;
      if (times < 3) timer.refresh();
      else go();
    }, LATE / 3).unref();
  },
  "timers/promises": (go) => void delay(LATE, undefined, { ref: false }).then(go),
  "an iterator of ticks": async (go) => {
    for await (const _ of ticks(LATE, undefined, { ref: false })) break;
    go();
  },
  "a chain of timers": async (go) => {
    for (let count = 0; count < 5; count += 1) await delay(LATE / 5, undefined, { ref: false });
    go();
  },
  "AbortSignal.timeout": (go) => AbortSignal.timeout(LATE).addEventListener("abort", go),
  "a wait without an end": (go) => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    void waitAsync(Number.POSITIVE_INFINITY, cell).then(go);
    setTimeout(() => Atomics.notify(cell, 0), LATE).unref();
  },
  "a port that does not hold the program": (go) => {
    const { port1, port2 } = new MessageChannel();
    port1.on("message", go);
    port1.unref();
    port2.unref();
    setTimeout(() => port2.postMessage(1), LATE).unref();
  },
  "a thread": (go) => {
    const thread = new Worker("setTimeout(() => require('node:worker_threads').parentPort.postMessage(1), 700)", {
      eval: true,
    });
    thread.on("message", go);
    thread.unref();
  },
};

/** Iterates from a process that is alive, then from one that was thrown away: nothing may come out differently. */
async function agrees(run: TestRun): Promise<string[]> {
  await run.iterate();
  const pending = await pendingKeys(run);
  const before = await eventTypes(run);
  await run.restart();
  await run.iterate();
  expect(await eventTypes(run)).toEqual(before);
  return pending;
}

describe.concurrent("what a process does by itself beside a slow task", () => {
  it.each(Object.entries(LATECOMERS))(
    "R4 R5: what %s brings is recorded and comes again in a replay",
    async (name, arrange) => {
      let went = 0;
      const run = await createTestRun({
        quietLimitMs: name === "a timer beyond the limit" ? SHORT_LIMIT : 10_000,
        process: async (_inputs: never, ctx: ProcessContext) => {
          const late = new Promise<unknown>((resolve) => {
            void arrange(() => {
              went += 1;
              resolve(ctx.task(other, { late: true }));
            });
          });
          return [await ctx.task(work, {}), await late];
        },
      });
      expect(await run.iterate()).toMatchObject({ status: "waiting", warnings: [] });
      expect(await pendingKeys(run)).toEqual(["work:1"]);
      await until(() => went === 1);
      expect(await agrees(run)).toEqual(["work:1", "other:1"]);
      await run.post("other:1", ok("late"));
      expect(await agrees(run)).toEqual(["work:1"]);
      await run.restart();
      await run.post("work:1", ok("slow"));
      expect((await run.iterate()).output).toEqual(["slow", "late"]);
    },
  );

  it("R5: Atomics.waitAsync is waited for like a timer", async () => {
    const run = await createTestRun({
      process: async (_inputs: never, ctx: ProcessContext) => {
        const slow = ctx.task(work, {});
        await waitAsync(LATE);
        return Promise.all([slow, ctx.task(other, {})]);
      },
    });
    expect(await agrees(run)).toEqual(["work:1", "other:1"]);
  });

  it("R4 R5: what a process has counted by timers is the same in a replay", async () => {
    let ticked = 0;
    const run = await createTestRun({
      process: async (_inputs: never, ctx: ProcessContext) => {
        let seen = 0;
        let branch = 0;
        const timer = setInterval(() => {
          seen += 1;
          ticked += 1;
        }, 5);
        const counting = ctx.parallel.all([
          async () => {
            const inner = setInterval(() => void (branch += 1), 7);
            await ctx.task(work, { in: "branch" });
            clearInterval(inner);
          },
        ]);
        await ctx.task(work, {});
        const first = await ctx.task(other, { seen, random: Math.random() });
        await counting;
        clearInterval(timer);
        return [first, await ctx.task(other, { seen, branch })];
      },
    });
    await run.iterate();
    for (const key of ["work:1", "other:1", "par1[0]/work:1", "other:2"]) {
      const before = ticked;
      await until(() => ticked > before + 5 || key === "other:2");
      await run.post(key, ok(key));
      await run.iterate();
      await run.restart();
      await run.iterate();
    }
    expect((await run.iterate()).output).toEqual(["other:1", "other:2"]);
    const counts = (await eventsOf(run, "EFFECT_REQUESTED"))
      .map(({ payload }) => (payload.args as { value: { seen?: number } }).value.seen)
      .filter((seen) => seen !== undefined);
    expect(counts).toHaveLength(2);
    expect(Math.min(...counts)).toBeGreaterThan(5);
  });

  it("R5: time that has passed is not waited for again", async () => {
    let wait = 20;
    let went = 0;
    const run = await createTestRun({
      process: async (_inputs: never, ctx: ProcessContext) => {
        const late = new Promise((resolve) => {
          setTimeout(() => {
            went += 1;
            resolve(ctx.task(other, {}));
          }, wait).unref();
        });
        await delay(wait);
        return [await ctx.task(work, {}), await late];
      },
    });
    await run.iterate();
    await until(() => went === 1);
    await run.iterate();
    await run.restart();
    wait = 3_600_000;
    await run.post("work:1", ok("slow"));
    await run.post("other:1", ok("late"));
    expect((await run.iterate()).output).toEqual(["slow", "late"]);
  });

  it("R4 R5: a timer that changed code sets before a recorded request brings it, without waiting", async () => {
    const run = await createTestRun({
      now: "2026-01-01T00:00:00.000Z",
      process: (_inputs: never, ctx: ProcessContext) => ctx.task(work, {}),
    });
    run.clock.set("2026-01-01T01:00:00.000Z");
    await run.iterate();
    await run.edit(async (_inputs: never, ctx: ProcessContext) => {
      await delay(3_000_000);
      return ctx.task(work, {});
    });
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });

  it("R4: code that no longer asks is told so, however long its heart beats", async () => {
    const run = await createTestRun({
      process: (_inputs: never, ctx: ProcessContext) => Promise.all([ctx.task(work, {}), ctx.task(other, {})]),
    });
    await run.iterate();
    await run.edit(async (_inputs: never, ctx: ProcessContext) => {
      setInterval(() => undefined, 10);
      return ctx.task(work, {});
    });
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
  });

  it("R5: what comes later than a replay waits is refused when it comes, and the run continues", async () => {
    let went = 0;
    const run = await createTestRun({
      quietLimitMs: 50,
      process: async (_inputs: never, ctx: ProcessContext) => {
        const late = waitAsync(200).then(() => {
          went += 1;
          return ctx.task(other, {});
        });
        return Promise.race([ctx.task(work, {}), late]);
      },
    });
    await run.iterate();
    await until(() => went === 1);
    await expect(run.iterate()).rejects.toMatchObject({
      code: "REQUEST_NOT_REPLAYABLE",
      hint: expect.stringContaining("ctx.sleep"),
    });
    expect(await pendingKeys(run)).toEqual(["work:1"]);
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });
});

it("R5: a timer beyond the limit that nothing else is beside is named, with what continues the run", async () => {
  const run = await createTestRun({
    quietLimitMs: SHORT_LIMIT,
    process: async (_inputs: never, ctx: ProcessContext) => {
      setTimeout(() => undefined, 10).unref();
      setInterval(() => undefined, LATE).unref();
      return Promise.all([ctx.task(work, {}), delay(LATE)]);
    },
  });
  await run.iterate();
  await run.restart();
  await run.post("work:1", ok("slow"));
  await expect(run.iterate()).rejects.toMatchObject({
    code: "PROCESS_STALLED",
    message: expect.stringContaining(
      `nothing is pending but a timer of ${LATE} ms, and the limit is ${SHORT_LIMIT} ms`,
    ),
    hint: expect.stringContaining("BABYSITTER_QUIET_LIMIT_MS"),
  });
});
