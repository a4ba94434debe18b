/** Hooks at their moments in real runs: called once, with what the reference page says, whoever drives the run. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HOOK_TYPES, type KnownHookType } from "../../packages/sdk/src/model/hook-types.js";
import { type Moment, momentsIn, RECORDER, withHook } from "../fixtures/hooks/recorded-hooks.js";
import { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

const PROCESS = `export async function process(inputs, ctx) {
  const plan = await ctx.hook("post-planning", { steps: 2 });
  for (const type of ["pre-branch", "pre-commit"]) await ctx.hook(type, { by: "process" });
  await ctx.task({ kind: "shell", title: "build", shell: { command: "echo built" } });
  const scored = await ctx.task({ kind: "node", labels: ["score"], node: { entry: "score.mjs" } });
  const answer = await ctx.breakpoint({ question: "Ship it?", title: "Release" });
  if (inputs.fail) throw new Error("as asked");
  return { scored, approved: answer.approved, planned: plan.executedHooks };
}
`;

const FILES = { "p.mjs": PROCESS, "score.mjs": "export default () => ({ score: 85 });", "fail.json": '{"fail":true}' };

function recordedProject(): Project {
  const project = new Project(FILES);
  for (const type of Object.keys(HOOK_TYPES)) withHook(project, type, RECORDER);
  return project;
}

const countOf = (moments: Moment[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { type } of moments) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

/** Once per effect: three hooks, two tasks, one question. */
const ONCE = {
  "on-run-start": 1,
  "post-planning": 1,
  "pre-branch": 1,
  "pre-commit": 1,
  "on-step-dispatch": 6,
  "on-task-start": 2,
  "on-task-complete": 6,
  "on-score": 1,
  "on-breakpoint": 1,
};

describe("lifecycle hooks in a run", () => {
  it("H2 C10 C13: step by step, every type fires at its moment, once, with its documented fields", async () => {
    const project = recordedProject();
    await project.create("p.mjs", "r");
    let step = await project.ask(["run:iterate", "r"]);
    while (step.status === "executed") step = await project.ask(["run:iterate", "r"]);
    expect(step).toMatchObject({
      status: "waiting",
      reason: "breakpoint-waiting",
      metadata: { hookStatus: "waiting" },
    });
    await project.ask(["breakpoint:approve", step.nextActions[0]?.effectId as string]);
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "completed",
      output: { scored: { score: 85 }, approved: true, planned: ["hook.sh"] },
    });
    const moments = momentsIn(project);
    expect(countOf(moments)).toMatchObject({ ...ONCE, "on-run-complete": 1 });
    expect(countOf(moments)).not.toHaveProperty("on-run-fail");
    for (const { type, payload } of moments) {
      expect(payload).toMatchObject({ runId: "r", runDir: path.join(project.runsDir, "r") });
      const known = ["runId", "runDir", ...Object.keys(HOOK_TYPES[type].fields)];
      const unknown = Object.keys(payload).filter((field) => !known.includes(field) && !known.includes("…"));
      expect(unknown).toEqual([]);
    }
    const of = (type: KnownHookType): Moment["payload"][] =>
      moments.filter((moment) => moment.type === type).map(({ payload }) => payload);
    expect(of("on-score")[0]).toMatchObject({ score: 85, kind: "node" });
    expect(of("on-breakpoint")[0]).toMatchObject({ question: "Ship it?", title: "Release" });
    expect(of("on-run-complete")[0]).toMatchObject({ status: "completed", durationMs: expect.any(Number) });
    expect(of("on-task-complete").filter(({ kind }) => kind === "shell")).toMatchObject([
      { status: "ok", exitCode: 0 },
    ]);
    const recorded = eventsOf(path.join(project.runsDir, "r")).filter(({ type }) => type === "HOOK_DISPATCHED");
    expect(recorded).toHaveLength(moments.length);
  });

  it("H2: driven by one command, the same hooks fire the same number of times", async () => {
    const project = recordedProject();
    const args = ["run", "p.mjs", "--run-id", "r", "--breakpoint-policy", "approve", "--json"];
    expect((await project.run(args)).code).toBe(0);
    expect(countOf(momentsIn(project))).toMatchObject({ ...ONCE, "on-run-complete": 1 });
  });

  it("H2: a run that fails calls on-run-fail", async () => {
    const project = recordedProject();
    const args = ["run", "p.mjs", "--inputs", "fail.json", "--breakpoint-policy", "approve", "--json"];
    expect((await project.run(args)).code).toBe(1);
    const failed = momentsIn(project).filter(({ type }) => type === "on-run-fail");
    expect(failed).toMatchObject([{ payload: { status: "failed", error: { message: "as asked" } } }]);
  });

  it("C10: ctx.hook runs its hooks once, however often the run is replayed", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
        const hook = await ctx.hook("gate", { n: 1 });
        await ctx.task({ kind: "agent", id: "a" });
        return hook;
      }`,
    });
    withHook(project, "gate", `#!/bin/sh\necho x >> "$REPO_ROOT/calls"\necho '{"ok": true, "level": 3}'\n`);
    await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    await project.ask(["run:iterate", "r"]);
    await project.post("r", nextActions[0]?.effectId as string, "done");
    const { output } = await project.ask(["run:iterate", "r"]);
    expect(output).toMatchObject({ hookType: "gate", success: true, output: { level: 3 }, executedHooks: ["hook.sh"] });
    expect(project.read("calls")).toBe("x\n");
  });

  it("C10 H2: ctx.hook is no task: it is not counted, and raises no iteration number", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
        for (const n of [1, 2]) await ctx.hook("gate", { n });
        await ctx.task({ kind: "shell", shell: { command: "echo built" } });
        await ctx.hook("gate", { n: 3 });
        await ctx.task({ kind: "agent", id: "a" });
        await ctx.hook("gate", { n: 4 });
      }`,
    });
    withHook(project, "gate", RECORDER);
    await project.create("p.mjs", "r");
    const first = await project.ask(["run:iterate", "r"]);
    expect(first).toMatchObject({ iteration: 1, iterationCount: 1, status: "executed", count: 1 });
    const second = await project.ask(["run:iterate", "r"]);
    expect(second).toMatchObject({ iteration: 2, status: "waiting", reason: "agent-pending", count: 1 });
    await project.post("r", second.nextActions[0]?.effectId as string, "done");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ iteration: 3, status: "completed", count: 0 });
    expect(momentsIn(project)).toHaveLength(4);
  });

  it("--no-hooks executes nothing and calls only what the process itself calls", async () => {
    const project = recordedProject();
    await project.create("p.mjs", "r", ["--no-hooks"]);
    await project.ask(["run:iterate", "r", "--no-hooks"]);
    expect(fs.existsSync(project.path("moments.log"))).toBe(true);
    expect(momentsIn(project).map(({ type }) => type)).toEqual(["post-planning", "pre-branch", "pre-commit"]);
  });
});

describe("questions", () => {
  it("H2 C22: people are told about a standalone question too", async () => {
    const project = new Project();
    withHook(project, "on-breakpoint", RECORDER);
    await project.ask(["breakpoint:create", "--question", "Deploy now?"]);
    expect(momentsIn(project)).toMatchObject([{ type: "on-breakpoint", payload: { question: "Deploy now?" } }]);
  });

  it("C22: what was shown is recorded even if no hooks are called", async () => {
    const project = new Project(FILES);
    const driven = await project.run(["run", "p.mjs", "--run-id", "r", "--no-hooks", "--json"]);
    expect(driven.code).toBe(3);
    expect(eventsOf(path.join(project.runsDir, "r")).map(({ type }) => type)).toContain("BREAKPOINT_OPENED");
  });
});
