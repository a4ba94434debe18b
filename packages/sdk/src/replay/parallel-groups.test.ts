import { describe, expect, it } from "vitest";
import {
  eventsOf,
  failure,
  ok,
  other,
  pendingKeys,
  requestedKeys,
  work,
} from "../../../../tests/fixtures/replay/journal-views.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";

describe("ctx.parallel", () => {
  it("C9: a batch is requested in one iteration and its results are in list order", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) =>
        ctx.parallel.all(["x", "y", "z"].map((name) => () => ctx.task(work, { name }))),
    });
    const first = await run.iterate();
    expect(first.nextActions.map(({ invocationKey }) => invocationKey)).toEqual([
      "par1[0]/work:1",
      "par1[1]/work:1",
      "par1[2]/work:1",
    ]);
    const requests = await eventsOf(run, "EFFECT_REQUESTED");
    expect(new Set(requests.map(({ payload }) => payload.iteration))).toEqual(new Set([1]));
    await run.post("par1[2]/work:1", ok("third"));
    await run.post("par1[0]/work:1", ok("first"));
    await run.iterate();
    await run.restart();
    await run.post("par1[1]/work:1", ok("second"));
    expect((await run.iterate()).output).toEqual(["first", "second", "third"]);
  });

  it("C9: a failure surfaces after the whole batch, the first in list order", async () => {
    let thrown = 0;
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        try {
          return await ctx.parallel.map([0, 1, 2], (n) => ctx.task(work, { n }));
        } catch (error) {
          thrown += 1;
          return `failed: ${(error as Error).message}`;
        }
      },
    });
    await run.iterate();
    await run.post("par1[2]/work:1", failure("of the third"));
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("par1[1]/work:1", failure("of the second"));
    await run.restart();
    expect((await run.iterate()).status).toBe("waiting");
    expect(thrown).toBe(0);
    await run.post("par1[0]/work:1", ok("fine"));
    expect((await run.iterate()).output).toBe("failed: of the second");
    expect(thrown).toBe(1);
  });

  it.each([
    ["concurrency", 2],
    ["maxConcurrency", 2],
    ["concurrency", 1],
  ])("C9: %s %i bounds the open branches, over restarts too", async (option, limit) => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) =>
        ctx.parallel.map([0, 1, 2, 3, 4], async (n) => [await ctx.task(work, { n }), await ctx.task(other, { n })], {
          [option]: limit,
        }),
    });
    let most = 0;
    for (let count = 0; count < 10; count += 1) {
      await run.restart();
      await run.iterate();
      const pending = await pendingKeys(run);
      most = Math.max(most, pending.length);
      await run.post(pending.at(-1) as string, ok(pending.at(-1)));
    }
    expect(most).toBe(limit);
    const end = await run.iterate();
    expect(end.output).toEqual([0, 1, 2, 3, 4].map((n) => [`par1[${n}]/work:1`, `par1[${n}]/other:1`]));
    expect(await requestedKeys(run)).toHaveLength(10);
  });

  it.each([Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY])(
    "C9: no branch is skipped whatever number the limit is: %d",
    async (concurrency) => {
      const run = await createTestRun({
        process: (_: never, ctx: ProcessContext) =>
          ctx.parallel.map([0, 1, 2], (n) => ctx.task(work, { n }), { concurrency }),
      });
      const end = await run.complete(({ invocationKey }) => ok(invocationKey));
      expect(end.output).toEqual(["par1[0]/work:1", "par1[1]/work:1", "par1[2]/work:1"]);
    },
  );

  it("C9: nested groups have their own scopes, and empty groups end at once", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) =>
        ctx.parallel.map([0, 1], async (outer) => [
          await ctx.parallel.all([]),
          await ctx.parallel.map([0, 1], (inner) => ctx.task(work, { outer, inner })),
          await ctx.task(work, { outer }),
        ]),
    });
    const end = await run.complete(async ({ invocationKey }) => {
      await run.restart();
      return ok(invocationKey);
    });
    expect(end.output).toEqual(
      [0, 1].map((n) => [[], [`par1[${n}]/par2[0]/work:1`, `par1[${n}]/par2[1]/work:1`], `par1[${n}]/work:1`]),
    );
  });

  it("C9: race answers the first to end, which stays the first in every replay", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const winner = await ctx.parallel.race(["slow", "quick"].map((name) => () => ctx.task(work, { name })));
        return [winner, await ctx.task(other, { winner })];
      },
    });
    await run.iterate();
    await run.post("par1[1]/work:1", ok("quick"));
    await run.iterate();
    await run.post("par1[0]/work:1", ok("slow"));
    await run.restart();
    await run.iterate();
    await run.post("other:1", ok("after"));
    await run.restart();
    expect((await run.iterate()).output).toEqual(["quick", "after"]);
  });

  it("C9: settled tells how each branch ended, and takes promises that are under way", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) =>
        (await ctx.parallel.settled([ctx.task(work, {}), () => ctx.task(other, {}), () => 5])).map((result) =>
          result.status === "fulfilled" ? result.value : (result.reason as Error).message,
        ),
    });
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["work:1", "par1[1]/other:1"]);
    await run.post("work:1", ok("fine"));
    await run.post("par1[1]/other:1", failure("broken"));
    await run.restart();
    expect((await run.iterate()).output).toEqual(["fine", "broken", 5]);
  });

  it("C9: a task named like a branch does not take the branch's place", async () => {
    const named = { kind: "node", id: "par1[0]/work", node: { entry: "./x.js" } };
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const outer = ctx.task(named);
        return [await outer, await ctx.parallel.all([() => ctx.task(work, {})])];
      },
    });
    const end = await run.complete(({ kind, taskId }) => ok(`${kind} ${taskId}`));
    expect(end.output).toEqual(["node par1[0]/work", ["node work"]]);
    expect(new Set(await requestedKeys(run)).size).toBe(2);
  });
});
