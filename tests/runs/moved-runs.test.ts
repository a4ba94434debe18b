/** Runs whose folder is moved or copied. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Project } from "../fixtures/project.js";
import { moved, postNext, TWO_STEPS } from "../fixtures/runs/moved-project.js";
import { wandering } from "../fixtures/runs/wandering-runs.js";

test("C5 R1: runs are never diverged, whatever is moved or copied between any two commands", async () => {
  const report = await fc.check(wandering, { numRuns: 4, seed: 13 });
  expect(fc.defaultReportMessage(report)).toBeUndefined();
});

test("C5: a run whose results hold paths of its project goes on where the project was moved to, and in a copy", async () => {
  const project = new Project({ "p.mjs": TWO_STEPS });
  await project.create("p.mjs", "run-1");
  await project.ask(["run:iterate", "run-1"]);
  await postNext(project);
  await project.ask(["run:iterate", "run-1"]);
  const second = moved(project, "renamed");
  expect(await second.ask(["run:iterate", "run-1"])).toMatchObject({ status: "waiting", warnings: [] });
  const third = moved(second, "copy", "copied");
  for (const where of [second, third]) {
    await postNext(where);
    const end = await where.ask(["run:iterate", "run-1"]);
    expect([end.status, end.output]).toEqual([
      "completed",
      {
        first: { file: project.path("out.txt"), log: project.runDir("run-1") },
        second: { file: where.path("out.txt"), log: where.runDir("run-1") },
      },
    ]);
  }
});

test("C5: a task that was asked for before the move is executed in the new place", async () => {
  const project = new Project({
    "p.mjs": `
export const process = (inputs, ctx) =>
  ctx.task({ kind: "shell", id: "read", shell: { command: "cat '" + inputs.dir + "/in.txt'", cwd: inputs.dir } });
`,
    "in.txt": "found",
  });
  await project.create("p.mjs", "run-1", ["--inputs", "-"], { stdin: JSON.stringify({ dir: project.dir }) });
  await project.ask(["run:iterate", "run-1", "--no-hooks"]);
  const there = moved(project, "elsewhere");
  const done = await there.run(["run", "run-1", "--json"]);
  expect([done.code, done.json().output]).toMatchObject([0, { stdout: "found" }]);
});
