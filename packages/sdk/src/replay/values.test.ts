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
import { BabysitterError } from "../model/errors.js";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { type DefinedTask, defineTask } from "./task-definition.js";

const EVERY_TYPE: [string, unknown][] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["zero", 0],
  ["negative", -1.5e-7],
  ["large", 9_007_199_254_740_991],
  ["empty text", ""],
  ["text", 'a "quoted" line\nand 漢字 🙂 \u2028'],
  ["empty list", []],
  ["list", [1, [null, { a: [] }], "x"]],
  ["empty object", {}],
  ["object", { a: { b: [1, 2, { c: null }] }, "": 1, "a b": 2, constructor: 3, __proto: "x" }],
];

describe("values that go in and out", () => {
  it.each(EVERY_TYPE)("C6: a result may be %s, hot and cold", async (_name, value) => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const first = await ctx.task(work as DefinedTask, { value });
        return [first, await ctx.task(other as DefinedTask, first)];
      },
    });
    await run.iterate();
    await run.post("work:1", ok(value));
    await run.iterate();
    const [, asked] = await eventsOf(run, "EFFECT_REQUESTED");
    expect(asked?.payload.args).toEqual({ value });
    await run.restart();
    await run.post("other:1", ok(value));
    expect((await run.iterate()).output).toEqual([value, value]);
  });

  it.each(EVERY_TYPE)("C6: a failure may be %s and is thrown as an error", async (_name, error) => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const caught = await ctx.task(work, {}).catch((thrown: unknown) => thrown);
        await ctx.task(other, {});
        return [caught instanceof Error, typeof (caught as Error).message, (caught as Error).message];
      },
    });
    await run.iterate();
    await run.post("work:1", { status: "error", error });
    await run.iterate();
    await run.restart();
    await run.post("other:1", ok(1));
    const { output } = await run.iterate();
    const text = typeof error === "string" ? error : JSON.stringify(error);
    expect(output).toEqual([true, "string", error === null ? "The task failed without saying why." : text]);
  });

  it("C6: fields of a failure are on the error, and its own name wins", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) =>
        ctx
          .task(work, {})
          .catch((error: Error & Record<string, unknown>) => [error.name, error["exitCode"], error["data"]]),
    });
    await run.iterate();
    await run.post("work:1", {
      status: "error",
      error: { name: "ShellError", message: "exit 3", data: { exitCode: 3, name: "other", message: "other" } },
    });
    expect((await run.iterate()).output).toEqual(["ShellError", 3, { exitCode: 3, name: "other", message: "other" }]);
  });

  it.each([2_000, 70_000, 2_000_000])("C6: a value of %i characters goes through whole", async (length) => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const text = await ctx.task<string>(work as never, { text: "a".repeat(length) });
        const echoed = await ctx.task<string>(other as never, { text });
        return [text.length, echoed === text];
      },
      inputs: { text: "i".repeat(length) },
    });
    await run.iterate();
    await run.post("work:1", ok("é".repeat(length)));
    await run.restart();
    await run.iterate();
    await run.post("other:1", ok("é".repeat(length)));
    await run.restart();
    expect((await run.iterate()).output).toEqual([length, true]);
  });

  it("R6: changing a result, an error or the inputs changes nothing but the process's own copy", async () => {
    const run = await createTestRun({
      inputs: { list: [1] },
      process: async (inputs: { list: number[] }, ctx: ProcessContext) => {
        const before = structuredClone(inputs);
        inputs.list.push(2);
        const result = await ctx.task<{ list: number[] }>(work as never, { n: 1 });
        const received = structuredClone(result);
        result.list.push(9);
        const error = await ctx.task(work, { n: 2 }).catch((thrown: { data: { list: number[] } }) => thrown);
        const data = structuredClone(error.data);
        error.data.list.push(9);
        return [before, received, data, await ctx.task(other, {})];
      },
    });
    const posted = { list: [5] };
    await run.iterate();
    await run.post("work:1", ok(posted));
    posted.list.push(6);
    await run.iterate();
    await run.post("work:2", { status: "error", error: { message: "no", data: { list: [7] } } });
    await run.iterate();
    await run.restart();
    await run.iterate();
    await run.restart();
    await run.post("other:1", ok(1));
    expect((await run.iterate()).output).toEqual([{ list: [1] }, { list: [5] }, { list: [7] }, 1]);
  });

  it("R6: changing arguments after the call changes neither the request nor its definition", async () => {
    const detailed = defineTask<{ n: number }>("detailed", (args) => ({ kind: "agent", agent: { args } }));
    const slow = defineTask<{ n: number }>("slow", async (args) => {
      await new Promise((resolve) => setImmediate(resolve));
      return { kind: "agent", agent: { n: args.n } };
    });
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const args = { n: 1 };
        const plain = { kind: "shell", id: "plain", shell: { command: "echo", args: ["1"] } };
        const question = { question: "Go on?", n: 1 };
        const calls = [
          ctx.task(detailed, args),
          ctx.task(slow, args),
          ctx.task(plain, args),
          ctx.breakpoint(question),
        ] as Promise<unknown>[];
        args.n = 2;
        plain.shell.args[0] = "2";
        question.n = 2;
        return Promise.all(calls);
      },
    });
    await run.iterate();
    const requests = await eventsOf(run, "EFFECT_REQUESTED");
    expect(requests.map(({ payload }) => payload.args)).toEqual([
      { value: { n: 1 } },
      { value: { n: 1 } },
      { value: { n: 1 } },
      { value: { question: "Go on?", n: 1 } },
    ]);
    expect(requests.map(({ payload }) => (payload.definition as { value: unknown }).value)).toMatchObject([
      { agent: { args: { n: 1 } } },
      { agent: { n: 1 } },
      { shell: { args: ["1"] } },
      { breakpoint: { payload: { n: 1 } } },
    ]);
  });

  it("C6: dates, undefined and functions in arguments are what JSON makes of them", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const args = {
          at: new Date("2026-01-02T03:04:05.678Z"),
          nothing: undefined,
          call: () => 1,
          list: [undefined, () => 1, Number.NaN],
          map: new Map([[1, 2]]),
        };
        return [await ctx.task(work, args), await ctx.task(work), await ctx.task(work, undefined)];
      },
    });
    const end = await run.complete(async ({ invocationKey }) => {
      await run.restart();
      return ok(invocationKey);
    });
    expect(end.output).toEqual(["work:1", "work:2", "work:3"]);
    expect((await eventsOf(run, "EFFECT_REQUESTED"))[0]?.payload.args).toEqual({
      value: { at: "2026-01-02T03:04:05.678Z", list: [null, null, null], map: {} },
    });
  });

  it("C6: arguments that JSON cannot hold are a coded error at the call, and the run continues", async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const codes: string[] = [];
        const note = (error: unknown) => void codes.push((error as BabysitterError).code);
        for (const args of [circular, { n: 10n }, 10n]) await ctx.task(work, args).catch(note);
        await ctx.breakpoint({ question: "?", context: { circular } }).catch(note);
        await ctx.hook("custom", { n: 1n }).catch(note);
        return [codes, await ctx.task(work, { fine: true })];
      },
    });
    await run.iterate();
    expect(await requestedKeys(run)).toEqual(["work:1"]);
    await run.restart();
    await run.post("work:1", ok("fine"));
    expect((await run.iterate()).output).toEqual([Array(5).fill("VALUE_NOT_JSON"), "fine"]);
  });

  it("C6: an output that JSON cannot hold fails the run with a coded error", async () => {
    const run = await createTestRun({ process: () => ({ n: 10n }) });
    expect(await run.iterate()).toMatchObject({ status: "failed", error: { code: "VALUE_NOT_JSON" } });
  });
});

describe("task definitions", () => {
  it("C6: a task id may be defined twice in one program", async () => {
    const [a, b] = ["./a.js", "./b.js"].map((entry) => defineTask("build", () => ({ kind: "node", node: { entry } })));
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => [
        await ctx.task(a as DefinedTask, { n: 1 }),
        await ctx.task(b as DefinedTask, { n: 1 }),
      ],
    });
    const entries: unknown[] = [];
    const end = await run.complete(({ invocationKey, taskDef }) => {
      entries.push((taskDef as { node: { entry: string } }).node.entry);
      return ok(invocationKey);
    });
    expect(end.output).toEqual(["build:1", "build:2"]);
    expect(entries).toEqual(["./a.js", "./b.js"]);
  });

  it("C6: a builder runs once per request, whether it is asynchronous or not", async () => {
    const built: string[] = [];
    const told: unknown[][] = [];
    const plain = defineTask<{ n: number }>("plain", ({ n }) => {
      built.push(`plain ${n}`);
      return { kind: "node", node: { entry: "./x.js" }, title: `Number ${n}` };
    });
    const slow = defineTask<{ n: number }>("slow", async ({ n }, { effectId, invocationKey }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      built.push(`slow ${n}`);
      return { kind: "agent", agent: { effectId, invocationKey } };
    });
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => [
        await ctx.parallel.map([1, 2], (n) => ctx.task(slow, { n })),
        await ctx.task(plain, { n: 3 }),
      ],
    });
    const end = await run.complete(async ({ invocationKey, kind, taskDef, effectId }) => {
      told.push([kind, kind === "agent" ? taskDef : null, effectId, invocationKey]);
      await run.restart();
      await run.iterate();
      return ok(invocationKey);
    });
    expect(end.output).toEqual([["par1[0]/slow:1", "par1[1]/slow:1"], "plain:1"]);
    expect(built.toSorted()).toEqual(["plain 3", "slow 1", "slow 2"]);
    for (const [, taskDef, effectId, invocationKey] of told.filter(([kind]) => kind === "agent"))
      expect(taskDef).toMatchObject({ agent: { effectId, invocationKey } });
  });

  it.each(["now", "later"])(
    "C6 R8: a builder that throws %s can be caught; keys are the same hot and cold",
    async (when) => {
      const picky = defineTask<{ n: number }>("picky", ({ n }) => {
        const definition = { kind: "node", node: { entry: "./x.js" } };
        if (when === "now") {
          if (n % 2 === 1) throw new Error(`no odd numbers: ${n}`);
          return definition;
        }
        return new Promise((resolve, reject) =>
          setTimeout(() => (n % 2 === 1 ? reject(new Error(`no odd numbers: ${n}`)) : resolve(definition)), 2),
        );
      });
      const tell = async (cold: boolean) => {
        const run = await createTestRun({
          process: async (_: never, ctx: ProcessContext) => {
            const results: unknown[] = [];
            for (const n of [1, 2, 3, 4])
              results.push(await ctx.task(picky, { n }).catch((error: Error) => error.message));
            return results;
          },
        });
        const end = await run.complete(async ({ invocationKey }) => {
          if (cold) await run.restart();
          return ok(invocationKey.split(":")[0]);
        });
        return { output: end.output, keys: await requestedKeys(run) };
      };
      const hot = await tell(false);
      expect(hot.output).toEqual(["no odd numbers: 1", "picky", "no odd numbers: 3", "picky"]);
      expect(await tell(true)).toEqual(hot);
    },
  );

  it.each([
    ["nothing", undefined],
    ["text", "build"],
    ["a list", []],
    ["an object without a kind", { id: "x" }],
  ])("C6: %s instead of a task is a coded error at the call", async (_name, task) => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => [
        await ctx.task(task as never).catch((error: BabysitterError) => [BabysitterError.is(error), error.code]),
        await ctx.task(work, {}),
      ],
    });
    await run.iterate();
    await run.restart();
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["work:1"]);
    await run.post("work:1", ok(1));
    expect((await run.iterate()).output).toEqual([[true, "TASK_INVALID"], 1]);
  });

  it("C6: plain objects are tasks, named by id, name, title or entry", async () => {
    const node = { entry: "./scripts/build.js", timeout: 1_000, env: { MODE: "fast", API_TOKEN: "hidden" } };
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) =>
        Promise.all([
          ctx.task({ kind: "node", node, id: "by-id", title: "t" }),
          ctx.task({ kind: "node", node, name: "by-name", title: "t" }),
          ctx.task({ kind: "node", node, title: "By title" }),
          ctx.task({ kind: "node", node }),
          ctx.task({ shell: { command: "ls" } }),
        ]),
    });
    await run.iterate();
    expect(await pendingKeys(run)).toEqual(["by-id:1", "by-name:1", "By title:1", "node/build.js:1", "shell:1"]);
    expect(JSON.stringify(await run.events())).not.toContain("hidden");
    await run.restart();
    expect((await run.iterate()).nextActions).toHaveLength(5);
  });

  it("C6: an unexpected error of a task leaves the run failed, with the task's error", async () => {
    const run = await createTestRun({ process: (_: never, ctx: ProcessContext) => ctx.task(work, {}) });
    await run.iterate();
    await run.post("work:1", failure("out of paper"));
    expect(await run.iterate()).toMatchObject({ status: "failed", error: { message: "out of paper" } });
  });
});
