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
    expect(stdout).toContain("1 finished, 1 failed, 2 waiting, 1 cancelled");
    expect(stdout).toMatch(/^waiting +c +\d+ s +you: Which way\?$/mu);
    for (const since of ["yesterday", "5", "2026-13-45"])
      expect({ since, code: (await project.run(["report", "--since", since])).code }).toEqual({ since, code: 2 });
    expect((await project.run(["report", "--since", "2026-01-20"])).code).toBe(0);
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
    expect([...stdout.matchAll(/^finished +(\S+)/gmu)].map(([, runId]) => runId)).toEqual(names.slice(2));
    expect(stdout).toContain("\n… and 2 that ended before; use --json to see all\n");
    expect(await project.ask(["report"])).toMatchObject({ finished: names.map((runId) => ({ runId })) });
  });
});
