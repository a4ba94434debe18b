/** Code that changes while a run is under way: what is recorded, what is blocked, and who can accept it. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { execute, type Finished } from "../fixtures/command-line.js";
import { agentEnvironment } from "../fixtures/hosts/host-session.js";
import { withoutFields } from "../fixtures/journal/old-journal.js";
import { Project } from "../fixtures/project.js";
import { tempDir } from "../fixtures/temp-dir.js";

const GATE = 'await ctx.breakpoint({ question: "Deploy?" });';
const processText = (middle: string, more = ""): string => `import { plan } from "./plan.mjs";
export async function process(inputs, ctx) {
  await ctx.task({ kind: "agent", title: plan, agent: { prompt: "do" } });
  ${middle}
  ${more}return "done";
}
`;
const FILES = { "p.mjs": processText(GATE), "plan.mjs": 'export const plan = "plan";\n' };
const PINNED = { ".a5c/config.json": JSON.stringify({ breakpoints: { gates: "pinned" } }) };

/** A run that waits for its agent task. */
async function begun(files: Record<string, string> = {}, more: string[] = []): Promise<Project> {
  const project = new Project({ ...FILES, ...files });
  await project.create("p.mjs", "r", more);
  await project.ask(["run:iterate", "r"]);
  return project;
}

async function postWork(project: Project): Promise<void> {
  const { tasks } = await project.ask(["task:list", "r", "--pending"]);
  await project.post("r", tasks.find(({ kind }) => kind === "agent")?.effectId ?? "", "worked");
}

const types = (project: Project): string[] => project.events("r").map(({ type }) => type);
const iterate = (project: Project) => project.run(["run:iterate", "r", "--json"]);

describe("code that changes during a run", () => {
  it("L14: is recorded once, with the files, their hashes and a diff, before anything that it does", async () => {
    const project = await begun();
    await postWork(project);
    project.write({
      "p.mjs": processText(GATE, "ctx.log('more'); "),
      "plan.mjs": 'export const plan = "plan"; // new\n',
    });
    await project.ask(["run:iterate", "r"]);
    await project.ask(["run:iterate", "r"]);
    const named = types(project).filter((type) => type !== "HOOK_DISPATCHED");
    expect(named.slice(named.indexOf("EFFECT_RESOLVED"))).toEqual([
      "EFFECT_RESOLVED",
      "CODE_CHANGED",
      "EFFECT_REQUESTED",
      "BREAKPOINT_OPENED",
    ]);
    const [changed, ...others] = project.events("r", "CODE_CHANGED");
    expect(others).toEqual([]);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/u) as string;
    expect(changed?.payload).toMatchObject({
      before: project.events("r")[0]?.payload["codeHash"],
      files: [
        { path: "p.mjs", before: hash, after: hash },
        { path: "plan.mjs", before: hash, after: hash },
      ],
      lost: [],
    });
    const diff = path.join(project.runDir("r"), `code-changes/${String(changed?.seq).padStart(6, "0")}.diff`);
    expect(fs.statSync(diff).mode & 0o777).toBe(0o600);
    // What was there when the run was created lies beside it.
    execFileSync("git", ["apply", "--directory=code", "--unsafe-paths", diff], { cwd: project.runDir("r") });
    expect(project.read(".a5c/runs/r/code/p.mjs")).toBe(project.read("p.mjs"));
  });

  it("L14: every next version is shown against the one before it", async () => {
    const project = await begun();
    for (const word of ["one", "two"]) {
      project.write({ "plan.mjs": `export const plan = "plan"; // ${word}\n` });
      await project.ask(["run:iterate", "r"]);
    }
    const diffs = project
      .events("r", "CODE_CHANGED")
      .map(({ payload }) => (payload["diff"] as { value: string }).value);
    expect(diffs).toHaveLength(2);
    expect(diffs[1]).toContain('-export const plan = "plan"; // one\n+export const plan = "plan"; // two\n');
    expect(await project.ask(["run:check", "r"])).toMatchObject({ ok: true, findings: [] });
  });

  it("L14: status, report and the end say so, and an unchanged run says nothing", async () => {
    const project = await begun();
    expect(await project.ask(["run:status", "r"])).not.toHaveProperty("codeChanges");
    project.write({ "p.mjs": processText("", "ctx.log('more'); ") });
    await project.ask(["run:iterate", "r"]);
    const text = "1 file of the process changed after it began: p.mjs. 1 breakpoint of the original code is missing.";
    const { codeChanges } = (await project.ask(["run:status", "r"])) as unknown as { codeChanges: object };
    expect(codeChanges).toMatchObject({ count: 1, files: ["p.mjs"], missingBreakpoints: [{ file: "p.mjs" }], text });
    expect((await project.run(["run:status", "r"])).stdout).toContain(text);
    await postWork(project);
    const driven = await project.run(["run", "r", "--plain"]);
    expect(driven.code).toBe(0);
    expect(driven.stdout + driven.stderr).toContain("1 file of the process changed after it began: p.mjs.");
    expect((await project.ask(["report", "--since", "1h"])) as object).toMatchObject({
      finished: [{ runId: "r", codeChanges: text }],
    });
  });

  it("L14: the driver records it, too", async () => {
    const project = new Project(FILES);
    expect((await project.run(["run", "p.mjs", "--run-id", "r", "--plain"])).code).toBe(3);
    await postWork(project);
    project.write({ "plan.mjs": 'export const plan = "plan"; // new\n' });
    expect((await project.run(["run", "r", "--plain"])).code).toBe(3);
    expect(project.events("r", "CODE_CHANGED")).toHaveLength(1);
    expect(types(project).indexOf("CODE_CHANGED")).toBeLessThan(types(project).lastIndexOf("EFFECT_REQUESTED"));
  });

  it("code that cannot be loaded, or does not fit, is not code that ran", async () => {
    const project = await begun();
    project.write({ "p.mjs": "export async function process(" });
    expect((await iterate(project)).json().error.code).toBe("PROCESS_LOAD_FAILED");
    project.write({ "p.mjs": FILES["p.mjs"].replace("plan,", '"another",') });
    expect((await iterate(project)).json().error.code).toBe("RUN_DIVERGED");
    expect(types(project)).not.toContain("CODE_CHANGED");
  });

  it("a run of an older journal goes on: nothing is known of its files, and nothing is pinned", async () => {
    const project = await begun(PINNED);
    withoutFields(project.runDir("r"), ["manifest", "gates"]);
    await postWork(project);
    project.write({ "p.mjs": processText("") });
    expect((await iterate(project)).json()).toMatchObject({ status: "completed" });
    expect(project.events("r", "CODE_CHANGED").map(({ payload }) => payload["files"])).toEqual([[]]);
  });
});

describe("code behind names", () => {
  const NAMED = {
    "package.json": JSON.stringify({ imports: { "#plan": "./parts/plan.mjs" } }),
    "p.mjs": processText("await (await import(`./parts/${['ga', 'te'].join('')}.mjs`)).gate(ctx);").replace(
      "./plan.mjs",
      "#plan",
    ),
    "parts/plan.mjs": FILES["plan.mjs"],
    "parts/gate.mjs": `export const gate = async (ctx) => { ${GATE} };\n`,
  };

  it("L14: of #imports and computed imports is recorded when it changes, and its gates are pinned", async () => {
    const project = await begun({ ...NAMED, ...PINNED });
    await postWork(project);
    project.write({ "parts/gate.mjs": "export const gate = async () => {};\n" });
    const { code, json } = await iterate(project);
    expect([code, json().error.code]).toEqual([8, "GATES_CHANGED"]);
    project.write({ "parts/gate.mjs": NAMED["parts/gate.mjs"], "parts/plan.mjs": `${FILES["plan.mjs"]}// new\n` });
    await project.ask(["run:iterate", "r"]);
    expect(project.events("r", "CODE_CHANGED").map(({ payload }) => payload["files"])).toMatchObject([
      [{ path: "parts/plan.mjs" }],
    ]);
  });

  it("L14: does not look changed in a run that a build before has begun", async () => {
    const project = new Project({ ...NAMED, ...PINNED });
    const build = tempDir();
    execFileSync("tar", ["-xzf", fileURLToPath(new URL("../histories/semantics-1/build.tgz", import.meta.url))], {
      cwd: build,
    });
    const older = (...args: string[]): Promise<Finished> =>
      execute(process.execPath, [path.join(build, "dist/babysitter.cjs"), ...args], {
        cwd: project.dir,
        home: project.home,
      });
    const created = await older("run:create", "--process-id", "p", "--entry", "p.mjs", "--run-id", "r");
    expect([created.code, created.stderr]).toEqual([0, ""]);
    expect((await older("run:iterate", "r")).code).toBe(0);
    await postWork(project);
    await project.ask(["run:iterate", "r"]);
    expect(types(project)).not.toContain("CODE_CHANGED");
    expect(project.events("r", "BREAKPOINT_OPENED")).toHaveLength(1);
  });

  it("what nobody can follow is said when the run is created", async () => {
    const project = new Project({ "p.mjs": "export const process = async (inputs) => import(inputs.file);\n" });
    const create = ["run:create", "--process-id", "p", "--entry", "p.mjs"];
    expect((await project.ask(create)).warnings).toEqual([
      expect.stringMatching(/^p\.mjs: import\(\) or require\(\)/u),
    ]);
    expect((await project.run(create)).stdout).toMatch(/^warning: p\.mjs: .*will not be noticed\.\nCreated /u);
  });
});

describe("pinned gates", () => {
  it.each([
    ["deleted", ""],
    ["commented out", `// ${GATE}`],
    ["asked differently", 'await ctx.breakpoint({ question: "Deploy? " });'],
  ])("L14: a run whose gate was %s is blocked before its code runs, until it is restored", async (_, middle) => {
    const project = await begun(PINNED);
    await postWork(project);
    project.write({ "p.mjs": `import fs from "node:fs"; fs.writeFileSync("ran", "");\n${processText(middle)}` });
    for (let again = 0; again < 2; again += 1) {
      const done = await iterate(project);
      expect(done.code).toBe(8);
      expect(done.json()).toMatchObject({ status: "failed", reason: "blocked", error: { code: "GATES_CHANGED" } });
      expect(done.json().error.message).toContain('missing (p.mjs): breakpoint({ question : "Deploy?" })');
    }
    expect(fs.existsSync(project.path("ran"))).toBe(false);
    expect(project.events("r", "RUN_BLOCKED").map(({ payload }) => payload["code"])).toEqual(["GATES_CHANGED"]);
    expect(await project.ask(["run:status", "r"])).toMatchObject({
      state: "blocked",
      next: expect.stringContaining("run:accept-code r") as string,
    });
    expect((await project.run(["run", "r", "--plain"])).code).toBe(8);
    project.write(FILES);
    expect((await iterate(project)).json()).toMatchObject({ status: "waiting", reason: "breakpoint-waiting" });
    expect(types(project)).not.toContain("CODE_CHANGED");
  });

  it("L14: a gate may move, be reformatted and get company; equal ones are counted", async () => {
    const project = await begun(PINNED);
    await postWork(project);
    const moved =
      "export const gate = (c) =>\n  c\n    .breakpoint( // moved\n      { question: 'Deploy?', },\n    );\n";
    project.write({
      "gate.mjs": moved,
      "p.mjs": `import { gate } from "./gate.mjs";\n${processText("await gate(ctx); await ctx.breakpoint({ question: 'Sure?' });")}`,
    });
    expect((await iterate(project)).json()).toMatchObject({ reason: "breakpoint-waiting" });
    expect(project.events("r", "CODE_CHANGED")[0]?.payload["files"]).toMatchObject([
      { path: "gate.mjs" },
      { path: "p.mjs" },
    ]);

    const twice = await begun({ ...PINNED, "p.mjs": processText(GATE, GATE) });
    twice.write({ "p.mjs": processText(GATE) });
    expect((await iterate(twice)).code).toBe(8);
  });

  it("L14: a person accepts what they were shown, and the journal says who and how", async () => {
    const project = await begun(PINNED);
    await postWork(project);
    project.write({ "p.mjs": processText("") });
    expect((await iterate(project)).code).toBe(8);
    const agent = { env: agentEnvironment("session-1") };
    expect(await project.refuse(["run:accept-code", "r"], agent)).toMatchObject({ code: "ONLY_FOR_PEOPLE", exit: 7 });
    // It changed again after the run was blocked.
    project.write({ "p.mjs": processText("", "ctx.log('sneaked in'); ") });
    const again = await project.refuse(["run:accept-code", "r"]);
    expect(again).toMatchObject({ code: "GATES_CHANGED", exit: 8 });
    expect(types(project)).not.toContain("CODE_ACCEPTED");
    const accepted = (await project.ask(["run:accept-code", "r"])) as object;
    expect(accepted).toMatchObject({
      accepted: true,
      via: "cli",
      lost: [{ file: "p.mjs" }],
      files: [{ path: "p.mjs" }],
    });
    expect(project.events("r", "CODE_ACCEPTED")[0]?.payload).toMatchObject({
      by: expect.any(String) as string,
      via: "cli",
    });
    expect((await project.ask(["run:accept-code", "r"])) as object).toMatchObject({ accepted: false });
    expect(project.events("r", "CODE_ACCEPTED")).toHaveLength(1);
    expect((await iterate(project)).json()).toMatchObject({ status: "completed" });
    expect(types(project).slice(-4)).toEqual(["CODE_ACCEPTED", "CODE_CHANGED", "PROCESS_LOGGED", "RUN_COMPLETED"]);
    expect(await project.ask(["run:status", "r"])).toMatchObject({
      codeAccepted: { via: "cli" },
      codeChanges: { missingBreakpoints: [] },
    });
    expect((await project.refuse(["run:accept-code", "r"])).code).toBe("RUN_FINISHED");
  });

  it("L14: runs of a session are pinned, also when the session comes later; others are not", async () => {
    const free = await begun();
    free.write({ "p.mjs": processText("") });
    expect((await iterate(free)).code).toBe(0);
    await free.ask(["session:associate", "r", "--session-id", "session-1", "--harness", "claude-code"]);
    await postWork(free);
    expect((await iterate(free)).code).toBe(8);
    const bound = await begun({}, ["--harness", "claude-code", "--session-id", "session-2"]);
    bound.write({ "p.mjs": processText("") });
    expect((await iterate(bound)).code).toBe(8);
    const lax = await begun({ ".a5c/config.json": '{ "breakpoints": { "gates": "free" } }' }, [
      "--harness",
      "claude-code",
      "--session-id",
      "session-3",
    ]);
    lax.write({ "p.mjs": processText("") });
    expect((await iterate(lax)).code).toBe(0);
    expect(lax.events("r", "CODE_CHANGED")[0]?.payload["lost"]).toHaveLength(1);
  });

  it("L14: settings that change later, and a forged cache, unpin nothing", async () => {
    const project = await begun(PINNED);
    await postWork(project);
    const cache = project.path(".a5c/runs/r/state/code.json");
    const known = fs.existsSync(cache) ? fs.readFileSync(cache, "utf8") : undefined;
    project.write({ "p.mjs": processText(""), ".a5c/config.json": '{ "breakpoints": { "gates": "free" } }' });
    if (known !== undefined) {
      const { size, mtimeMs, ctimeMs } = fs.statSync(project.path("p.mjs"));
      const forged = JSON.parse(known) as { files: Record<string, object> };
      Object.assign(forged.files["p.mjs"] ?? {}, { size, mtimeMs, ctimeMs, readAt: Date.now() + 60_000 });
      fs.writeFileSync(cache, JSON.stringify(forged));
    }
    expect((await iterate(project)).code).toBe(8);
  });

  it("L14: a failed run is not reopened by code without its gate", async () => {
    const project = await begun({ ...PINNED, "p.mjs": processText("throw new Error('no');", GATE) });
    await postWork(project);
    expect((await iterate(project)).json()).toMatchObject({ status: "failed", error: { message: "no" } });
    project.write({ "p.mjs": processText("") });
    expect((await iterate(project)).code).toBe(8);
    expect(await project.ask(["run:status", "r"])).toMatchObject({ state: "blocked" });
    expect(types(project)).not.toContain("RUN_REOPENED");
    project.write({ "p.mjs": processText(GATE) });
    expect((await iterate(project)).json()).toMatchObject({ reason: "breakpoint-waiting" });
  });

  it("L14: the driver pins what the settings pin, too", async () => {
    const project = new Project({ ...FILES, ...PINNED });
    expect((await project.run(["run", "p.mjs", "--run-id", "r", "--plain"])).code).toBe(3);
    project.write({ "p.mjs": processText("") });
    await postWork(project);
    expect((await project.run(["run", "r", "--plain"])).code).toBe(8);
  });

  it("L14: a copy of a run begins with the code of today", async () => {
    const project = await begun(PINNED);
    project.write({ "p.mjs": processText("") });
    await project.ask(["run:fork", "r", "--at", "2", "--run-id", "f"]);
    expect((await project.run(["run:iterate", "f", "--json"])).code).toBe(0);
    expect(project.events("f", "CODE_CHANGED")).toEqual([]);
    expect(await project.ask(["run:check", "f"])).toMatchObject({ ok: true, findings: [] });
  });
});
