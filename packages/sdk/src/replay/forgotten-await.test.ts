import { describe, expect, it } from "vitest";
import { eventsOf, failure, ok, other, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { createTestRun, type TestProcess } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";

type Call = (ctx: ProcessContext) => unknown;

/** The process returns although one of its calls is open. */
function leaving(call: Call): TestProcess {
  return async (_: never, ctx: ProcessContext) => {
    call(ctx);
    return "done";
  };
}

const FORGOTTEN: [string, Call, string][] = [
  ["a task", (ctx) => void ctx.task(work, {}), 'ctx.task("work")'],
  ["a question", (ctx) => void ctx.breakpoint("Release?"), 'ctx.breakpoint("Release?")'],
  ["a sleep", (ctx) => void ctx.sleep(60_000), "ctx.sleep(60000)"],
  ["a date", (ctx) => void ctx.sleepUntil("2030-01-01"), "ctx.sleepUntil(2030-01-01T00:00:00.000Z)"],
  ["a hook", (ctx) => void ctx.hook("pre-commit"), 'ctx.hook("pre-commit")'],
  ["a list of tasks", (ctx) => [1, 2].map((n) => ctx.task(work, { n })), 'ctx.task("work")'],
  ["a task in a variable that is only shown", (ctx) => Object.keys(ctx.task(work, {})), 'ctx.task("work")'],
  ["parallel.all", (ctx) => void ctx.parallel.all([() => ctx.task(work, {})]), "ctx.parallel.all(…)"],
  ["parallel.map", (ctx) => void ctx.parallel.map([1], (n) => ctx.task(work, { n })), "ctx.parallel.map(…)"],
  ["parallel.race", (ctx) => void ctx.parallel.race([() => ctx.task(work, {})]), "ctx.parallel.race(…)"],
  ["parallel.settled", (ctx) => void ctx.parallel.settled([() => ctx.task(work, {})]), "ctx.parallel.settled(…)"],
];

const USED: [string, Call][] = [
  ["then", (ctx) => void ctx.task(work, {}).then(() => 1)],
  ["catch", (ctx) => void ctx.task(work, {}).catch(() => 1)],
  ["finally", (ctx) => void ctx.task(work, {}).finally(() => 1)],
  ["Promise.all", (ctx) => void Promise.all([ctx.task(work, {}), Promise.resolve()])],
  ["Promise.race", (ctx) => void Promise.race([ctx.task(work, {}), Promise.resolve()])],
  ["Promise.any", (ctx) => void Promise.any([ctx.task(work, {}), Promise.resolve()])],
  ["Promise.allSettled", (ctx) => void Promise.allSettled([ctx.task(work, {})])],
  ["await in a branch", (ctx) => void (async () => await ctx.task(work, {}))()],
  ["return from a branch", (ctx) => void (async () => ctx.task(work, {}))()],
  ["forEach(async …)", (ctx) => [1].forEach(asyncly((n) => ctx.task(work, { n })))],
  ["await after a timer", (ctx) => leaveToTimer(ctx.task(work, {}))],
];

/** Hides a promise from the linter, which knows this mistake. */
function asyncly(fn: (n: number) => Promise<unknown>): (n: number) => unknown {
  return async (n) => await fn(n);
}

function leaveToTimer(task: Promise<unknown>): void {
  void (async () => {
    await Promise.resolve();
    await task;
  })();
}

describe("a forgotten await", () => {
  it.each(FORGOTTEN)(
    "C25: %s that nobody awaits fails the run, with the place of the call",
    async (_name, call, text) => {
      const run = await createTestRun({ process: leaving(call) });
      const { status, error } = await run.iterate();
      expect([status, (error as { code?: string }).code]).toEqual(["failed", "EFFECT_NOT_AWAITED"]);
      expect((error as { message: string }).message).toContain(`never awaited ${text} (`);
      expect((error as { message: string }).message).toContain("forgotten-await.test.ts:");
      await run.restart();
      expect((await run.iterate()).status).toBe("failed");
    },
  );

  it.each(USED)("C25: a task used by %s does not fail the run; a warning names it", async (_name, call) => {
    const run = await createTestRun({ process: leaving(call) });
    const { status, output, warnings } = await run.iterate();
    expect([status, output]).toEqual(["completed", "done"]);
    expect(warnings).toEqual([expect.stringContaining('had left ctx.task("work") (')]);
  });

  it("C25: what lost a race is named, a sleep that lost it is not", async () => {
    const process = async (_: never, ctx: ProcessContext): Promise<unknown> =>
      await Promise.race([ctx.task(work, {}), ctx.task(other, {}), ctx.sleep(60_000)]);
    const run = await createTestRun({ process });
    await run.iterate();
    await run.post("work:1", ok("first"));
    const { status, output, warnings } = await run.iterate();
    expect([status, output, warnings.length]).toEqual(["completed", "first", 1]);
    expect(warnings[0]).toMatch(/left ctx\.task\("other"\) \([^)]*\) behind/);
  });

  it("C25: an all that failed early completes, and names what it left behind", async () => {
    const process = async (_: never, ctx: ProcessContext): Promise<unknown> =>
      await Promise.all([ctx.task(work, {}), ctx.task(other, {})]).catch((error: Error) => error.message);
    const run = await createTestRun({ process });
    await run.iterate();
    await run.post("work:1", failure("no"));
    await run.restart();
    const { status, output, warnings } = await run.iterate();
    expect([status, output]).toEqual(["completed", "no"]);
    expect(warnings).toEqual([expect.stringContaining('ctx.task("other")')]);
  });

  it("C25: an error of the process itself is not hidden", async () => {
    const process = async (_: never, ctx: ProcessContext): Promise<never> => {
      void ctx.task(work, {});
      throw new Error("mine");
    };
    const { error, warnings } = await (await createTestRun({ process })).iterate();
    expect([(error as Error).message, warnings]).toEqual(["mine", []]);
  });

  it("C25: a mistake in a call that nobody awaits fails the run too", async () => {
    const process = leaving((ctx) => void ctx.task({ id: "list", kind: "shel" }));
    const { status, error } = await (await createTestRun({ process })).iterate();
    expect([status, (error as { code?: string }).code]).toEqual(["failed", "TASK_INVALID"]);
  });

  it("C25: so does a call whose arguments cannot be recorded", async () => {
    const process = leaving((ctx) => void ctx.task(work, { n: 1n }));
    const { status, error } = await (await createTestRun({ process })).iterate();
    expect([status, (error as { code?: string }).code]).toEqual(["failed", "VALUE_NOT_JSON"]);
  });

  it("C25: a failure that nobody has looked at is named at the end", async () => {
    const process = async (_: never, ctx: ProcessContext): Promise<unknown> => {
      void ctx.task(work, {});
      return ctx.task(other, {});
    };
    const run = await createTestRun({ process });
    await run.iterate();
    await run.post("work:1", failure("broken"));
    await run.post("other:1", ok(1));
    const { status, warnings } = await run.iterate();
    expect(status).toBe("completed");
    expect(warnings).toEqual([expect.stringMatching(/ctx\.task\("work"\) .* never looked at it: broken/)]);
  });

  it("C25: with the await in place the run continues", async () => {
    const run = await createTestRun({ process: leaving((ctx) => void ctx.task(work, {})) });
    await run.iterate();
    await run.edit((_: never, ctx: ProcessContext) => ctx.task(work, {}));
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("work:1", ok(7));
    const { status, output } = await run.iterate();
    expect([status, output, (await eventsOf(run, "EFFECT_REQUESTED")).length]).toEqual(["completed", 7, 1]);
  });

  it("C25: promises of calls are plain ones, so that code continues in the usual order", async () => {
    const process = async (_: never, ctx: ProcessContext): Promise<unknown> => {
      const order: string[] = [];
      const task = ctx.task(work, {});
      const isPlain = Object.getPrototypeOf(task) === Promise.prototype && Object.keys(task).length === 0;
      const group = ctx.parallel.all([() => task]);
      await Promise.all([
        task.then(() => order.push("then 1")),
        (async () => {
          await task;
          order.push("await");
          await Promise.resolve();
          order.push("await, later");
        })(),
        task.then(() => order.push("then 2")).then(() => order.push("then 2, later")),
        group.then(() => order.push("group")),
      ]);
      return [isPlain, order];
    };
    const run = await createTestRun({ process });
    await run.iterate();
    await run.post("work:1", ok(1));
    expect((await run.iterate()).output).toEqual([
      true,
      ["then 1", "await", "then 2", "await, later", "then 2, later", "group"],
    ]);
  });
});

describe("detached work", () => {
  const detaching = async (_: never, ctx: ProcessContext): Promise<string> => {
    ctx.detach(ctx.task(work, {}));
    return "done";
  };

  it("C25: the run completes only after it has ended, hot and cold", async () => {
    const run = await createTestRun({ process: detaching });
    expect((await run.iterate()).status).toBe("waiting");
    await run.restart();
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("work:1", ok(1));
    const { status, output, warnings } = await run.iterate();
    expect([status, output, warnings]).toEqual(["completed", "done", []]);
  });

  it("C25: its failure is shown and does not fail the run", async () => {
    const run = await createTestRun({ process: detaching });
    await run.iterate();
    await run.post("work:1", failure("no answer"));
    await run.restart();
    const { status, warnings } = await run.iterate();
    expect(status).toBe("completed");
    expect(warnings).toEqual([expect.stringMatching(/^Detached work \(.*forgotten-await.*\) failed: no answer$/)]);
  });

  it("C25: a branch with several steps may be detached, and may detach more", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const branch = async (): Promise<void> => {
          await ctx.task(work, {});
          ctx.detach(ctx.task(other, {}));
        };
        ctx.detach(branch());
        return "done";
      },
    });
    await run.iterate();
    await run.post("work:1", ok(1));
    expect((await run.iterate()).status).toBe("waiting");
    await run.post("other:1", ok(1));
    expect((await run.iterate()).output).toBe("done");
  });

  it("C25: only promises can be detached", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) => ctx.detach(work as never),
    });
    expect((await run.iterate()).error).toMatchObject({ code: "TASK_INVALID" });
  });
});
