import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const STEPS = `import fs from "node:fs";
fs.appendFileSync(new URL("imported.log", import.meta.url), "x");
export async function process(inputs, ctx) {
  ctx.log("start", "both steps");
  const a = await ctx.task({ kind: "agent", id: "a" }, { n: 1 }, { label: "first" });
  const b = await ctx.task({ kind: "skill", id: "b" }, { a });
  return { a, b, at: ctx.now().toISOString() };
}
`;

const version = (args: string): string =>
  `export async function process(inputs, ctx) {\n  const a = await ctx.task({ kind: "agent", id: "plan" }, ${args});\n  return ctx.task({ kind: "agent", id: "next" }, { a });\n}\n`;

async function postFirst(project: Project, runId: string, value: unknown): Promise<string> {
  const [task] = (await project.ask(["task:list", runId, "--pending"])).tasks;
  const effectId = task?.effectId ?? "";
  await project.post(runId, effectId, value);
  return effectId;
}

describe("run:iterate", () => {
  it("C13: answers the documented document at every step, and leaves a finished run alone", async () => {
    const project = new Project({ "p.mjs": STEPS });
    await project.create("p.mjs", "r");
    const first = await project.ask(["run:iterate", "r", "--no-hooks", "--iteration", "41"]);
    expect(first).toEqual({
      iteration: 41,
      status: "waiting",
      action: "waiting",
      reason: "agent-pending",
      count: 1,
      iterationCount: 1,
      nextActions: [
        {
          effectId: expect.stringMatching(/^effect-[0-9a-f]{12,}$/) as string,
          invocationKey: "a:1",
          kind: "agent",
          taskId: "a",
          stepId: expect.stringMatching(/^S\d{6}$/) as string,
          label: "first",
          taskDef: { kind: "agent", id: "a" },
          requestedAt: expect.stringMatching(/Z$/) as string,
          attempt: 1,
        },
      ],
      effects: (await project.ask(["task:list", "r", "--pending"])).tasks,
      warnings: [],
      metadata: { runId: "r", processId: "test/p", hookStatus: "skipped" },
    });
    expect(first.effects).toMatchObject([
      { effectId: first.nextActions[0]?.effectId, kind: "agent", status: "requested", label: "first" },
    ]);
    // The same again: the same actions, and no iteration that moved nothing is counted.
    expect(await project.ask(["run:iterate", "r", "--no-hooks"])).toEqual({ ...first, iteration: 1 });
    await postFirst(project, "r", { score: 1 });
    expect(await project.ask(["run:iterate", "r", "--no-hooks"])).toMatchObject({
      iteration: 2,
      iterationCount: 2,
      status: "waiting",
      reason: "skill-pending",
      nextActions: [{ taskId: "b", invocationKey: "b:1" }],
    });
    await postFirst(project, "r", null);
    const last = await project.ask(["run:iterate", "r", "--no-hooks"]);
    expect(last).toMatchObject({
      status: "completed",
      action: "none",
      reason: "completed",
      iterationCount: 3,
      nextActions: [],
      effects: [],
      output: { a: { score: 1 }, b: null },
    });
    expect(last.completionProof).toMatch(/^[0-9a-f]{32,}$/);
    const journal = project.journal("r");
    for (const args of [[], ["--retry"], ["--iteration", "9"]]) {
      expect(await project.ask(["run:iterate", "r", "--no-hooks", ...args])).toEqual({
        ...last,
        iteration: args[0] === "--iteration" ? 9 : 3,
        reason: "terminal-state",
      });
    }
    expect(project.journal("r")).toEqual(journal);
    // Printed for people, the same facts.
    const { stdout } = await project.run(["run:iterate", "r", "--no-hooks"]);
    expect(stdout).toContain("r completed (terminal-state)");
    expect(stdout).toContain(last.completionProof);
  });

  it("C13: nothing new means nothing imported and nothing written", async () => {
    const project = new Project({ "p.mjs": STEPS });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    const imported = (): number => project.read("imported.log").length;
    const [times, journal] = [imported(), project.journal("r")];
    await project.ask(["run:iterate", "r"]);
    await project.ask(["run:status", "r"]);
    const effectId = await postFirst(project, "r", 1);
    await project.ask(["task:show", "r", effectId]);
    expect(imported()).toBe(times);
    expect(Object.keys(project.journal("r"))).toHaveLength(Object.keys(journal).length + 1);
    await project.ask(["run:iterate", "r"]);
    expect(imported()).toBe(times + 1);
    // Touched code is read again, changed code is imported again.
    fs.utimesSync(project.path("p.mjs"), new Date(), new Date());
    await project.ask(["run:iterate", "r"]);
    expect(imported()).toBe(times + 1);
    project.write({ "p.mjs": `${STEPS}// a comment\n` });
    await project.ask(["run:iterate", "r"]);
    expect(imported()).toBe(times + 2);
  });

  it("C8 C13: a sleep waits until it is due, is then taken by the engine, and can be ended early by a post", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
  await ctx.sleepUntil(inputs.until);
  return "awake";
}`,
      "past.json": '{"until":"2020-01-01T00:00:00Z"}',
      "future.json": '{"until":"2999-01-01T00:00:00Z"}',
      "soon.mjs": `export async function process(inputs, ctx) {
  await ctx.task({ kind: "agent", id: "a" });
  await ctx.sleep(150);
  await ctx.task({ kind: "agent", id: "b" });
}`,
    });
    await project.create("p.mjs", "past", ["--inputs", "past.json"]);
    await project.create("p.mjs", "future", ["--inputs", "future.json"]);
    expect(await project.ask(["run:iterate", "past"])).toMatchObject({
      status: "completed",
      output: "awake",
      count: 1,
    });
    const asleep = await project.ask(["run:iterate", "future"]);
    expect(asleep).toMatchObject({
      status: "waiting",
      reason: "sleep-waiting",
      nextActions: [{ kind: "sleep", until: "2999-01-01T00:00:00.000Z" }],
    });
    expect(await project.ask(["run:status", "future"])).toMatchObject({
      why: expect.stringContaining("2999") as string,
    });
    await project.post("future", asleep.nextActions[0]?.effectId ?? "", null);
    expect(await project.ask(["run:iterate", "future"])).toMatchObject({ status: "completed", output: "awake" });

    await project.create("soon.mjs", "soon");
    await project.ask(["run:iterate", "soon"]);
    await postFirst(project, "soon", 1);
    let step = await project.ask(["run:iterate", "soon"]);
    while (step.reason === "sleep-waiting") step = await project.ask(["run:iterate", "soon"]);
    // The result of the sleep was committed by that call.
    expect(step).toMatchObject({
      status: "executed",
      action: "executed-tasks",
      count: 1,
      nextActions: [{ taskId: "b" }],
    });
    expect(await project.ask(["run:iterate", "soon"])).toMatchObject({ status: "waiting", reason: "agent-pending" });
  });

  it("C9 C13: kinds that wait together are named together; the batch is requested at once and keeps its order", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
  return ctx.parallel.all([
    () => ctx.task({ kind: "node", node: { entry: "./build.js" } }),
    () => ctx.task({ kind: "agent", id: "lint" }),
    async () => (await ctx.breakpoint({ question: "Ship?", title: "Gate" })).approved,
  ]);
}`,
    });
    await project.create("p.mjs", "r");
    const batch = await project.ask(["run:iterate", "r", "--no-hooks"]);
    expect(batch).toMatchObject({ status: "waiting", reason: "mixed-pending:agent,breakpoint,node", count: 3 });
    const [build, lint, gate] = batch.nextActions;
    expect(build).toMatchObject({ kind: "node", taskId: "node/build.js", taskDef: { node: { entry: "./build.js" } } });
    await project.post("r", gate?.effectId ?? "", { approved: true });
    await project.post("r", lint?.effectId ?? "", "clean");
    expect(await project.ask(["run:iterate", "r", "--no-hooks"])).toMatchObject({
      status: "waiting",
      reason: "node-pending",
    });
    await project.post("r", build?.effectId ?? "", "built");
    expect(await project.ask(["run:iterate", "r", "--no-hooks"])).toMatchObject({ output: ["built", "clean", true] });
  });

  it("C13: iterations at the same time ask for everything once and answer the same", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
  ctx.log("once");
  return ctx.parallel.map([1, 2, 3], (n) => ctx.task({ kind: "agent", id: "t" + n }, { n }));
}`,
    });
    await project.create("p.mjs", "r");
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => project.ask(["run:iterate", "r"])));
    expect(first).toMatchObject({ status: "waiting", count: 3, iterationCount: 1 });
    for (const other of others) expect(other).toEqual(first);
    const types = (await project.ask(["run:events", "r"])).events.map(({ type }) => type);
    expect(types.toSorted()).toEqual([...Array<string>(3).fill("EFFECT_REQUESTED"), "PROCESS_LOGGED", "RUN_CREATED"]);
    expect(await project.ask(["run:check", "r"])).toMatchObject({ ok: true, findings: [] });
  });

  it("C13: a failed run answers the same until its code changes or a retry is asked for", async () => {
    const failing =
      "export async function process(inputs, ctx) { throw Object.assign(new TypeError('no luck'), { code: 'E_LUCK', data: { tries: 2 } }); }\n";
    const project = new Project({ "p.mjs": failing });
    await project.create("p.mjs", "r");
    const done = await project.run(["run:iterate", "r", "--json"]);
    expect(done.code).toBe(0);
    const failed = done.json();
    expect(failed).toMatchObject({
      status: "failed",
      reason: "failed",
      error: { name: "TypeError", message: "no luck", code: "E_LUCK", data: { tries: 2 } },
    });
    expect(failed.completionProof).toBeUndefined();
    const journal = project.journal("r");
    expect(await project.ask(["run:iterate", "r"])).toEqual({ ...failed, reason: "terminal-state" });
    expect(project.journal("r")).toEqual(journal);
    const status = await project.ask(["run:status", "r"]);
    expect(status).toMatchObject({ state: "failed", completionProof: null });
    expect(status.why).toContain("TypeError: no luck");
    expect(status.next).toContain("run:retry r");
    expect(await project.ask(["run:iterate", "r", "--retry"])).toMatchObject({ status: "failed", reason: "failed" });
    // Code that cannot be loaded does not open the run.
    project.write({ "p.mjs": "export async function process() { return 'fixed; }\n" });
    expect((await project.run(["run:iterate", "r", "--json"])).json().error.code).toBe("PROCESS_LOAD_FAILED");
    expect((await project.ask(["run:status", "r"])).why).toContain("TypeError: no luck");
    project.write({ "p.mjs": "export async function process() { return 'fixed'; }\n" });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed", output: "fixed" });
    const types = (await project.ask(["run:events", "r"])).events.map(({ type, payload }) => [type, payload["reason"]]);
    expect(types).toEqual([
      ["RUN_CREATED", undefined],
      ["RUN_FAILED", undefined],
      ["RUN_REOPENED", "retry"],
      ["RUN_FAILED", undefined],
      ["RUN_REOPENED", "code-changed"],
      ["CODE_CHANGED", undefined],
      ["RUN_COMPLETED", undefined],
    ]);
  });

  it("C21: run:retry opens the step that a run failed on, with a new attempt", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
  const a = await ctx.task({ kind: "agent", id: "a" });
  return { a, b: await ctx.task({ kind: "agent", id: "b" }) };
}`,
    });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    expect(await project.refuse(["run:retry", "r"])).toMatchObject({ code: "NOTHING_TO_RETRY", exit: 7 });
    const a = await postFirst(project, "r", "A");
    await project.ask(["run:iterate", "r"]);
    const [b] = (await project.ask(["task:list", "r", "--pending"])).tasks;
    await project.ask(["task:post", "r", b?.effectId ?? "", "--status", "error", "--error", "-"], {
      stdin: '"flaky"',
    });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "failed", error: { message: "flaky" } });
    expect(await project.refuse(["run:retry", "r", "--effect", a])).toMatchObject({
      code: "NOTHING_TO_RETRY",
      exit: 7,
    });
    expect((await project.ask(["run:retry", "r"])).reopened).toEqual([
      { effectId: b?.effectId, invocationKey: "b:1", attempt: 2 },
    ]);
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "waiting",
      nextActions: [{ effectId: b?.effectId, attempt: 2 }],
    });
    const stale = await project.refuse(["task:post", "r", b?.effectId ?? "", "--status", "ok", "--attempt", "1"]);
    expect(stale).toMatchObject({ code: "ATTEMPT_STALE", exit: 7, details: { outcome: "rejected", attempt: 2 } });
    await project.ask(["task:post", "r", b?.effectId ?? "", "--status", "ok", "--attempt", "2"]);
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ output: { a: "A", b: null } });
  });

  it("C12: code that no longer fits is blocked with both sides, exit 8, one event, and continues when restored", async () => {
    const project = new Project({ "p.mjs": version('{ goal: "small" }') });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    await postFirst(project, "r", "planned");
    await project.ask(["run:iterate", "r"]);
    project.write({ "p.mjs": version('{ goal: "large" }') });
    const before = Object.keys(project.journal("r")).length;
    for (const attempt of ["first", "second"]) {
      const done = await project.run(["run:iterate", "r", "--json"]);
      expect([attempt, done.code]).toEqual([attempt, 8]);
      const { status, reason, error } = done.json();
      expect([status, reason, error.code]).toEqual(["failed", "blocked", "RUN_DIVERGED"]);
      expect(error.message).toContain('{"goal":"small"}');
      expect(error.message).toContain('{"goal":"large"}');
      expect(error.message).toContain("p.mjs:2:");
      expect(error.message).toMatch(/journal\/\d{6}\.[0-9A-Z]{26}\.json/);
      expect(error.hint).toContain("ctx.patched");
      expect(error.hint).toMatch(/run:fork r --at \d+/);
    }
    expect(await project.ask(["run:status", "r"])).toMatchObject({ state: "blocked" });
    expect(Object.keys(project.journal("r"))).toHaveLength(before + 1);
    const text = await project.run(["run:iterate", "r"]);
    expect(text.code).toBe(8);
    expect(`${text.stdout}${text.stderr}`).toContain("RUN_DIVERGED");
    project.write({ "p.mjs": version('{ goal: "small" }') });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "waiting",
      nextActions: [{ taskId: "next" }],
    });
    expect(await project.ask(["run:status", "r"])).toMatchObject({ state: "waiting" });
  });

  it("C13: every failure is a document with status failed, so that a loop over .status always ends", async () => {
    const project = new Project({ "p.mjs": STEPS });
    for (const runId of ["gone", "other", "torn"]) await project.create("p.mjs", runId);
    const [event = ""] = Object.keys(project.journal("torn"));
    fs.appendFileSync(project.path(".a5c/runs/torn/journal", event), "torn");
    fs.rmSync(project.path(".a5c/runs/torn/state"), { recursive: true });
    fs.rmSync(project.path("p.mjs"));
    const cases: [string[], string, number][] = [
      [["gone"], "ENTRY_NOT_FOUND", 2],
      [["unknown"], "RUN_NOT_FOUND", 2],
      [["torn"], "JOURNAL_BROKEN", 8],
      [[], "RUN_AMBIGUOUS", 2],
      [["../../etc"], "RUN_NOT_FOUND", 2],
    ];
    const done = await Promise.all(cases.map(([args]) => project.run(["run:iterate", ...args, "--json"])));
    expect(done.map((one) => [one.json().error.code, one.code])).toEqual(cases.map(([, code, exit]) => [code, exit]));
    expect(done.map((one) => one.json().status)).toEqual(cases.map(() => "failed"));
  });
});
