import { execFileSync } from "node:child_process";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { execute } from "../fixtures/command-line.js";
import { Project } from "../fixtures/project.js";
import { moved, postNext, TWO_STEPS } from "../fixtures/runs/moved-project.js";
import { wandering } from "../fixtures/runs/wandering-runs.js";
import { tempDir } from "../fixtures/temp-dir.js";

test("C5 R1: hundreds of runs are never diverged, whatever is moved or copied between any two commands", async () => {
  const report = await fc.check(wandering, { numRuns: 150 });
  expect(fc.defaultReportMessage(report)).toBeUndefined();
}, 900_000);

test("C5: a fork goes on although results name the folder of the run that it is a copy of", async () => {
  const project = new Project({ "p.mjs": TWO_STEPS });
  await project.create("p.mjs", "run-1");
  await project.ask(["run:iterate", "run-1"]);
  await postNext(project);
  await project.ask(["run:iterate", "run-1"]);
  await project.ask(["run:fork", "run-1", "--at", "4", "--run-id", "fork-2"]);
  const there = moved(project, "with-a-fork");
  expect(await there.ask(["run:iterate", "fork-2"])).toMatchObject({ status: "waiting", count: 1 });
  await postNext(there, "fork-2");
  expect((await there.ask(["run:iterate", "fork-2"])).output).toMatchObject({
    first: { log: project.runDir("run-1") },
    second: { log: there.runDir("fork-2") },
  });
});

test("C5: a run that a program of the first replay rules began survives a move once this one has worked on it", async () => {
  const old = tempDir();
  const archive = path.join(import.meta.dirname, "../histories/semantics-1/build.tgz");
  execFileSync("tar", ["xzf", archive, "-C", old]);
  const project = new Project({ "p.mjs": TWO_STEPS });
  const before = async (...args: string[]): Promise<void> => {
    const where = { cwd: project.dir, home: project.home };
    const done = await execute(process.execPath, [path.join(old, "dist/babysitter.cjs"), ...args], where);
    expect([done.code, done.stderr]).toEqual([0, ""]);
  };
  await before("run:create", "--process-id", "p", "--entry", "p.mjs", "--run-id", "run-1");
  await before("run:iterate", "run-1");
  expect(project.events("run-1", "RUN_CREATED")[0]?.payload).toMatchObject({ semantics: 1 });
  await postNext(project);
  await project.ask(["run:iterate", "run-1"]);
  const there = moved(project, "renamed");
  expect(await there.ask(["run:iterate", "run-1"])).toMatchObject({ status: "waiting" });
  await postNext(there);
  expect((await there.ask(["run:iterate", "run-1"])).status).toBe("completed");
});

test("C5 C21: a run that ended somewhere else replays to its recorded end", async () => {
  const project = new Project({ "p.mjs": `export const process = (inputs, ctx) => ({ dir: ctx.runDir });` });
  await project.create("p.mjs", "run-1");
  await project.ask(["run:iterate", "run-1"]);
  const there = moved(project, "renamed");
  expect((await there.run(["run:replay", "run-1"])).code).toBe(0);
});
