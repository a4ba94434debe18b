import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ok, other, pendingKeys, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { waitAsync } from "../../../../tests/fixtures/replay/random-programs.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";

/** Nothing else happens in this program meanwhile, so that all timers are due at once. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe.concurrent("timers of a process that is busy", () => {
  it("R4 R5: a timer that is due in a replay waits for those that fired before it", async () => {
    const run = await createTestRun({
      process: async (_inputs: never, ctx: ProcessContext) => {
        let beats = 0;
        const heart = setInterval(() => void (beats += 1), 1);
        const busy = waitAsync(100);
        const once = delay(5);
        block(10);
        await once;
        const answer = ctx.task(work, { beats });
        await busy;
        clearInterval(heart);
        return answer;
      },
    });
    await run.iterate();
    await run.restart();
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });

  it("R4 R5: a timer that has not fired yet does not fire in a turn that took less time before", async () => {
    let busyMs = 1;
    let timerMs = 3_600_000;
    const run = await createTestRun({
      process: async (_inputs: never, ctx: ProcessContext) => {
        const late = new Promise((resolve) => setTimeout(() => resolve(ctx.task(other, {})), timerMs).unref());
        await waitAsync(busyMs);
        const first = await ctx.task(work, { step: 1 });
        return [first, await ctx.task(work, { step: 2 }), await late];
      },
    });
    await run.iterate();
    await run.post("work:1", ok(1));
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["work:2"]);
    [busyMs, timerMs] = [100, 20];
    await run.restart();
    await run.iterate();
    while (!(await pendingKeys(run)).includes("other:1")) await run.iterate();
    await run.post("work:2", ok(2));
    await run.post("other:1", ok("late"));
    expect((await run.iterate()).output).toEqual([1, 2, "late"]);
  });

  it.each([1, 200])(
    "R4 R5: work that took 50 ms and takes %i ms in a replay finds the same beats",
    async (replayMs) => {
      let busyMs = 50;
      const run = await createTestRun({
        process: async (_inputs: never, ctx: ProcessContext) => {
          let beats = 0;
          const heart = setInterval(() => void (beats += 1), 1);
          await waitAsync(busyMs);
          const first = await ctx.task(work, { beats });
          await waitAsync(busyMs);
          clearInterval(heart);
          return [first, await ctx.task(other, { beats })];
        },
      });
      await run.iterate();
      await run.post("work:1", ok(1));
      await run.iterate();
      busyMs = replayMs;
      await run.restart();
      await run.post("other:1", ok(2));
      expect((await run.iterate()).output).toEqual([1, 2]);
    },
  );

  it("R4 R5: beats between the ends of two pieces of work stay between them when both end at once", async () => {
    let [soonMs, lateMs] = [5, 60];
    const run = await createTestRun({
      process: async (_inputs: never, ctx: ProcessContext) => {
        let beats = 0;
        const heart = setInterval(() => void (beats += 1), 1);
        const branch = async (task: typeof work, ms: number) => {
          await waitAsync(ms);
          return ctx.task(task, { beats });
        };
        const answers = await Promise.all([branch(work, soonMs), branch(other, lateMs)]);
        clearInterval(heart);
        return answers;
      },
    });
    await run.iterate();
    [soonMs, lateMs] = [1, 1];
    await run.restart();
    await run.post("work:1", ok(1));
    await run.post("other:1", ok(2));
    expect((await run.iterate()).output).toEqual([1, 2]);
  });

  it("R5: work that waits for a timer in a replay, and did not before, gets it", async () => {
    let wakes = true;
    const run = await createTestRun({
      quietLimitMs: 20_000,
      process: async (_inputs: never, ctx: ProcessContext) => {
        const cell = new Int32Array(new SharedArrayBuffer(4));
        const woken = waitAsync(15_000, cell);
        setTimeout(() => Atomics.notify(cell, 0), 20).unref();
        if (wakes) Atomics.notify(cell, 0);
        expect(await woken).toBe("ok");
        return ctx.task(work, {});
      },
    });
    await run.iterate();
    await run.restart();
    wakes = false;
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });
});
