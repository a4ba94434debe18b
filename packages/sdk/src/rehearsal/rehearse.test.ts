import { describe, expect, it } from "vitest";
import type { ProcessContext } from "../replay/process-context.js";
import { defineTask } from "../replay/task-definition.js";
import { type Rehearsal, rehearse } from "./rehearse.js";

type Process = (inputs: never, ctx: ProcessContext) => unknown;

function played(process: Process, { inputs = {}, maxSteps = 100 } = {}): Promise<Rehearsal> {
  const stage = {
    process: process as never,
    inputs,
    projectRoot: "/project",
    runDir: "/project/.a5c/runs/process-check",
    quietLimitMs: 5_000,
    taskKinds: [],
    maxSteps,
  };
  const files = { entry: "p.mjs", projectRoot: "/project", paths: new Set<string>(), hasInputs: false };
  return rehearse(stage, files, { outside: { seen: [] }, floating: [] });
}

const keys = (rehearsal: Rehearsal, play = 0): string[] | undefined =>
  rehearsal.plays[play]?.requests.map(({ kind, invocationKey }) => `${kind} ${invocationKey}`);
const codes = ({ findings }: Rehearsal): string[] => findings.map(({ level, code }) => `${level} ${code}`);

const build = defineTask("build", () => ({ kind: "shell", title: "Build", shell: { command: "make" } }));
const agent = (name: string, outputSchema: object) =>
  defineTask(name, () => ({ kind: "agent", title: name, agent: {}, outputSchema }));

describe("C24: a play with invented results", () => {
  it("shows every request, with its branches, and what the process returns", async () => {
    const rehearsal = await played(async (_inputs, ctx) => {
      await ctx.parallel.all([() => ctx.task(build), () => ctx.sleep(60_000)]);
      const { success, exitCode } = await ctx.task(build);
      const hook = await ctx.hook("pre-commit", {});
      return { success, exitCode, hook: hook.success };
    });
    expect(keys(rehearsal)).toEqual([
      "shell par1[0]/build:1",
      "sleep par1[1]/sleep:1",
      "shell build:1",
      "hook hook/pre-commit:1",
    ]);
    expect(rehearsal.plays[0]?.end).toEqual({ is: "completed", output: { success: true, exitCode: 0, hook: true } });
    expect(rehearsal.findings).toEqual([]);
  });

  it("answers each question with yes, and then with no", async () => {
    const rehearsal = await played(async (_inputs, ctx) => {
      const first = await ctx.breakpoint({ question: "Go?" });
      if (!first.approved) return first.feedback;
      await ctx.breakpoint({ question: "Really?", options: ["slow", "fast"] });
      await ctx.task(build);
      return "done";
    });
    expect(keys(rehearsal)).toEqual(["breakpoint breakpoint:1", "breakpoint breakpoint:2", "shell build:1"]);
    expect(rehearsal.plays.slice(1).map(({ rejected, end }) => ({ rejected, ...end }))).toEqual([
      { rejected: "breakpoint:1", is: "completed", output: "Rejected by process:check" },
      { rejected: "breakpoint:2", is: "failed", error: expect.objectContaining({ name: "BREAKPOINT_REJECTED" }) },
    ]);
    expect(keys(rehearsal, 1)).toEqual(["breakpoint breakpoint:1"]);
    // The engine stops at a no that nobody looks at: that is no mistake.
    expect(rehearsal.findings).toEqual([]);
  });

  it("invents what outputSchema describes, and takes its examples as they are", async () => {
    const review = agent("review", {
      type: "object",
      properties: {
        score: { type: "integer", minimum: 0, maximum: 10 },
        verdict: { enum: ["pass", "fail"] },
        issues: { type: "array", items: { $ref: "#/definitions/issue" } },
        at: { type: "string", format: "date-time" },
        more: { type: ["null", "string"] },
      },
      definitions: { issue: { type: "object", required: ["file"], properties: { line: { type: "integer" } } } },
    });
    const { plays } = await played(async (_inputs, ctx) => [
      await ctx.task(review),
      await ctx.task(agent("plan", { examples: [{ steps: ["a", "b"] }] })),
    ]);
    expect(plays[0]?.end.output).toEqual([
      {
        score: 10,
        verdict: "pass",
        issues: [{ line: 1, file: {} }],
        at: "2026-01-01T00:00:00.000Z",
        more: "more",
      },
      { steps: ["a", "b"] },
    ]);
  });

  it.each<[string, object, (result: never) => boolean]>([
    ["a score", { type: "number" }, ({ value }: { value: number }) => value < 80],
    ["nothing left", { type: "array" }, ({ value }: { value: unknown[] }) => value.length > 0],
    ["no more", { type: "boolean" }, ({ value }: { value: boolean }) => value],
    ["done", { type: "boolean" }, ({ value }: { value: boolean }) => !value],
    ["a later example", { examples: [1, 2, 3] }, ({ value }: { value: number }) => value < 3],
  ])("ends a loop that waits for %s", async (_, value, goesOn) => {
    const task = agent("look", { type: "object", properties: { value } });
    const rehearsal = await played(async (_inputs, ctx) => {
      while (goesOn((await ctx.task(task)) as never));
      return "ended";
    });
    expect(rehearsal.plays[0]?.end).toEqual({ is: "completed", output: "ended" });
  });

  it("gives a loop without end up, and says so", async () => {
    const rehearsal = await played(
      async (_inputs, ctx) => {
        for (;;) await ctx.task(build);
      },
      { maxSteps: 20 },
    );
    expect(rehearsal.plays[0]?.end.is).toBe("bounded");
    expect(codes(rehearsal)).toEqual(["note PLAY_BOUNDED"]);
  });
});

describe("C24: findings", () => {
  it("are state that a module keeps", async () => {
    let count = 0;
    const rehearsal = await played(async (_inputs, ctx) => {
      count += 1;
      await ctx.task(build, { count });
    });
    expect(codes(rehearsal)).toEqual(["warning MODULE_STATE"]);
  });

  it("are definitions that the engine refuses, and words that it does not know", async () => {
    const misspelt = await played((_inputs, ctx) => ctx.task({ kind: "shel", title: "x" }));
    expect(codes(misspelt)).toEqual(["error TASK_INVALID"]);
    const late = defineTask("late", async () => ({ kind: "shel", title: "x", shell: { command: "true" } }) as never);
    const caught = await played((_inputs, ctx) => ctx.task(late, {}).catch(() => "no matter"));
    expect(caught.findings).toMatchObject([
      { code: "TASK_INVALID", level: "error", message: expect.stringContaining('Did you mean "shell"?') as string },
    ]);
    const own = await played((_inputs, ctx) => ctx.task({ kind: "deployment", title: "x", target: "prod" }));
    expect(codes(own)).toEqual(["warning UNKNOWN_KIND", "warning UNKNOWN_FIELD"]);
  });

  it("are names that nobody has declared, but not what may come from invented results", async () => {
    const missing = await played(() => missingName);
    expect(codes(missing)).toEqual(["error REFERENCE_ERROR"]);
    const thin = await played(async (_inputs, ctx) => {
      const { steps } = await ctx.task<{ steps: string[] }>({ kind: "agent", title: "plan", agent: {} });
      return steps.length;
    });
    expect(codes(thin)).toEqual(["note PLAY_ENDED_EARLY"]);
    expect(thin.findings[0]?.hint).toContain('The result of "plan" was invented as {}');
    const ownError = await played(() => Promise.reject(new Error("the score is too low")));
    expect(ownError.findings).toEqual([]);
  });

  it("are calls that nobody awaits", async () => {
    const forgotten = await played(async (_inputs, ctx) => {
      void ctx.task(build);
    });
    expect(codes(forgotten)).toEqual(["error EFFECT_NOT_AWAITED"]);
  });

  it("are promises that never settle", async () => {
    expect(codes(await played(() => new Promise(() => undefined)))).toEqual(["error PROCESS_STALLED"]);
  });
});

describe("C24: a replay of a play", () => {
  it("is the same where timers of the process, patches and the clock decide", async () => {
    const rehearsal = await played(async (_inputs, ctx) => {
      let beats = 0;
      const heart = setInterval(() => (beats += 1), 3);
      await ctx.task(build, { patched: ctx.patched("second") });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await ctx.task(build, { beats, at: Date.now(), random: Math.random() });
      clearInterval(heart);
      return beats > 0;
    });
    expect(rehearsal.plays[0]?.end.output).toBe(true);
    expect(rehearsal.findings).toEqual([]);
  });

  it.each<[string, (again: boolean, ctx: ProcessContext) => Promise<unknown>]>([
    ["asks for build:1 with other arguments", (again, ctx) => ctx.task(build, { again })],
    ["does not ask for build:1", async (again, ctx) => !again && ctx.task(build)],
    ["asks for build:1 instead of sleep:2", async (again, ctx) => again && ctx.task(build)],
  ])("tells when the process %s", async (what, act) => {
    let plays = 0;
    const { findings } = await played(async (_inputs, ctx) => {
      plays += 1;
      await ctx.sleep(1);
      await act(plays > 1, ctx);
      if (plays === 1 || what.includes("instead")) await ctx.sleep(2);
    });
    expect(findings[0]).toMatchObject({
      code: "MODULE_STATE",
      message: expect.stringContaining(`the process ${what}.`),
    });
  });
});

declare const missingName: unknown;
