import fs from "node:fs";
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

const withAGap = (ctx: ProcessContext) => [
  () => ctx.task(work, { n: 1 }),
  () => undefined as never,
  () => ctx.task(work, { n: 3 }),
];

describe("replay of ordinary code", () => {
  it("C5: branches with two steps each dispatch every task once", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) =>
        ctx.parallel.all(
          [1, 2].map((branch) => async () => [
            await ctx.task(work, { branch, step: 1 }),
            await ctx.task(work, { branch, step: 2 }),
          ]),
        ),
    });
    const end = await run.complete(async ({ effectId, invocationKey }) => {
      await run.restart();
      return ok(`${invocationKey} ${effectId}`);
    });
    const keys = ["par1[0]/work:1", "par1[1]/work:1", "par1[0]/work:2", "par1[1]/work:2"];
    expect((await requestedKeys(run)).toSorted()).toEqual(keys.toSorted());
    expect(end.status).toBe("completed");
    const [first, second] = end.output as string[][];
    expect(first?.map((text) => text.split(" ")[0])).toEqual(["par1[0]/work:1", "par1[0]/work:2"]);
    expect(second?.map((text) => text.split(" ")[0])).toEqual(["par1[1]/work:1", "par1[1]/work:2"]);
  });

  it.each(["cold", "hot"])(
    "C5 R2: a retry loop inside parallel branches keeps the branches apart (%s)",
    async (way) => {
      const run = await createTestRun({
        process: (_: never, ctx: ProcessContext) =>
          ctx.parallel.map(["A", "B"], async (who) => {
            for (let attempt = 0; ; attempt += 1) {
              const got = await ctx.task<{ for: string; pass: boolean }>(work as never, { who, attempt });
              if (got.pass) return { who, attempt, got };
            }
          }),
      });
      const end = await run.complete(async ({ invocationKey }) => {
        if (way === "cold") await run.restart();
        const event = (await eventsOf(run, "EFFECT_REQUESTED")).find(
          (candidate) => candidate.invocationKey === invocationKey,
        );
        const args = event?.payload.args as { value: { who: string; attempt: number } } | undefined;
        const { who, attempt } = args?.value ?? { who: "nobody", attempt: -1 };
        return ok({ for: `${who}${attempt}`, pass: who === "B" || attempt === 2 });
      });
      expect(end.output).toEqual([
        { who: "A", attempt: 2, got: { for: "A2", pass: true } },
        { who: "B", attempt: 0, got: { for: "B0", pass: true } },
      ]);
      expect(await requestedKeys(run)).toHaveLength(4);
    },
  );

  it("C5: a plain Promise.all is requested in one iteration and answered in any order", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) => Promise.all([1, 2, 3].map((n) => ctx.task(work, { n }))),
    });
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["work:1", "work:2", "work:3"]);
    for (const key of ["work:3", "work:1", "work:2"]) {
      await run.post(key, ok(key));
      await run.restart();
      await run.iterate();
    }
    expect((await run.iterate()).output).toEqual(["work:1", "work:2", "work:3"]);
    expect(await requestedKeys(run)).toHaveLength(3);
  });

  it("C5 R3: try and catch around a pending task see nothing, and finally does not run", async () => {
    const seen: string[] = [];
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        try {
          return await ctx.task(work, {});
        } catch (error) {
          seen.push(`caught ${String(error)}`);
          return "caught";
        } finally {
          seen.push("finally");
        }
      },
    });
    for (let count = 0; count < 3; count += 1) {
      expect((await run.iterate()).status).toBe("waiting");
      await run.restart();
    }
    expect(seen).toEqual([]);
    await run.post("work:1", ok("done"));
    expect((await run.iterate()).output).toBe("done");
    expect(seen).toEqual(["finally"]);
  });

  it("C5: a failed task throws at its call with what was recorded, and finally may ask for more", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        try {
          await ctx.task(work, {});
        } catch (error) {
          const { name, message, code, data, taskId } = error as Error & Record<string, unknown>;
          return { name, message, code, data, taskId, isError: error instanceof Error };
        } finally {
          await ctx.task(other, {});
        }
        return undefined;
      },
    });
    await run.iterate();
    await run.post("work:1", {
      status: "error",
      error: { name: "TypeError", message: "no such thing", code: "E_NONE", data: { exitCode: 3 } },
    });
    await run.restart();
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["other:1"]);
    await run.post("other:1", ok(1));
    expect((await run.iterate()).output).toEqual({
      name: "TypeError",
      message: "no such thing",
      code: "E_NONE",
      data: { exitCode: 3 },
      taskId: "work",
      isError: true,
    });
  });

  it("C5 R2: results posted together are delivered one after the other, in the order of the journal", async () => {
    const order: string[] = [];
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const follow = async (name: string) => {
          await ctx.task(work, { name });
          order.push(name);
          await ctx.task(other, { name });
        };
        await Promise.race([follow("a"), follow("b")]);
        return "over";
      },
    });
    await run.iterate();
    await run.post("work:2", ok(2));
    await run.post("work:1", ok(1));
    await run.restart();
    await run.iterate();
    expect(order).toEqual(["b", "a"]);
    const requests = (await run.events()).filter(({ type }) => type === "EFFECT_REQUESTED").slice(2);
    const resolved = (await run.events()).filter(({ type }) => type === "EFFECT_RESOLVED");
    expect(requests.map(({ payload }) => (payload as { after: number }).after)).toEqual(resolved.map(({ seq }) => seq));
  });

  it("C5: a failed task that is awaited late does no harm in between", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const early = ctx.task(work, { early: true });
        const results = [await ctx.task(other, { n: 1 }), await ctx.task(other, { n: 2 })];
        return early.catch((error: Error) => [...results, error.message]);
      },
    });
    await run.iterate();
    await run.post("work:1", failure("early failure"));
    for (const key of ["other:1", "other:2"]) {
      await run.restart();
      await run.iterate();
      await run.post(key, ok(key));
    }
    expect((await run.iterate()).output).toEqual(["other:1", "other:2", "early failure"]);
  });

  it("C5 C9: thunks that return nothing keep their places, with and without a limit", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => [
        await ctx.parallel.all(withAGap(ctx), { maxConcurrency: 2 }),
        await ctx.parallel.all(withAGap(ctx)),
      ],
    });
    const end = await run.complete(({ invocationKey }) => ok(invocationKey));
    expect(end.output).toEqual([
      ["par1[0]/work:1", null, "par1[2]/work:1"],
      ["par2[0]/work:1", null, "par2[2]/work:1"],
    ]);
  });

  it("C5 R4: a file read that is slower in the replay than it was before changes nothing", async () => {
    let pause = 0;
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const branch = async (name: string, file: string) => {
          if (name === "a") await new Promise((resolve) => setTimeout(resolve, pause));
          const text = await fs.promises.readFile(file, "utf8");
          return ctx.task(work, { name, length: text.length > 0 });
        };
        const own = new URL(import.meta.url);
        const both = Promise.all([branch("a", own.pathname), branch("b", own.pathname)]);
        return [await both, await ctx.task(other, {})];
      },
    });
    await run.iterate();
    expect(await pendingKeys(run)).toHaveLength(2);
    pause = 60;
    const names = async () =>
      (await run.events()).flatMap((event) =>
        event.type === "EFFECT_REQUESTED" && event.taskId === "work"
          ? [[event.invocationKey ?? "", (event.payload.args as { value: { name: string } }).value.name] as const]
          : [],
      );
    for (const [key, name] of await names()) {
      await run.restart();
      await run.iterate();
      await run.post(key, ok(`for ${name}`));
    }
    await run.restart();
    await run.iterate();
    await run.post("other:1", ok("last"));
    expect((await run.iterate()).output).toEqual([["for a", "for b"], "last"]);
    expect(await requestedKeys(run)).toHaveLength(3);
  });

  it("C5 R4 R8: a file read in a turn without requests is finished before the next result is delivered", async () => {
    const own = new URL(import.meta.url).pathname;
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const gate = ctx.task(other, { gate: true });
        const winner = Promise.race([
          (async () => {
            await ctx.task(work, { name: "reader" });
            await fs.promises.readFile(own);
            return "reader";
          })(),
          ctx.task<string>(work as never, { name: "plain" }).then(() => "plain"),
        ]);
        await gate;
        return ctx.task(work, { winner: await winner });
      },
    });
    await run.iterate();
    for (const key of ["work:1", "work:2", "other:1"]) {
      await run.post(key, ok(key));
      await run.iterate();
    }
    await run.restart();
    expect((await run.iterate()).status).toBe("waiting");
    const last = (await run.events()).findLast(({ type }) => type === "EFFECT_REQUESTED");
    expect(last?.payload).toMatchObject({ args: { value: { winner: "reader" } } });
    await run.post("work:3", ok("end"));
    expect((await run.iterate()).output).toBe("end");
  });

  it("C5: the same call in a loop is numbered, and each result comes once", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const seen: unknown[] = [];
        for (let count = 0; count < 4; count += 1) seen.push(await ctx.task(work, { same: true }));
        return seen;
      },
    });
    for (let count = 1; count <= 4; count += 1) {
      await run.restart();
      await run.iterate();
      expect(await pendingKeys(run)).toEqual([`work:${count}`]);
      await run.post(`work:${count}`, ok(count));
    }
    expect((await run.iterate()).output).toEqual([1, 2, 3, 4]);
  });

  it("C5: a completed run is never executed again", async () => {
    let starts = 0;
    const process = async (_: never, ctx: ProcessContext) => {
      starts += 1;
      return ctx.task(work, {});
    };
    const run = await createTestRun({ process });
    await run.iterate();
    await run.post("work:1", ok("result"));
    const end = await run.iterate();
    const before = { starts, events: (await run.events()).length };
    await run.restart();
    await run.edit(() => {
      throw new Error("executed again");
    });
    for (const options of [{}, { retry: true }]) {
      const again = await run.iterate(options);
      expect(again).toMatchObject({ status: "completed", reason: "terminal-state", output: "result" });
      expect(again.completionProof).toBe(end.completionProof);
    }
    expect({ starts, events: (await run.events()).length }).toEqual(before);
  });
});
