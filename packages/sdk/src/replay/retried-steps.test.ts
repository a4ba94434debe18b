/** Failed steps that are tried again are built by today's code, in the same run. */
import { describe, expect, it } from "vitest";
import {
  eventsOf,
  eventTypes,
  failure,
  ok,
  other,
  pendingKeys,
  requestedKeys,
  retry,
  work,
} from "../../../../tests/fixtures/replay/journal-views.js";
import { forkRun } from "../runs/fork-run.js";
import { LiveRun } from "../runs/live-run.js";
import { replayRun } from "../runs/replay-run.js";
import { RunJournal } from "../runs/run-journal.js";
import { createTestRun, type TestProcess, type TestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { defineTask } from "./task-definition.js";

const build = (command: string) => defineTask("build", () => ({ kind: "shell", shell: { command } }));
const plain = (command: string) => ({ kind: "shell", title: "Build", shell: { command } });

const afterPreparing = (step: (ctx: ProcessContext) => Promise<unknown>) => async (_: never, ctx: ProcessContext) => {
  const prepared = await ctx.task<string>(other, {});
  return [prepared, await step(ctx)];
};

/** A run whose second step has failed, and that has failed with it. */
async function failedRun(process: TestProcess): Promise<TestRun> {
  const run = await createTestRun({ process });
  await run.iterate();
  await run.post("other:1", ok("prepared"));
  const [action] = (await run.iterate()).nextActions;
  await run.post(action?.effectId as string, failure("no such file"));
  expect((await run.iterate()).status).toBe("failed");
  return run;
}

async function definitionsOf(run: TestRun): Promise<unknown[]> {
  return (await eventsOf(run, "EFFECT_REQUESTED"))
    .slice(1)
    .map(({ payload: { definition, args } }) => [definition, args]);
}

interface Fix {
  name: string;
  before: (ctx: ProcessContext) => Promise<unknown>;
  after: (ctx: ProcessContext) => Promise<unknown>;
  id: string;
}

const FIXES: Fix[] = [
  {
    name: "its builder",
    before: (ctx) => ctx.task(build("mak"), {}),
    after: (ctx) => ctx.task(build("make"), {}),
    id: "build:1",
  },
  {
    name: "its arguments",
    before: (ctx) => ctx.task(build("make"), { file: "a" }),
    after: (ctx) => ctx.task(build("make"), { file: "b" }),
    id: "build:1",
  },
  {
    name: "the object that it is",
    before: (ctx) => ctx.task(plain("mak")),
    after: (ctx) => ctx.task(plain("make")),
    id: "Build:1",
  },
  {
    name: "its kind",
    before: (ctx) => ctx.task({ id: "build", kind: "shell", shell: { command: "make" } }),
    after: (ctx) => ctx.task({ id: "build", kind: "node", node: { entry: "./make.js" } }),
    id: "build:1",
  },
];

describe("a failed step whose code was corrected", () => {
  for (const { name, before, after, id } of FIXES) {
    it(`C25 C12: is requested anew with ${name} changed; the journal keeps both, and what succeeded`, async () => {
      const run = await failedRun(afterPreparing(before));
      await run.edit(afterPreparing(after));
      const again = await run.iterate();
      expect(again.warnings).toEqual([expect.stringMatching(/^Retrying "build" with the changed code\.$/i)]);
      expect(again.nextActions).toMatchObject([{ invocationKey: id, attempt: 2 }]);
      const [old, current, ...more] = await definitionsOf(run);
      expect(more).toEqual([]);
      expect(current).not.toEqual(old);
      expect(current).toMatchObject([{ value: again.nextActions[0]?.taskDef }, {}]);
      await run.restart();
      await run.post(id, ok("built"));
      await run.restart();
      expect((await run.iterate()).output).toEqual(["prepared", "built"]);
      expect((await eventsOf(run, "EFFECT_RESOLVED")).map(({ payload }) => payload.attempt)).toEqual([1, 1, 2]);
      expect(await run.status()).toMatchObject({ metadata: { effects: { requested: 2, ok: 2, error: 0 } } });
    });
  }

  it("C25: is dropped when the code no longer asks for it", async () => {
    const run = await failedRun(afterPreparing((ctx) => ctx.task(build("make"), {})));
    await run.edit(afterPreparing(async () => "nothing to build"));
    expect((await run.iterate()).output).toEqual(["prepared", "nothing to build"]);
    expect((await eventTypes(run)).slice(-5)).toEqual([
      "EFFECT_RETRIED",
      "RUN_REOPENED",
      "CODE_CHANGED",
      "EFFECT_DROPPED",
      "RUN_COMPLETED",
    ]);
    expect(await run.status()).toMatchObject({ metadata: { effects: { requested: 1, ok: 1, error: 0 } } });
  });

  it("C25: may get a step before it, or another task in its place", async () => {
    const run = await failedRun(afterPreparing((ctx) => ctx.task(build("make"), {})));
    await run.edit(afterPreparing(async (ctx) => [await ctx.task(work, {}), await ctx.task(build("make"), {})]));
    const end = await run.complete(({ invocationKey }) => ok(invocationKey));
    expect(end.output).toEqual(["prepared", ["work:1", "build:2"]]);
    expect(await eventsOf(run, "EFFECT_DROPPED")).toMatchObject([{ invocationKey: "build:1" }]);
    await expectSameWhenCold(run);
  });

  it("C25: is left alone when the code does not load, or throws before it", async () => {
    const run = await failedRun(afterPreparing((ctx) => ctx.task(build("mak"), {})));
    await run.edit(async () => {
      throw new TypeError("a slip of the pen");
    });
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
    await run.edit(
      afterPreparing(async () => {
        throw new TypeError("another slip");
      }),
    );
    expect(await run.iterate()).toMatchObject({ status: "failed", error: { message: "another slip" } });
    await run.edit(afterPreparing((ctx) => ctx.task(build("make"), {})));
    expect((await run.iterate()).nextActions).toMatchObject([
      { invocationKey: "build:1", attempt: 2, taskDef: { shell: { command: "make" } } },
    ]);
    expect(await eventsOf(run, "EFFECT_DROPPED")).toEqual([]);
  });

  it("C12: is not touched by code that does not fit what succeeded", async () => {
    const run = await failedRun(afterPreparing((ctx) => ctx.task(build("mak"), {})));
    await run.edit(async (_: never, ctx: ProcessContext) => [
      await ctx.task(work, {}),
      await ctx.task(build("make"), {}),
    ]);
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
    expect((await eventTypes(run)).slice(-2)).toEqual(["RUN_FAILED", "RUN_BLOCKED"]);
    // The code as it was shows the failure as it was.
    await run.edit(afterPreparing((ctx) => ctx.task(build("mak"), {})));
    expect((await run.iterate()).nextActions).toMatchObject([{ invocationKey: "build:1", attempt: 2 }]);
  });

  it("C12: with its recorded failure kept, the code may handle it", async () => {
    const run = await failedRun(afterPreparing((ctx) => ctx.task(build("mak"), {})));
    await run.edit(afterPreparing((ctx) => ctx.task(build("mak"), {}).catch(() => ctx.task(work, {}) as never)));
    expect((await run.iterate({ keepFailures: true })).nextActions).toMatchObject([{ invocationKey: "work:1" }]);
    expect(await eventsOf(run, "EFFECT_RETRIED")).toEqual([]);
  });
});

describe("a retry", () => {
  it("C25 C21: never executes an old definition: nobody can work on a step before it is requested anew", async () => {
    const run = await failedRun(afterPreparing((ctx) => ctx.task(build("mak"), {})));
    const { reopened } = await retry(run);
    expect(reopened).toMatchObject([{ invocationKey: "build:1", attempt: 2 }]);
    expect(await pendingKeys(run)).toEqual([]);
    await expect(run.post(reopened[0]?.effectId as string, ok("old"))).rejects.toMatchObject({
      code: "ATTEMPT_STALE",
      hint: expect.stringContaining("run:iterate test-run") as string,
    });
    expect(await run.status()).toMatchObject({ state: "running", needsMoreIterations: true });
    await run.edit(afterPreparing((ctx) => ctx.task(build("make"), {})));
    expect((await run.iterate()).nextActions).toMatchObject([{ attempt: 2, taskDef: { shell: { command: "make" } } }]);
  });

  it("C21: with iterate too, and a caught failure that led to no request counts as the last one", async () => {
    let tries = 0;
    const run = await failedRun(
      afterPreparing(async (ctx) => {
        try {
          return await ctx.task(build(`make ${++tries}`), {});
        } catch {
          throw new Error("the build is broken");
        }
      }),
    );
    const again = await run.iterate({ retry: true });
    expect(again.warnings).toEqual(['Retrying "build".']);
    expect(again.nextActions[0]?.taskDef).toMatchObject({ shell: { command: `make ${tries}` } });
    await run.post("build:1", ok("built"));
    expect((await run.iterate()).output).toEqual(["prepared", "built"]);
    expect((await eventsOf(run, "RUN_REOPENED")).map(({ payload }) => payload.reason)).toEqual(["retry"]);
  });

  it("C21: of a step whose failure was used is refused with a way that works", async () => {
    const run = await failedRun(afterPreparing((ctx) => ctx.task(build("mak"), {})));
    await run.edit(
      afterPreparing(async (ctx) => {
        try {
          return await ctx.task(build("mak"), {});
        } catch (error) {
          await ctx.task(work, { clean: true });
          throw error;
        }
      }),
    );
    await run.iterate({ keepFailures: true });
    await run.post("work:1", ok("cleaned"));
    expect((await run.iterate()).status).toBe("failed");
    const [failed] = (await eventsOf(run, "EFFECT_RESOLVED")).filter(({ payload }) => payload.status === "error");
    const hint = `To retry it in a copy: babysitter run:fork test-run --at-task ${failed?.effectId}`;
    await expect(retry(run)).rejects.toMatchObject({ code: "EFFECT_NOT_REOPENABLE", hint });
    await expect(retry(run, "build")).rejects.toMatchObject({ code: "EFFECT_NOT_REOPENABLE", hint });
    // Changed code alone does not take it back either.
    const before = (await run.events()).length;
    await run.iterate();
    expect((await run.events()).length).toBe(before);
  });

  it("C25 C13: of several failed branches keeps those that went on, whatever becomes of the failed ones", async () => {
    const branches = (fixed: boolean) => (_: never, ctx: ProcessContext) =>
      ctx.parallel.settled([
        () => ctx.task(build(fixed ? "make" : "mak"), { n: 0 }),
        () => (fixed ? ctx.task(other, { instead: true }) : ctx.task(work, { n: 1 })),
        async () => [await ctx.task(work, { n: 2 }), await ctx.task(other, { n: 2 })],
        async () => (fixed ? "gone" : ctx.task(work, { n: 3 })),
        () => ctx.task(build("make"), { n: fixed ? 40 : 4 }),
      ] as never);
    const process = (fixed: boolean) => async (_: never, ctx: ProcessContext) => {
      const results = (await branches(fixed)(_, ctx)) as { status: string; value: unknown }[];
      if (results.some(({ status }) => status === "rejected")) throw new Error("some have failed");
      return results.map(({ value }) => value);
    };
    const run = await createTestRun({ process: process(false) });
    await run.iterate();
    await run.post("par1[2]/work:1", ok("two"));
    await run.iterate();
    for (const key of ["par1[0]/build:1", "par1[1]/work:1", "par1[3]/work:1", "par1[4]/build:1"])
      await run.post(key, failure(key));
    await run.post("par1[2]/other:1", ok("two and a half"));
    expect(await run.iterate()).toMatchObject({ status: "failed", error: { message: "some have failed" } });
    await run.edit(process(true));
    expect((await run.iterate()).nextActions.map(({ invocationKey }) => invocationKey).toSorted()).toEqual([
      "par1[0]/build:1",
      "par1[1]/other:1",
      "par1[4]/build:1",
    ]);
    expect((await eventsOf(run, "EFFECT_DROPPED")).map(({ invocationKey }) => invocationKey)).toEqual([
      "par1[1]/work:1",
      "par1[3]/work:1",
    ]);
    await run.restart();
    const end = await run.complete(({ invocationKey }) => ok(invocationKey));
    expect(end.output).toEqual([
      "par1[0]/build:1",
      "par1[1]/other:1",
      ["two", "two and a half"],
      "gone",
      "par1[4]/build:1",
    ]);
    await expectSameWhenCold(run);
  });

  it("C21: in a loop the failed round is retried, with the calls before it kept", async () => {
    const rounds = (names: string[]) => async (_: never, ctx: ProcessContext) => {
      const results: unknown[] = [];
      for (const name of names) results.push(await ctx.task(work, { name }));
      return results;
    };
    const run = await createTestRun({ process: rounds(["a", "b", "c"]) });
    await run.iterate();
    await run.post("work:1", ok("A"));
    await run.iterate();
    await run.post("work:2", failure("b"));
    await run.iterate();
    await run.edit(rounds(["a", "B", "c"]));
    expect((await run.iterate()).nextActions).toMatchObject([{ invocationKey: "work:2", attempt: 2 }]);
    const end = await run.complete(({ invocationKey }) => ok(invocationKey));
    expect(end.output).toEqual(["A", "work:2", "work:3"]);
    expect(await requestedKeys(run)).toEqual(["work:1", "work:2", "work:2", "work:3"]);
    await expectSameWhenCold(run);
  });

  it("C12 C21: is not mistaken for a new call of the same task in an earlier turn", async () => {
    const process = (extra: boolean) => async (_: never, ctx: ProcessContext) => {
      const first = await Promise.all([ctx.task(work, { n: 1 }), extra ? ctx.task(work, { n: 9 }) : undefined]);
      return [first, await ctx.task(work, { n: 2 })];
    };
    const run = await createTestRun({ process: process(false) });
    await run.iterate();
    await run.post("work:1", ok(1));
    await run.iterate();
    await run.post("work:2", failure("x"));
    await run.iterate();
    await run.edit(process(true));
    await expect(run.iterate()).rejects.toMatchObject({ code: "RUN_DIVERGED" });
  });

  it("C21: between timers of the process is requested where it was", async () => {
    const ticking = (n: number) => async (_: never, ctx: ProcessContext) => {
      const first = await ctx.task(other, {});
      await new Promise((resolve) => setTimeout(resolve, 5));
      const second = await ctx.task(work, { n });
      await new Promise((resolve) => setTimeout(resolve, 5));
      return [first, second, await ctx.task(other, { last: true })];
    };
    const run = await createTestRun({ process: ticking(1) });
    await run.iterate();
    await run.post("other:1", ok(1));
    await run.iterate();
    await run.post("work:1", failure("x"));
    expect((await run.iterate()).status).toBe("failed");
    await run.edit(ticking(2));
    const end = await run.complete(({ invocationKey }) => ok(invocationKey));
    expect(end.output).toEqual([1, "work:1", "other:2"]);
    const requests = (await eventsOf(run, "EFFECT_REQUESTED")).filter(({ taskId }) => taskId === "work");
    expect(requests[1]?.payload.fired).toEqual(requests[0]?.payload.fired);
    expect(requests[0]?.payload.fired).toHaveLength(1);
    await expectSameWhenCold(run);
  });
});

describe("a copy of a run", () => {
  it("C25 C21: has today's code request what has no result in it, and nobody works on it before", async () => {
    const run = await createTestRun({ process: afterPreparing((ctx) => ctx.task(build("mak"), { n: 1 })) });
    await run.iterate();
    await run.post("other:1", ok("prepared"));
    await run.iterate();
    await run.edit(afterPreparing((ctx) => ctx.task(build("make"), { n: 2 })));
    const { ports, runId, summary } = await run.journal();
    const fork = await forkRun(ports, { runId, from: { at: summary.head.seq }, forkId: "copy" });
    expect((await RunJournal.open(ports, fork.runId)).summary.pending).toEqual({});
    const live = await LiveRun.open(ports, fork.runId, { quietLimitMs: 5_000 });
    expect((await live.iterate()).nextActions).toMatchObject([
      { invocationKey: "build:1", attempt: 1, taskDef: { shell: { command: "make" } } },
    ]);
    await live.close();
  });
});

/** A replay of the whole journal repeats everything and adds nothing. */
async function expectSameWhenCold(run: TestRun): Promise<void> {
  const { ports, runId } = await run.journal();
  expect(await replayRun(ports, runId, { quietLimitMs: 5_000 })).toMatchObject({ verdict: "same" });
}
