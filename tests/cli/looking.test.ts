import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

const MIXED = `export async function process(inputs, ctx) {
  ctx.log("one");
  ctx.log("label", "two");
  ctx.log("three", { n: 3 });
  const first = await ctx.task({ kind: "agent", id: "first" }, {}, { label: "go" });
  await ctx.parallel.all([
    () => ctx.task({ kind: "agent", id: "review" }, { first }),
    () => ctx.task({ kind: "node", node: { entry: "./scripts/build.js" } }),
    () => ctx.breakpoint({ question: "Ship it?" }),
  ]);
}
`;

describe("looking at a run", () => {
  let project: Project;
  beforeAll(async () => {
    const root = makeTempDir();
    project = new Project({ "p.mjs": MIXED }, "project", root);
    await project.create("p.mjs", "r");
    const first = await project.ask(["run:iterate", "r", "--no-hooks"]);
    await project.post("r", first.nextActions[0]?.effectId ?? "", { plan: "x" });
    await project.ask(["run:iterate", "r", "--no-hooks"]);
    return () => removeTempDir(root);
  });

  it("C21: run:export draws the run for a pull request, as a flowchart or a waterfall", async () => {
    const chart = await project.run(["run:export", "r", "--mermaid"]);
    expect([chart.code, chart.stderr]).toEqual([0, ""]);
    expect(chart.stdout).toMatch(/^flowchart TD\n {2}start\(\["test\/p"\]\)\n {2}s1\["first<br\/>agent/u);
    for (const next of ["s2", "s3", "s4"]) expect(chart.stdout).toContain(`  s1 --> ${next}\n`);
    const drawing = await project.run(["run:export", "r", "--svg"]);
    expect(drawing.stdout).toMatch(/^<svg [^]*test\/p: under way[^]*<\/svg>\n$/u);
    for (const formats of [[], ["--svg", "--mermaid"]]) {
      const { code, stderr, stdout } = await project.run(["run:export", "r", ...formats]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("Choose one format");
    }
  });

  it("C14: run:status shows state, reason, next command and pending effects by kind", async () => {
    const status = await project.ask(["run:status", "r"]);
    expect(status).toMatchObject({
      runId: "r",
      runDir: path.join(project.runsDir, "r"),
      state: "waiting",
      completionProof: null,
      needsMoreIterations: false,
      iterationCount: 2,
      metadata: {
        processId: "test/p",
        stateVersion: Object.keys(project.journal("r")).length,
        pendingEffectsByKind: { agent: 1, node: 1, breakpoint: 1 },
        effects: { requested: 4, ok: 1, error: 0 },
      },
    });
    expect(status.why).toMatch(/3 results/);
    expect(status.next).toContain("babysitter run r");
    const { stdout } = await project.run(["run:status", "r"]);
    for (const text of ["waiting", "test/p", "p.mjs#process", "1 done", "3 pending", status.next])
      expect(stdout).toContain(text);
  });

  it("C14: the state, the reason and the next command follow the run to its proof", async () => {
    const own = new Project({
      "p.mjs": "export async function process(inputs, ctx) { return (await ctx.breakpoint('Sure?')).approved; }\n",
    });
    await own.create("p.mjs", "r");
    expect(await own.ask(["run:status"])).toMatchObject({
      state: "created",
      needsMoreIterations: true,
      next: "babysitter run r",
      metadata: { pendingEffectsByKind: {} },
    });
    const { nextActions } = await own.ask(["run:iterate", "r"]);
    const waiting = await own.ask(["run:status", "r"]);
    expect(waiting).toMatchObject({ state: "waiting", needsMoreIterations: false });
    expect(waiting.why).toContain("human");
    expect(waiting.next).toContain("breakpoint:approve");
    await own.post("r", nextActions[0]?.effectId ?? "", { approved: true });
    expect(await own.ask(["run:status", "r"])).toMatchObject({
      state: "running",
      needsMoreIterations: true,
      next: "babysitter run r",
    });
    const { completionProof } = await own.ask(["run:iterate", "r"]);
    const completed = await own.ask(["run:status", "r"]);
    expect(completed).toMatchObject({ state: "completed", completionProof, needsMoreIterations: false });
    expect(completed.next).toBeUndefined();
    expect((await own.run(["run:status", "r"])).stdout).toContain(completionProof);
  });

  it("C15 C3 C11: run:events shows the journal; filter, then newest first, then limit", async () => {
    const all = await project.ask(["run:events", "r"]);
    expect(all.metadata).toMatchObject({ runId: "r", total: all.events.length, returned: all.events.length });
    expect(all.events.map(({ seq }) => seq)).toEqual(all.events.map((_, index) => index + 1));
    for (const [index, event] of all.events.entries()) {
      expect(event.filename).toMatch(/^\d{6}\.[0-9A-HJKMNP-TV-Z]{26}\.json$/);
      expect(event.prev).toBe(all.events[index - 1]?.checksum ?? null);
      const { filename, path: file, ...recorded } = event;
      expect(project.readJson(".a5c/runs/r", file)).toEqual(recorded);
      expect(file).toBe(`journal/${filename}`);
    }
    expect(all.events[0]?.type).toBe("RUN_CREATED");
    // Three lines, recorded once although the process was replayed.
    const logged = all.events.filter(({ type }) => type === "PROCESS_LOGGED");
    expect(logged.flatMap(({ payload }) => payload["entries"])).toEqual([
      { scope: "", after: 0, message: "one" },
      { scope: "", after: 0, label: "label", message: "two" },
      { scope: "", after: 0, message: "three", data: { n: 3 } },
    ]);
    const seqs = async (...args: string[]): Promise<number[]> =>
      (await project.ask(["run:events", "r", ...args])).events.map(({ seq }) => seq);
    const order = all.events.map(({ seq }) => seq);
    const requested = all.events.filter(({ type }) => type === "EFFECT_REQUESTED").map(({ seq }) => seq);
    const [two, lastTwo, filtered, newest, none, lower] = await Promise.all([
      seqs("--limit", "2"),
      seqs("--limit", "2", "--reverse"),
      seqs("--filter-type", "EFFECT_REQUESTED"),
      seqs("--reverse", "--limit", "1", "--filter-type", "EFFECT_REQUESTED"),
      seqs("--limit", "0"),
      seqs("--filter-type", "effect_requested"),
    ]);
    expect(two).toEqual([1, 2]);
    expect(lastTwo).toEqual(order.toReversed().slice(0, 2));
    expect(filtered).toEqual(requested);
    expect(newest).toEqual([requested.at(-1)]);
    expect(none).toEqual([]);
    expect(lower).toEqual(requested);
    expect((await project.run(["run:events", "r"])).stdout.trim().split("\n")).toHaveLength(order.length);
    for (const limit of ["x", "-1", "1.5"])
      expect(await project.refuse(["run:events", "r", `--limit=${limit}`])).toMatchObject({ code: "USAGE", exit: 2 });
  });

  it("C16: task:list finds effects by state and kind", async () => {
    const keys = async (...args: string[]): Promise<string[]> =>
      (await project.ask(["task:list", "r", ...args])).tasks.map(
        ({ invocationKey, status }) => `${invocationKey} ${status}`,
      );
    const [all, pending, agents, pendingAgents, none] = await Promise.all([
      keys(),
      keys("--pending"),
      keys("--kind", "agent"),
      keys("--pending", "--kind", "agent"),
      keys("--kind", "nothing"),
    ]);
    expect(all).toEqual([
      "first:1 resolved_ok",
      "par1[0]/review:1 requested",
      "par1[1]/node/build.js:1 requested",
      "par1[2]/breakpoint:1 requested",
    ]);
    expect(pending).toEqual(all.slice(1));
    expect(agents).toEqual(all.slice(0, 2));
    expect(pendingAgents).toEqual(all.slice(1, 2));
    expect(none).toEqual([]);
    const [first] = (await project.ask(["task:list", "r"])).tasks;
    expect(first).toMatchObject({ taskId: "first", kind: "agent", label: "go", attempt: 1 });
    expect(project.readJson(".a5c/runs/r", first?.resultRef ?? "")).toMatchObject({
      status: "ok",
      value: { plan: "x" },
    });
    expect((await project.run(["task:list", "r", "--pending"])).stdout).toContain("par1[2]/breakpoint:1");
  });
});

describe("task:show", () => {
  it("C16: shows task, inputs, result and logs, and hides secrets unless both switches are on", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
  return ctx.task(
    { kind: "node", node: { entry: "./deploy.js", env: {
      DEPLOY_ENV: "production", API_TOKEN: "s3cret-token", DB_PASSWORD: "s3cret-word", SIGNING_KEY: "s3cret-key", MY_SECRET: "s3cret-plain" } } },
    { apiKey: "hidden-by-name", target: "app" });
}`,
      "result.json": '{"accessToken":"hidden-in-result","url":"https://example.test"}',
      "out.txt": "line one\nline two\n",
    });
    await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r", "--no-hooks"]);
    const effectId = nextActions[0]?.effectId ?? "";
    const pending = await project.ask(["task:show", "r", effectId]);
    expect(pending).toMatchObject({
      effect: { effectId, kind: "node", status: "requested", location: expect.stringContaining("p.mjs:2:") as string },
      task: { kind: "node", node: { entry: "./deploy.js", env: { DEPLOY_ENV: "production" } } },
      inputs: { apiKey: "[hidden]", target: "app" },
      result: null,
      stdout: null,
    });
    await project.ask([
      "task:post",
      "r",
      effectId,
      "--status",
      "ok",
      "--value",
      "result.json",
      "--stdout-file",
      "out.txt",
    ]);
    const show = async (args: string[], env: Record<string, string> = {}): Promise<string> =>
      (await project.run(["task:show", "r", effectId, ...args], { env })).stdout;
    const allow = { BABYSITTER_ALLOW_SECRET_LOGS: "1" };
    const [plain, verbose, allowed, both, text, refused] = await Promise.all([
      show(["--json"]),
      show(["--json", "--verbose"]),
      show(["--json"], allow),
      show(["--json", "--verbose"], allow),
      show([]),
      show(["--json", "--verbose"], { BABYSITTER_ALLOW_SECRET_LOGS: "0" }),
    ]);
    for (const shown of [plain, verbose, allowed, text, refused]) {
      expect(shown).not.toContain("hidden-by-name");
      expect(shown).not.toContain("hidden-in-result");
      expect(shown).toContain("https://example.test");
    }
    expect(both).toContain("hidden-by-name");
    expect(both).toContain("hidden-in-result");
    expect(JSON.parse(plain)).toMatchObject({ stdout: "line one\nline two\n", result: { status: "ok" } });
    expect(text).toContain("line two");
    // Values of secret variables are in no file of the run at all; their names are kept for the executor.
    const runDir = path.join(project.runsDir, "r");
    for (const entry of fs.readdirSync(runDir, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      // The copy of the process itself says what its author wrote.
      if (!entry.isFile() || file.includes(`${path.sep}code${path.sep}`)) continue;
      expect(`${file} ${fs.readFileSync(file, "utf8").includes("s3cret-")}`).toBe(`${file} false`);
    }
    expect(pending.task["node"]).toMatchObject({ secretEnv: ["API_TOKEN", "DB_PASSWORD", "SIGNING_KEY", "MY_SECRET"] });
    expect(await project.refuse(["task:show", "r", "effect-0"])).toMatchObject({ code: "EFFECT_NOT_FOUND", exit: 2 });
    expect(await project.refuse(["task:show", "r", "../run.json"])).toMatchObject({ code: "INVALID_ID", exit: 2 });
    expect(await project.refuse(["task:show"])).toMatchObject({ code: "USAGE", exit: 2 });
  });
});
