import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createRun, openRun } from "../../packages/sdk/src/index.js";
import { Project } from "../fixtures/project.js";

describe("the report", () => {
  it("C22: says what finished, failed, waits and was cancelled, and what to do", async () => {
    const project = new Project({
      "p.mjs": `export async function process({ what }, ctx) {
  if (what === "fail") throw new Error("no such table");
  if (what === "ask") return (await ctx.breakpoint("Which way?")).approved;
  if (what === "work") await ctx.task({ id: "write", kind: "agent", title: "Write it" });
  return what;
}\n`,
    });
    for (const [runId, what] of [
      ["a", "done"],
      ["b", "fail"],
      ["c", "ask"],
      ["d", "work"],
      ["e", "ask"],
    ]) {
      project.write({ "in.json": JSON.stringify({ what }) });
      await project.create("p.mjs", runId as string, ["--inputs", "in.json"]);
      await project.run(["run:iterate", runId as string]);
    }
    await project.ask(["run:cancel", "e", "--reason", "superseded"]);
    await project.create("p.mjs", "damaged");
    fs.rmSync(path.join(project.runsDir, "damaged", "state"), { recursive: true, force: true });
    const journal = path.join(project.runsDir, "damaged", "journal");
    for (const file of fs.readdirSync(journal)) fs.writeFileSync(path.join(journal, file), "{ torn");
    const report = (await project.run(["report", "--since", "12h", "--json"])).json() as unknown as Record<
      string,
      unknown[]
    >;
    const ids = (name: string): unknown[] => (report[name] as { runId: string }[]).map(({ runId }) => runId);
    expect(["finished", "failed", "waiting", "cancelled"].map(ids)).toEqual([["a"], ["b"], ["c", "d"], ["e"]]);
    expect(report).toMatchObject({
      waiting: [{ waiting: [{ who: "human", what: "Which way?" }] }, { waiting: [{ who: "agent", what: "Write it" }] }],
      failed: [{ why: "no such table" }],
      next: [
        { command: expect.stringMatching(/^babysitter breakpoint:show effect-/) as string, about: "Which way?" },
        { command: "babysitter run:status b" },
        { command: "babysitter run d" },
      ],
    });
    const { stdout, code } = await project.run(["report"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      ": 5 runs, and 1 that cannot be read.\n1 failed, 1 waiting for you, 1 open, 1 finished (proof), 1 cancelled\n",
    );
    expect(stdout).toMatch(/^waiting for you\n {2}c +\d+ s ago +Which way\?$/mu);
    for (const since of ["yesterday", "5", "2026-13-45"])
      expect({ since, code: (await project.run(["report", "--since", since])).code }).toEqual({ since, code: 2 });
    expect((await project.run(["report", "--since", "2026-01-20"])).code).toBe(0);
  });

  it("B9: tells of all projects, names them, and its commands work from anywhere", async () => {
    const project = new Project({ "p.mjs": 'export function process() { throw new Error("no such table"); }\n' });
    const other = path.join(project.root, "other project");
    fs.cpSync(project.dir, other, { recursive: true });
    for (const [runId, cwd] of [
      ["a", project.dir],
      ["b", other],
    ] as const)
      expect((await project.run(["run", "p.mjs", "--run-id", runId, "--plain"], { cwd })).code).toBe(1);
    const report = await project.ask(["report", "--all-projects"]);
    expect(report).toMatchObject({
      failed: [
        { runId: "a", project: project.dir },
        { runId: "b", project: other },
      ],
      causes: [{ what: "no such table", runs: [{ runId: "b" }, { runId: "a" }] }],
      next: [{ command: `babysitter run:status b --runs-dir '${path.join(other, ".a5c", "runs")}'` }],
    });
    expect((await project.run(["report"])).stdout).not.toContain("other project");
    const elsewhere = await project.run(["report"], { cwd: project.root });
    expect(elsewhere.stdout).toMatch(/: nothing happened\.\nThis is about one project\..*report --all-projects\n$/u);
    const look = ["run:status", "b", "--runs-dir", path.join(other, ".a5c", "runs")];
    expect((await project.run(look)).stdout).toContain("no such table");
  });

  it("shows people the newest of very many that have ended, and programs all", async () => {
    const project = new Project({ "p.mjs": "export async function process() {}\n" });
    const names = Array.from({ length: 102 }, (_, n) => `run-${String(n).padStart(3, "0")}`);
    for (const runId of names) {
      const entry = { processId: "p", importPath: project.path("p.mjs") };
      const { runDir } = await createRun({ runsDir: project.runsDir, runId, process: entry });
      const run = await openRun({ runDir });
      await run.iterate();
      await run.close();
    }
    const { stdout } = await project.run(["report"]);
    expect(stdout).toContain("102 finished");
    expect([...stdout.matchAll(/^ {2}(run-\S+)/gmu)].map(([, runId]) => runId)).toEqual(names.slice(92));
    expect(stdout).toContain("\n  … and 92 that ended earlier; use --json to see all\n");
    expect(await project.ask(["report"])).toMatchObject({ finished: names.map((runId) => ({ runId })) });
  });
});
