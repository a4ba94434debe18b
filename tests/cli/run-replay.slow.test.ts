import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type ErrorDoc } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";

const HISTORIES = fileURLToPath(new URL("../histories/semantics-1", import.meta.url));

interface ReplayDoc {
  ok: boolean;
  counts: Record<"same" | "differs" | "cannot", number>;
  runs: {
    runId: string;
    verdict: string;
    state: string;
    recorded: { state: string; output: unknown };
    replayed: { state: string; output: unknown };
    wouldAskFor: { invocationKey: string; kind: string; args: unknown }[];
    error: ErrorDoc;
  }[];
}

async function replay(project: Project, args: string[] = []): Promise<ReplayDoc & { exit: number | null }> {
  const done = await project.run(["run:replay", ...args, "--json"]);
  return { ...(done.json() as unknown as ReplayDoc), exit: done.code };
}

const verdicts = ({ runs }: ReplayDoc): Record<string, string> =>
  Object.fromEntries(runs.map(({ runId, verdict }) => [runId, verdict]));

const STEPS = (second: string, end = "return { one, two };"): string => `export async function process(inputs, ctx) {
  const one = await ctx.task({ kind: "agent", id: "one" }, { n: 1 });
  const two = await ctx.task({ kind: "agent", id: "two" }, ${second});
  ${end}
}
`;

/** Runs of the same process: waiting for one, waiting for two, completed. */
async function threeRuns(): Promise<Project> {
  const project = new Project({ "p.mjs": STEPS("{ one }") });
  for (const [runId, results] of [
    ["first", 0],
    ["second", 1],
    ["done", 2],
  ] as const) {
    await project.create("p.mjs", runId);
    for (let step = 0; ; step += 1) {
      const { nextActions } = await project.ask(["run:iterate", runId]);
      if (step === results) break;
      await project.post(runId, nextActions[0]?.effectId ?? "", step);
    }
  }
  return project;
}

/** A recorded history in a project of its own, as it lies in a repository: a journal and nothing else. */
function historyProject(): Project {
  const project = new Project({ "everything.mjs": fs.readFileSync(path.join(HISTORIES, "everything.mjs"), "utf8") });
  fs.cpSync(path.join(HISTORIES, "everything"), path.join(project.runsDir, "everything"), { recursive: true });
  return project;
}

describe("run:replay", () => {
  it("C5: a recorded journal replays to its recorded output, and not one byte of it changes", async () => {
    const project = historyProject();
    const before = project.tree();
    const doc = await replay(project);
    expect(doc).toMatchObject({ exit: 0, ok: true, counts: { same: 1, differs: 0, cannot: 0 } });
    expect(doc.runs).toMatchObject([{ runId: "everything", verdict: "same", state: "completed" }]);
    expect(doc.runs[0]?.replayed.output).toEqual(doc.runs[0]?.recorded.output);
    expect((await project.run(["run:verify", "everything"])).stdout).toMatch(/^everything same \(completed\)\n1 same/);
    expect(project.tree()).toEqual(before);
  });

  it("writes nothing into open, diverged, TypeScript and cache-less runs either", async () => {
    const project = await threeRuns();
    project.write({
      "t.ts":
        "export const process = async (inputs: object, ctx: any): Promise<number> => ctx.task({ kind: 'agent', id: 'x' });\n",
    });
    await project.create("t.ts", "typed");
    fs.rmSync(path.join(project.runsDir, "first", "state"), { recursive: true });
    fs.rmSync(path.join(project.runsDir, "second", "tasks"), { recursive: true });
    project.write({ "p.mjs": STEPS("{ other: one }") });
    const before = project.tree();
    expect(verdicts(await replay(project))).toEqual({
      first: "same",
      second: "differs",
      done: "differs",
      typed: "same",
    });
    expect(project.tree()).toEqual(before);
  });

  it("says of open runs what they would ask for next", async () => {
    const project = await threeRuns();
    const quiet = await replay(project);
    expect([quiet.exit, quiet.runs.some(({ wouldAskFor }) => wouldAskFor !== undefined)]).toEqual([0, false]);
    const { pendingEffects } = await project.ask(["run:status", "first"]);
    await project.post("first", pendingEffects[0]?.effectId ?? "", "A");
    const doc = await replay(project, ["first"]);
    expect(doc).toMatchObject({
      exit: 0,
      runs: [{ verdict: "same", wouldAskFor: [{ invocationKey: "two:1", kind: "agent", args: { one: "A" } }] }],
    });
    expect((await project.run(["run:replay", "first"])).stdout).toContain("would ask for agent two:1");
    const last = (await project.ask(["run:status", "second"])).pendingEffects[0];
    await project.post("second", last?.effectId ?? "", "B");
    expect((await replay(project, ["second"])).runs).toMatchObject([
      { verdict: "same", replayed: { state: "completed", output: { one: 0, two: "B" } } },
    ]);
  });

  it("reports a divergence as run:iterate does, and changed ends of finished runs", async () => {
    const project = await threeRuns();
    project.write({ "p.mjs": STEPS("{ changed: one }") });
    const doc = await replay(project, ["second", "first"]);
    expect([doc.exit, verdicts(doc)]).toEqual([8, { second: "differs", first: "same" }]);
    const iterated = await project.run(["run:iterate", "second", "--json"]);
    expect(iterated.code).toBe(8);
    expect(doc.runs[0]?.error).toEqual(iterated.json().error);
    project.write({ "p.mjs": STEPS("{ one }", "return { sum: one + two };") });
    expect((await replay(project, ["done"])).runs).toMatchObject([
      { verdict: "differs", recorded: { output: { one: 0, two: 1 } }, replayed: { output: { sum: 1 } } },
    ]);
    project.write({ "p.mjs": STEPS("{ one }", "void ctx.task({ kind: 'agent', id: 'three' }); return { one, two };") });
    expect((await replay(project, ["done"])).runs).toMatchObject([
      { verdict: "differs", wouldAskFor: [{ invocationKey: "three:1" }] },
    ]);
    project.write({ "p.mjs": STEPS("{ one }", "throw new Error('late');") });
    expect(verdicts(await replay(project))).toEqual({ first: "same", second: "same", done: "differs" });
    project.write({
      "p.mjs":
        "export async function process(inputs, ctx) { void ctx.task({ kind: 'agent', id: 'one' }, { n: 1 }); }\n",
    });
    expect(verdicts(await replay(project))).toEqual({ first: "differs", second: "differs", done: "differs" });
  });

  it("compares the error of failed runs by name and message", async () => {
    const fails = (thrown: string): string => `export async function process() { throw ${thrown}; }\n`;
    const long = "x".repeat(40_000);
    const project = new Project({ "p.mjs": fails(`new TypeError("${long}")`) });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    expect(verdicts(await replay(project))).toEqual({ r: "same" });
    for (const other of [`new TypeError("${long.slice(1)}")`, `new Error("${long}")`]) {
      project.write({ "p.mjs": fails(other) });
      expect(verdicts(await replay(project))).toEqual({ r: "differs" });
    }
    project.write({ "p.mjs": "export async function process() { return 1; }\n" });
    expect((await replay(project)).runs).toMatchObject([{ verdict: "differs", replayed: { output: 1 } }]);
  });

  it("says `cannot` of missing and unloadable code, foreign and damaged runs", async () => {
    const project = await threeRuns();
    project.write({
      ".a5c/runs/foreign/run.json": '{"runId":"foreign"}',
      ".a5c/runs/foreign/journal/000001.01JABCDEFGHJKMNPQRSTVWXYZ0.json": '{"type":"RUN_CREATED","data":{}}',
    });
    const journal = path.join(project.runsDir, "second", "journal");
    fs.writeFileSync(path.join(journal, fs.readdirSync(journal).toSorted()[1] as string), "{");
    const own = await replay(project);
    expect([own.exit, verdicts(own)]).toEqual([8, { first: "same", second: "cannot", done: "same" }]);
    const all = await replay(project, [".a5c/runs"]);
    expect(verdicts(all)).toMatchObject({ foreign: "cannot" });
    expect(all.runs.find(({ runId }) => runId === "foreign")?.error.code).toBe("FOREIGN_RUN");
    project.write({ "p.mjs": "export const process = (" });
    expect((await replay(project, ["done"])).runs).toMatchObject([
      { verdict: "cannot", error: { code: "PROCESS_LOAD_FAILED" } },
    ]);
    fs.rmSync(project.path("p.mjs"));
    const missing = await project.run(["run:replay", "done"]);
    expect(missing.code).toBe(8);
    expect(missing.stdout).toMatch(/^done cannot \(completed\)\n {2}ENTRY_NOT_FOUND: /);
  });

  it("takes ids, directories and folders, and another file with --entry", async () => {
    const project = await threeRuns();
    project.write({ "other.mjs": STEPS("{ changed: one }").replace("function process", "function better") });
    fs.renameSync(project.runsDir, project.path(".a5c/recorded"));
    expect(verdicts(await replay(project, [".a5c/recorded/done", ".a5c/recorded/first"]))).toEqual({
      done: "same",
      first: "same",
    });
    expect(verdicts(await replay(project, [".a5c/recorded"]))).toEqual({ done: "same", first: "same", second: "same" });
    const other = await replay(project, [".a5c/recorded", "--entry", "other.mjs#better"]);
    expect(verdicts(other)).toEqual({ done: "differs", first: "same", second: "differs" });
    expect(await replay(project)).toMatchObject({ exit: 0, ok: true, runs: [] });
  });

  it("refuses what names no run", async () => {
    const project = await threeRuns();
    for (const [args, code] of [
      [["gone"], "RUN_NOT_FOUND"],
      [["first", "gone"], "RUN_NOT_FOUND"],
      [["./nowhere"], "RUN_NOT_FOUND"],
      [["a..b"], "INVALID_ID"],
      [["first", "--entry"], "USAGE"],
    ] as const)
      expect([args, await project.refuse(["run:replay", ...args])]).toMatchObject([args, { code, exit: 2 }]);
  });

  it("keeps its one document whatever the process prints or ends", async () => {
    const project = new Project({
      "p.mjs": "export async function process(inputs, ctx) { return ctx.task({ kind: 'agent', id: 'a' }); }\n",
    });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    project.write({
      "p.mjs": `export async function process(inputs, ctx) {
  console.log("noise");
  process.stdout.write("more");
  globalThis.process.exit(0);
}`,
    });
    const before = project.tree();
    expect(await replay(project)).toMatchObject({ exit: 8, runs: [{ verdict: "differs" }] });
    project.write({ "p.mjs": "export async function process() { await new Promise(() => {}); }\n" });
    expect(await replay(project)).toMatchObject({ exit: 8, runs: [{ verdict: "differs" }] });
    project.write({ "p.mjs": Buffer.from(before["p.mjs"] ?? "", "base64").toString() });
    expect(project.tree()).toEqual(before);
  });

  it("replays each run in isolation: neither modules that remember nor endless loops touch the next one", async () => {
    const project = new Project({
      "p.mjs": `let runs = 0;
export async function process(inputs, ctx) {
  runs += 1;
  return ctx.task({ kind: "agent", id: "a" }, { runs });
}`,
      "loop.mjs": "export async function process(inputs, ctx) { return ctx.task({ kind: 'agent', id: 'a' }); }\n",
    });
    for (const runId of ["a", "b", "c"]) {
      await project.create(runId === "b" ? "loop.mjs" : "p.mjs", runId);
      await project.ask(["run:iterate", runId]);
    }
    expect(verdicts(await replay(project))).toEqual({ a: "same", b: "same", c: "same" });
    project.write({ "loop.mjs": "export async function process() { for (;;); }\n" });
    const done = await project.run(["run:verify", "--json"], { env: { BABYSITTER_TURN_LIMIT_MS: "300" } });
    const doc = done.json() as unknown as ReplayDoc;
    expect([done.code, verdicts(doc)]).toEqual([8, { a: "same", b: "differs", c: "same" }]);
    expect(doc.runs[1]?.error.code).toBe("PROCESS_SPINS");
  });

  it("is in help and completion under both names", async () => {
    const project = new Project();
    expect((await project.run(["run", "verify", "--help"])).stdout).toMatch(
      /^Usage: babysitter run:replay \[run…\] \[options\]\n(.*\n)*Also: babysitter run:verify\n/,
    );
    for (const shell of ["bash", "zsh", "fish"])
      expect((await project.run(["completion", shell])).stdout).toContain("run:verify");
  });
});
