import crypto, { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  eventsOf,
  failure,
  loggedLines,
  ok,
  other,
  pendingKeys,
  requestedKeys,
  retry,
  work,
} from "../../../../tests/fixtures/replay/journal-views.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { defineTask } from "./task-definition.js";

const HOUR = 3_600_000;
const START = "2026-05-01T08:00:00.000Z";

const napAfterWork = async (_: never, ctx: ProcessContext) => {
  await ctx.task(work, {});
  await ctx.sleep(HOUR);
  return ctx.now().toISOString();
};

describe("sleeping", () => {
  it("C8: an hour from now is asked for once and ends when the hour is over", async () => {
    const run = await createTestRun({
      now: START,
      process: async (_: never, ctx: ProcessContext) => {
        await ctx.sleepUntil(ctx.now().getTime() + HOUR);
        return ctx.now().toISOString();
      },
    });
    for (const minutes of [0, 10, 59]) {
      run.clock.set(Date.parse(START) + minutes * 60_000);
      expect(await run.iterate()).toMatchObject({ status: "waiting", reason: "sleep-waiting", count: 1 });
      await run.restart();
    }
    expect(await requestedKeys(run)).toEqual(["sleep:1"]);
    run.clock.set(Date.parse(START) + HOUR);
    expect(await run.iterate()).toMatchObject({ status: "completed", output: "2026-05-01T09:00:00.000Z", count: 1 });
  });

  it("C8: a posted sleep ends early, stays ended when it would be due, and nothing is asked for again", async () => {
    const run = await createTestRun({
      now: START,
      process: async (_: never, ctx: ProcessContext) => {
        await ctx.sleep(HOUR);
        return [await ctx.task(work, { n: 1 }), await ctx.task(work, { n: 2 })];
      },
    });
    await run.iterate();
    await run.post("sleep:1", ok(null));
    await run.iterate();
    await run.post("work:1", ok("one"));
    await run.restart();
    run.clock.set(Date.parse(START) + 2 * HOUR);
    await run.iterate();
    await run.post("work:2", ok("two"));
    await run.restart();
    expect((await run.iterate()).output).toEqual(["one", "two"]);
    expect(await requestedKeys(run)).toEqual(["sleep:1", "work:1", "work:2"]);
    expect((await eventsOf(run, "EFFECT_RESOLVED")).map(({ payload }) => payload.by)).toEqual(["post", "post", "post"]);
  });

  it("C8 J5: a clock set back neither wakes early nor makes a sleep wait until the old time has come again", async () => {
    const run = await createTestRun({ now: START, process: napAfterWork });
    await run.iterate();
    await run.post("work:1", ok(1));
    expect((await run.iterate()).status).toBe("waiting");
    const back = Date.parse("2026-04-01T00:00:00.000Z");
    for (const minutes of [0, 59]) {
      run.clock.set(back + minutes * 60_000);
      await run.restart();
      expect((await run.iterate()).status).toBe("waiting");
    }
    run.clock.set(back + HOUR);
    expect(await run.iterate()).toMatchObject({ status: "completed" });
  });

  it("C8: one result that was posted with a clock 1,000 days ahead does not move a later sleep there", async () => {
    const run = await createTestRun({ now: START, process: napAfterWork });
    await run.iterate();
    run.clock.set(Date.parse(START) + 24_000 * HOUR);
    await run.post("work:1", ok(1));
    run.clock.set(START);
    const { status, nextActions, warnings } = await run.iterate();
    expect([status, nextActions[0]?.until]).toEqual(["waiting", "2026-05-01T09:00:00.000Z"]);
    expect(warnings).toEqual([expect.stringMatching(/^The clock shows .*, 1000 d before an event of this run/)]);
    run.clock.set(Date.parse(START) + HOUR - 1);
    await run.restart();
    expect(await run.iterate()).toMatchObject({ status: "waiting", warnings: [] });
    run.clock.set(Date.parse(START) + HOUR);
    expect(await run.iterate()).toMatchObject({ status: "completed", output: "2026-05-01T09:00:00.000Z" });
    expect(await eventsOf(run, "CLOCK_SET_BACK")).toHaveLength(1);
  });

  it("C8: a sleep that was asked for with a clock 1,000 days ahead counts from when that is noticed", async () => {
    const run = await createTestRun({ now: START, process: napAfterWork });
    await run.iterate();
    await run.post("work:1", ok(1));
    run.clock.set(Date.parse(START) + 24_000 * HOUR);
    await run.iterate();
    await run.restart();
    run.clock.set(START);
    expect((await run.status()).why).toMatch(/The clock shows .* wrong/);
    expect((await run.iterate()).nextActions[0]?.until).toBe("2026-05-01T09:00:00.000Z");
    expect(await run.status()).toMatchObject({
      why: expect.not.stringContaining("clock") as string,
      pendingEffects: [{ until: "2026-05-01T09:00:00.000Z" }],
    });
    run.clock.set(Date.parse(START) + HOUR);
    await run.restart();
    expect((await run.iterate()).status).toBe("completed");
  });

  it("C8: a command with a clock at 1970 does not end a sleep for the next one", async () => {
    const run = await createTestRun({ now: START, process: napAfterWork });
    await run.iterate();
    await run.post("work:1", ok(1));
    await run.iterate();
    for (const time of [60_000, Date.parse(START) + 60_000, 120_000, Date.parse(START) + HOUR - 1]) {
      await run.restart();
      run.clock.set(time);
      expect((await run.iterate()).status).toBe("waiting");
    }
    expect((await run.status()).pendingEffects[0]?.until).toBe("2026-05-01T09:00:00.000Z");
    run.clock.set(Date.parse(START) + HOUR);
    expect((await run.iterate()).status).toBe("completed");
  });

  it("C8: what has passed of a sleep still counts where a living program sees the clock go back", async () => {
    const run = await createTestRun({ now: START, process: napAfterWork });
    await run.iterate();
    await run.post("work:1", ok(1));
    await run.iterate();
    run.clock.set(Date.parse(START) + HOUR / 2);
    await run.iterate();
    const back = Date.parse(START) - 24 * HOUR;
    run.clock.set(back);
    const [sleep] = (await run.iterate()).nextActions;
    const rest = Date.parse(sleep?.until ?? "") - back;
    // The program's own clock has moved a little meanwhile.
    expect([rest > HOUR / 2 - 60_000, rest <= HOUR / 2]).toEqual([true, true]);
    run.clock.set(back + HOUR / 2);
    await run.restart();
    expect((await run.iterate()).status).toBe("completed");
  });

  it("C8: clocks of machines that differ by seconds are not called wrong", async () => {
    const run = await createTestRun({ now: START, process: napAfterWork });
    await run.iterate();
    run.clock.set(Date.parse(START) - 30_000);
    await run.post("work:1", ok(1));
    expect(await run.iterate()).toMatchObject({ warnings: [] });
    expect(await eventsOf(run, "CLOCK_SET_BACK")).toEqual([]);
  });

  it("C8: a clock far ahead ends all sleeps, the earliest first, in one iteration", async () => {
    const run = await createTestRun({
      now: START,
      process: async (_: never, ctx: ProcessContext) => {
        const woken: string[] = [];
        const nap = async (name: string, hours: number) => {
          await ctx.sleep(hours * HOUR);
          woken.push(name);
        };
        await Promise.all([nap("late", 3), nap("early", 1), nap("middle", 2)]);
        await ctx.sleepUntil(START);
        return woken;
      },
    });
    await run.iterate();
    run.clock.set(Date.parse(START) + 1_000 * HOUR);
    await run.restart();
    expect(await run.iterate()).toMatchObject({ status: "completed", count: 4, output: ["early", "middle", "late"] });
  });

  it("C8: nonsense instead of a time is an error the process can catch", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const codes: unknown[] = [];
        for (const time of ["tomorrow-ish", Number.NaN, undefined as never])
          await ctx.sleepUntil(time).catch((error: { code: string }) => codes.push(error.code));
        await ctx.sleep(Number.NaN).catch((error: { code: string }) => codes.push(error.code));
        return codes;
      },
    });
    expect((await run.iterate()).output).toEqual(Array(4).fill("TASK_INVALID"));
  });
});

describe("logging", () => {
  it("C11: a line that is not JSON is recorded as text", async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) => {
        ctx.log("big", 10n);
        ctx.log(circular);
        return "done";
      },
    });
    expect((await run.iterate()).output).toBe("done");
    expect(await loggedLines(run)).toEqual(["big", expect.stringContaining("self: [Circular")]);
  });

  it("C11: a line is recorded once, also in branches and with text that differs in every replay", async () => {
    let replays = 0;
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        replays += 1;
        ctx.log(`start of replay ${replays}`);
        await ctx.parallel.map([0, 1], async (n) => {
          ctx.log(`branch ${n} begins`);
          await ctx.task(work, { n });
          ctx.log(`branch ${n} ends, replay ${replays}`);
        });
        ctx.log("done", { replays: 1 });
        return ctx.task(other, {});
      },
    });
    await run.complete(async ({ invocationKey }) => {
      await run.restart();
      await run.iterate();
      await run.restart();
      return ok(invocationKey);
    });
    const lines = (await loggedLines(run)).map((line) => line.replace(/replay \d+/, "replay"));
    expect(lines.toSorted()).toEqual(
      [
        "branch 0 begins",
        "branch 1 begins",
        "branch 0 ends, replay",
        "branch 1 ends, replay",
        "done",
        "start of replay",
      ].toSorted(),
    );
    expect((await eventsOf(run, "PROCESS_LOGGED"))[0]?.payload.entries.map(({ scope }) => scope)).toEqual([
      "",
      "par1[0]/",
      "par1[1]/",
    ]);
  });

  it("C11: lines of the path after a retried failure are recorded too", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        try {
          await ctx.task(work, {});
        } catch (error) {
          ctx.log("it failed");
          throw error;
        }
        ctx.log("it worked");
        return "fine";
      },
    });
    await run.iterate();
    await run.post("work:1", failure("at first"));
    expect((await run.iterate()).status).toBe("failed");
    await retry(run);
    await run.iterate();
    await run.post("work:1", ok("now"));
    expect((await run.iterate()).output).toBe("fine");
    expect(await loggedLines(run)).toEqual(["it failed", "it worked"]);
  });

  it("C11: label, text and data are kept", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) => {
        ctx.log("build", "passed");
        ctx.log("numbers", { a: 1 });
        ctx.log({ only: "data" });
        ctx.log("many", 1, [2]);
        return null;
      },
    });
    await run.iterate();
    expect((await eventsOf(run, "PROCESS_LOGGED"))[0]?.payload.entries).toMatchObject([
      { scope: "", after: 0, label: "build", message: "passed" },
      { scope: "", after: 0, message: "numbers", data: { a: 1 } },
      { scope: "", after: 0, message: '{"only":"data"}' },
      { scope: "", after: 0, message: "many", data: [1, [2]] },
    ]);
  });
});

const takingTime = async (_: never, ctx: ProcessContext) => {
  const own = [ctx.now().toISOString(), new Date().toISOString(), Math.random()];
  await ctx.task(work, { own });
  return [own, ctx.now().toISOString(), new Date().toISOString(), Math.random()];
};

describe("time and chance inside a process", () => {
  it("C11 R9: Date, Math.random and randomUUID answer the same in every replay", async () => {
    const seen: unknown[][] = [];
    const run = await createTestRun({
      now: START,
      process: async (_: never, ctx: ProcessContext) => {
        const take = () => [
          ctx.now().toISOString(),
          Date.now(),
          new Date().toISOString(),
          Date(),
          new Date() instanceof Date,
          Math.random(),
          randomUUID(),
          crypto.randomUUID(),
          globalThis.crypto.randomUUID(),
        ];
        const values: unknown[] = [take()];
        values.push(await ctx.task(work, { values }));
        values.push(take(), await ctx.parallel.map([0, 1], async (n) => [n, take()]));
        seen.push(values);
        return ctx.task(work, { values });
      },
    });
    await run.iterate();
    run.clock.set(Date.parse(START) + HOUR);
    await run.post("work:1", ok("first"));
    await run.iterate();
    await run.restart();
    run.clock.set(Date.parse(START) + 5 * HOUR);
    await run.iterate();
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    const [before, , after] = seen[0] as [unknown[], unknown, unknown[]];
    expect([before[0], before[1], before[2]]).toEqual([START, Date.parse(START), START]);
    expect(after[0]).toBe("2026-05-01T09:00:00.000Z");
    expect(before[4]).toBe(true);
    const uuids = JSON.stringify(seen[0]).match(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g);
    expect(new Set(uuids).size).toBe(12);
  });

  it("R9: the time of a process never runs behind by seconds, and leaves a wrong clock with the next result", async () => {
    const run = await createTestRun({
      now: START,
      process: async (_: never, ctx: ProcessContext) => {
        const times = [ctx.now().toISOString()];
        for (let n = 0; n < 3; n += 1) {
          await ctx.task(work, { n });
          times.push(new Date().toISOString());
        }
        return times;
      },
    });
    const posted = ["2029-01-01T00:00:00.000Z", "2026-05-01T08:00:20.000Z", "2026-05-01T08:00:10.000Z"];
    for (const [n, time] of posted.entries()) {
      await run.restart();
      await run.iterate();
      run.clock.set(time);
      await run.post(`work:${n + 1}`, ok(n));
    }
    await run.restart();
    expect((await run.iterate()).output).toEqual([START, posted[0], posted[1], posted[1]]);
  });

  it("C20 R9: outside a process they are real, also while two runs are open", async () => {
    const began = performance.timeOrigin + performance.now();
    const a = await createTestRun({ process: takingTime, now: "2001-01-01T00:00:00.000Z", runId: "run-a" });
    const b = await createTestRun({ process: takingTime, now: "2002-02-02T00:00:00.000Z", runId: "run-b" });
    await Promise.all([a.iterate(), b.iterate()]);
    expect(Date.now()).toBeGreaterThanOrEqual(Math.floor(began));
    expect(new Date().getTime()).toBeGreaterThanOrEqual(Math.floor(began));
    expect(new Date("2020-01-01").getTime()).toBe(Date.UTC(2020, 0, 1));
    expect(Math.random()).not.toBe(Math.random());
    expect(randomUUID()).not.toBe(randomUUID());
    await Promise.all([a.post("work:1", ok(1)), b.post("work:1", ok(2))]);
    const ends = await Promise.all([a.iterate(), b.iterate()]);
    const outputs = ends.map(({ output }) => output as [unknown[], string, string, number]);
    expect(outputs.map(([, now, date]) => [now, date])).toEqual([
      ["2001-01-01T00:00:00.000Z", "2001-01-01T00:00:00.000Z"],
      ["2002-02-02T00:00:00.000Z", "2002-02-02T00:00:00.000Z"],
    ]);
    expect(outputs[0]?.[3]).not.toBe(outputs[1]?.[3]);
    const alone = await createTestRun({ process: takingTime, now: "2001-01-01T00:00:00.000Z", runId: "run-a" });
    expect((await alone.complete(() => ok(1))).output).toEqual(outputs[0]);
  });

  it("R8 R9: random numbers and lines of a builder do not shift those of the process", async () => {
    const tagged = defineTask<{ n: number }>("tagged", ({ n }) => ({
      kind: "node",
      node: { entry: "./x.js" },
      tag: [randomUUID(), Math.random(), n],
    }));
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        await ctx.task(tagged, { n: 1 });
        return ctx.task(work, { random: Math.random() });
      },
    });
    await run.iterate();
    await run.post("tagged:1", ok(1));
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["work:1"]);
    await run.restart();
    await run.post("work:1", ok("same number"));
    expect((await run.iterate()).output).toBe("same number");
  });
});
