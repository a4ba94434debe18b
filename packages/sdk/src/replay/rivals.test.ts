import { describe, expect, it } from "vitest";
import { eventsOf, ok, other, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { RUN, sharedRun } from "../../../../tests/fixtures/replay/shared-run.js";
import type { HookRunner, Ports } from "../model/ports.js";
import { LiveRun } from "../runs/live-run.js";
import { postResult } from "../runs/post-result.js";
import { RunJournal } from "../runs/run-journal.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";

const QUIET = { quietLimitMs: 5_000 };

async function keysIn(ports: Ports, type: string): Promise<string[]> {
  const events = (await ports.store.read(RUN, undefined)) ?? [];
  return events.filter((event) => event.type === type).map(({ invocationKey }) => invocationKey ?? "");
}

describe("several drivers of one run", () => {
  it("C20 J1: two live processes that iterate at the same time make every request and line once", async () => {
    const ports = await sharedRun(async (_: never, ctx: ProcessContext) => {
      const results: unknown[] = [];
      for (let round = 0; round < 4; round += 1) {
        ctx.log(`round ${round}`);
        results.push(await Promise.all([0, 1].map((n) => ctx.task(work, { round, n }))));
      }
      return results;
    });
    const drivers = await Promise.all([0, 1, 2].map(() => LiveRun.open(ports, RUN, QUIET)));
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(drivers.map((driver) => driver.iterate()));
      const { pending } = (await RunJournal.open(ports, RUN)).summary;
      expect(Object.keys(pending)).toHaveLength(2);
      await Promise.all(
        Object.values(pending).map(async ({ effectId, invocationKey }, index) =>
          postResult(await RunJournal.open(ports, RUN), { effectId, result: ok(`${invocationKey}/${index}`) }),
        ),
      );
    }
    const ends = await Promise.all(drivers.map((driver) => driver.iterate()));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(new Set(ends.map(({ completionProof }) => completionProof)).size).toBe(1);
    const requested = await keysIn(ports, "EFFECT_REQUESTED");
    expect(requested.toSorted()).toEqual(Array.from({ length: 8 }, (_, index) => `work:${index + 1}`));
    expect(await keysIn(ports, "RUN_COMPLETED")).toHaveLength(1);
    const lines = ((await ports.store.read(RUN, undefined)) ?? []).flatMap((event) =>
      event.type === "PROCESS_LOGGED" ? event.payload.entries.map(({ message }) => message) : [],
    );
    expect(lines).toEqual(["round 0", "round 1", "round 2", "round 3"]);
    await Promise.all(drivers.map((driver) => driver.close()));
  });

  it("C20: iterations of one live run that overlap follow one another", async () => {
    const ports = await sharedRun(async (_: never, ctx: ProcessContext) => [
      await ctx.task(work, {}),
      await ctx.task(other, {}),
    ]);
    const driver = await LiveRun.open(ports, RUN, QUIET);
    await Promise.all([driver.iterate(), driver.iterate(), driver.iterate()]);
    expect(await keysIn(ports, "EFFECT_REQUESTED")).toEqual(["work:1"]);
    await driver.close();
  });

  it("C20 R8: a driver that was overtaken takes up where the other one is", async () => {
    const ports = await sharedRun(async (_: never, ctx: ProcessContext) => {
      const first = await ctx.task<string>(work as never, {});
      return [first, await ctx.task(other, { first })];
    });
    const slow = await LiveRun.open(ports, RUN, QUIET);
    await slow.iterate();
    for (const taskId of ["work", "other"]) {
      const quick = await LiveRun.open(ports, RUN, QUIET);
      await quick.iterate();
      const pending = Object.values(quick.journal.summary.pending).find((effect) => effect.taskId === taskId);
      await quick.post({ effectId: pending?.effectId as string, result: ok(taskId) });
      await quick.close();
    }
    expect((await slow.iterate()).output).toEqual(["work", "other"]);
    await slow.close();
  });

  it("C12: the same two versions of the code in turn are blocked once each", async () => {
    let version = "good";
    const ports = await sharedRun(
      async (_: never, ctx: ProcessContext) => {
        await ctx.task(work, { n: version === "good" ? 1 : version });
        return ctx.task(other, {});
      },
      { version: () => version },
    );
    const cold = async () => {
      const driver = await LiveRun.open(ports, RUN, QUIET);
      try {
        const iteration = await driver.iterate();
        return iteration.reason;
      } catch (error) {
        return (error as { code: string }).code === "RUN_DIVERGED" ? "blocked" : String(error);
      } finally {
        await driver.close();
      }
    };
    expect(await cold()).toBe("node-pending");
    for (const next of ["bad-a", "bad-b", "bad-a", "bad-b"]) {
      version = next;
      expect(await cold()).toBe("blocked");
    }
    expect(await keysIn(ports, "RUN_BLOCKED")).toHaveLength(2);
    version = "good";
    expect(await cold()).toBe("node-pending");
  });
});

function counting(): HookRunner & { calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    run: async ({ hookType, payload, effectId }) => {
      calls.push(`${hookType} ${JSON.stringify(payload)} ${effectId}`);
      return { hookType, success: true, output: { n: calls.length }, executedHooks: ["a.sh"] };
    },
  };
}

describe("closing", () => {
  it("R8: a run that is closed in the middle of an iteration is not blocked, and continues when opened again", async () => {
    const ports = await sharedRun(async (_: never, ctx: ProcessContext) => {
      for (let n = 0; n < 20; n += 1) await ctx.task(work, { n });
      return "end";
    });
    const first = await LiveRun.open(ports, RUN, QUIET);
    for (let n = 0; n < 10; n += 1) {
      const { nextActions } = await first.iterate();
      await first.post({ effectId: nextActions[0]?.effectId as string, result: ok(n) });
    }
    await first.close();
    const second = await LiveRun.open(ports, RUN, QUIET);
    const underWay = second.iterate();
    await second.close();
    expect(await underWay).toMatchObject({ status: "waiting", nextActions: [{ invocationKey: "work:11" }] });
    await expect(second.iterate()).rejects.toMatchObject({ code: "USAGE" });
    expect(await keysIn(ports, "RUN_BLOCKED")).toEqual([]);
  });
});

describe("ctx.hook", () => {
  it("C10: a hook runs once, its answer is recorded and the same in every replay", async () => {
    const hooks = counting();
    const run = await createTestRun({
      hooks,
      process: async (_: never, ctx: ProcessContext) => {
        const answer = await ctx.hook("pre-commit", { files: ["a"] });
        return [answer, await ctx.task(work, { answer })];
      },
    });
    const first = await run.iterate();
    expect(first).toMatchObject({ status: "waiting", reason: "node-pending", count: 1, iterationCount: 1 });
    for (let count = 0; count < 3; count += 1) {
      await run.restart();
      expect((await run.iterate()).status).toBe("waiting");
    }
    await run.post("work:1", ok("end"));
    expect((await run.iterate()).output).toEqual([
      { hookType: "pre-commit", success: true, output: { n: 1 }, executedHooks: ["a.sh"] },
      "end",
    ]);
    expect(hooks.calls).toEqual([expect.stringMatching(/^pre-commit \{"files":\["a"\]\} effect-/)]);
    expect((await eventsOf(run, "EFFECT_RESOLVED"))[0]?.payload.by).toBe("engine");
  });

  it("C10: after a crash between request and result the hook runs again, for the same request", async () => {
    const ports = await sharedRun(async (_: never, ctx: ProcessContext) => (await ctx.hook("custom")).output);
    const called = counting();
    // A driver whose hook never answers stands for one that died in the middle.
    const died = new Promise<void>((resolve) => {
      const hooks: HookRunner = {
        run: async (call) => {
          await called.run(call);
          resolve();
          return new Promise<never>(() => undefined);
        },
      };
      void LiveRun.open({ ...ports, hooks }, RUN, QUIET).then((run) => run.iterate());
    });
    await died;
    const run = await LiveRun.open({ ...ports, hooks: called }, RUN, QUIET);
    expect((await run.iterate()).output).toEqual({ n: 2 });
    expect(await keysIn(ports, "EFFECT_REQUESTED")).toEqual(["hook/custom:1"]);
    expect(new Set(called.calls).size).toBe(1);
  });

  it("C10: a hook runner that breaks is a failed answer, not a broken run", async () => {
    const run = await createTestRun({
      hooks: { run: () => Promise.reject(new Error("no shell")) },
      process: async (_: never, ctx: ProcessContext) => ctx.hook("custom"),
    });
    expect((await run.iterate()).output).toMatchObject({ success: false, error: "no shell" });
  });

  it("C10: a failing hook is told, and thrown only when asked for", async () => {
    const hooks: HookRunner = {
      run: async ({ hookType }) => ({ hookType, success: false, error: "exit 1", executedHooks: [] }),
    };
    const run = await createTestRun({
      hooks,
      process: async (_: never, ctx: ProcessContext) => [
        (await ctx.hook("custom", { n: 1 })).success,
        await ctx.hook("custom", { n: 2 }, { throwOnFailure: true }).catch((error: Error) => error.message),
      ],
    });
    expect((await run.iterate()).output).toEqual([false, "exit 1"]);
  });
});
