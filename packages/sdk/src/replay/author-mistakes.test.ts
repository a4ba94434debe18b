import { describe, expect, it } from "vitest";
import { createTestRun } from "../testing/index.js";
import type { ProcessContext } from "./process-context.js";
import { defineTask } from "./task-definition.js";

type Loose = Record<string, (...args: unknown[]) => Promise<unknown>> & {
  parallel: Record<string, (...args: unknown[]) => Promise<unknown>>;
};

/** Wrong arguments do not compile, so a process in JavaScript makes them. */
async function outcomeOf(call: (ctx: Loose) => unknown): Promise<[string, string | undefined, string]> {
  const run = await createTestRun({ process: (_: never, ctx: ProcessContext) => call(ctx as unknown as Loose) });
  const { status, error } = await run.iterate();
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return [status, code, message ?? ""];
}

const WRONG: [string, (ctx: Loose) => unknown, string][] = [
  ["sleep 5s", (ctx) => ctx["sleep"]?.("5s"), 'ctx.sleep takes a number of milliseconds, not "5s"; did you mean 5000?'],
  ["sleep undefined", (ctx) => ctx["sleep"]?.(), "ctx.sleep takes a number of milliseconds, not undefined"],
  ["sleepUntil null", (ctx) => ctx["sleepUntil"]?.(null), "ctx.sleepUntil takes a Date"],
  ["sleepUntil text", (ctx) => ctx["sleepUntil"]?.("tomorrow"), 'not "tomorrow"'],
  ["breakpoint nothing", (ctx) => ctx["breakpoint"]?.(), "ctx.breakpoint takes a question"],
  ["breakpoint 5", (ctx) => ctx["breakpoint"]?.(5), "ctx.breakpoint takes a question"],
  ["breakpoint queston", (ctx) => ctx["breakpoint"]?.({ queston: "?" }), 'did you mean "question"?'],
  ["onReject", (ctx) => ctx["breakpoint"]?.("?", { onReject: "trow" }), 'onReject: "throw" or "return", not "trow"'],
  ["onReject inside", (ctx) => ctx["breakpoint"]?.({ question: "?", onReject: 1 }), '"return", not 1'],
  ["task nothing", (ctx) => ctx["task"]?.(), "ctx.task takes a task"],
  ["task function", (ctx) => ctx["task"]?.(() => 1), "defineTask"],
  ["task promise", (ctx) => ctx["task"]?.(Promise.resolve({})), "is an await missing?"],
  ["task options", (ctx) => ctx["task"]?.({ kind: "agent" }, {}, "label"), '{ label: "first pass" }'],
  ["hook nothing", (ctx) => ctx["hook"]?.(), "ctx.hook takes the name of a hook"],
  [
    "hook My_Type",
    (ctx) => ctx["hook"]?.("My_Type"),
    'lowercase letters, digits and dashes, such as "pre-commit", not',
  ],
  ["all of two", (ctx) => ctx.parallel["all"]?.(Promise.resolve(1), 2), "ctx.parallel.all takes a list"],
  ["settled of a set", (ctx) => ctx.parallel["settled"]?.(new Set()), "ctx.parallel.settled takes a list"],
  ["race of nothing", (ctx) => ctx.parallel["race"]?.(), "ctx.parallel.race takes a list"],
  ["map of nothing", (ctx) => ctx.parallel["map"]?.(undefined, () => 1), "ctx.parallel.map takes a list"],
  ["map without function", (ctx) => ctx.parallel["map"]?.([1]), "ctx.parallel.map takes a function for each item"],
  ["kind", (ctx) => ctx["task"]?.({ id: "list", kind: "shel", shell: "ls" }), 'Did you mean "shell"?'],
  ["kind, built", (ctx) => ctx["task"]?.(defineTask("list", async () => ({ kind: "shel" }))), 'Did you mean "shell"?'],
  ["case", (ctx) => ctx["task"]?.({ kind: "shell", shell: "ls", timeoutMS: 5 }), 'Did you mean "timeoutMs"?'],
  ["retry", (ctx) => ctx["task"]?.({ kind: "shell", shell: "ls", retry: { atempts: 2 } }), '"retry.attempts"?'],
];

describe("mistakes of an author", () => {
  it.each(WRONG)("C25: %s is an error at the call", async (_name, call, text) => {
    const [status, code, message] = await outcomeOf(call);
    expect([status, code]).toEqual(["failed", "TASK_INVALID"]);
    expect(message.replace(/ \(\S+author-mistakes\.test\.ts:\d+:\d+\)/, "")).toContain(text);
    expect(message).toMatch(/author-mistakes\.test\.ts:\d+:\d+\)/);
  });

  it("C25: a kind and fields of one's own wait for another program, and one warning names them", async () => {
    const process = async (_: never, ctx: ProcessContext): Promise<unknown[]> => [
      await ctx.task({ id: "open", kind: "ticket", priority: 1 }),
      await ctx.task({ id: "close", kind: "ticket" }),
    ];
    const run = await createTestRun({ process });
    const first = await run.iterate();
    expect([first.status, first.warnings.length]).toEqual(["waiting", 1]);
    expect(first.warnings[0]).toContain('kind "ticket" of task "open", field "priority" of task "open"');
    await run.post("open:1", { status: "ok", value: 1 });
    await run.restart();
    expect((await run.iterate()).warnings).toEqual([]);
    const declared = await createTestRun({ process, taskKinds: ["ticket"] });
    expect((await declared.iterate()).warnings).toEqual([]);
  });

  it("C25: the process may catch a mistake, and a replay makes the same one", async () => {
    const run = await createTestRun({
      process: async (_: never, ctx: ProcessContext) => {
        const caught = await ctx.sleep("5s" as never).catch((error: { code: string }) => error.code);
        await ctx.sleep(5);
        return caught;
      },
    });
    await run.iterate();
    await run.restart();
    expect((await run.complete(() => undefined)).output).toBe("TASK_INVALID");
  });
});
