import { describe, expect, it } from "vitest";
import { eventsOf, failure, ok, other, work } from "../../../../tests/fixtures/replay/journal-views.js";
import { createTestRun, type TestProcess } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { defineTask } from "./task-definition.js";

async function warningsOf(process: TestProcess): Promise<string[]> {
  return (await (await createTestRun({ process })).iterate()).warnings;
}

describe("values that the journal cannot hold", () => {
  it("C25: arguments, definitions, questions and the output are named with their place", async () => {
    const args = await warningsOf((_: never, ctx: ProcessContext) => ctx.task(work as never, { m: new Map() }));
    expect(args).toEqual([
      expect.stringMatching(/arguments of ctx\.task\("work"\) \(.+\) .*: \.m is an instance of Map/),
    ]);
    const task = defineTask("odd", () => ({ kind: "agent", agent: { size: Number.NaN } }));
    const definition = await warningsOf((_: never, ctx: ProcessContext) => ctx.task(task));
    expect(definition).toEqual([expect.stringMatching(/definition of "odd" \(.+\) .*: \.agent\.size is NaN/)]);
    const question = await warningsOf((_: never, ctx: ProcessContext) =>
      ctx.breakpoint({ question: "?", context: { f: () => 1 } }),
    );
    expect(question).toEqual([
      expect.stringMatching(/arguments of ctx\.breakpoint\("\?"\) .*: \.context\.f is a function/),
    ]);
    const output = await warningsOf(async () => ({ seen: new Set([1]) }));
    expect(output).toEqual([expect.stringMatching(/the process returned .*: \.seen is an instance of Set/)]);
  });

  it("C25: plain data gives no warning", async () => {
    expect(await warningsOf(async () => ({ a: [1, null, { b: "x" }], c: undefined }))).toEqual([]);
  });

  it("C25: what failed in parallel.settled keeps its message", async () => {
    const run = await createTestRun({
      process: (_: never, ctx: ProcessContext) =>
        ctx.parallel.settled([() => ctx.task(work, {}), () => ctx.task(other, {})]),
    });
    await run.iterate();
    await run.post("par1[0]/work:1", failure("no"));
    await run.post("par1[1]/other:1", ok(2));
    expect((await run.iterate()).output).toMatchObject([
      { status: "rejected", reason: { name: "Error", message: "no" } },
      { status: "fulfilled", value: 2 },
    ]);
  });

  it("C25: a log shows as text what is no JSON, and errors with their message", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) =>
        ctx.log("seen", { m: new Map([["a", 1]]), n: Number.NaN, e: new Error("no") }),
    });
    await run.iterate();
    const [logged] = await eventsOf(run, "PROCESS_LOGGED");
    expect(logged?.payload.entries[0]?.data).toEqual({
      m: "Map(1) { 'a' => 1 }",
      n: "NaN",
      e: { name: "Error", message: "no" },
    });
  });
});

describe("ways of writing that public processes use", () => {
  it("C25: agent({ title, prompt, … }) of a builder is an agent task", async () => {
    const review = defineTask("review", (_args: unknown, { agent }) =>
      agent({ title: "Review", prompt: { role: "reviewer" }, outputSchema: { type: "object" }, name: "critic" }),
    );
    const run = await createTestRun({ process: (_: never, ctx: ProcessContext) => ctx.task(review, {}) });
    const { nextActions, warnings } = await run.iterate();
    expect(nextActions[0]).toMatchObject({ kind: "agent", title: "Review" });
    expect(nextActions[0]?.taskDef).toEqual({
      kind: "agent",
      title: "Review",
      outputSchema: { type: "object" },
      agent: { prompt: { role: "reviewer" }, name: "critic" },
    });
    expect(warnings).toEqual([]);
  });

  it("C25: ctx.checkpoint makes one entry in the log, however often the process is replayed", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        ctx.checkpoint({ title: "Built", message: "All is built", context: { n: 3 } });
        return ctx.task(work, {});
      },
    });
    await run.iterate();
    await run.restart();
    await run.post("work:1", ok(1));
    expect((await run.iterate()).status).toBe("completed");
    const logged = await eventsOf(run, "PROCESS_LOGGED");
    expect(logged.flatMap(({ payload }) => payload.entries)).toMatchObject([
      { label: "Built", message: "All is built", data: { n: 3 } },
    ]);
  });

  it("C25: a checkpoint of another type is an error at the call", async () => {
    const run = await createTestRun({ process: (_: never, ctx: ProcessContext) => ctx.checkpoint(5 as never) });
    expect((await run.iterate()).error).toMatchObject({ code: "TASK_INVALID" });
  });
});
