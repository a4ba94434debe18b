/** Which commands make a project known in lists over all projects. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Project } from "../fixtures/project.js";

const WAITS = `export const process = (inputs, ctx) => ctx.task({ kind: "agent", id: "work", agent: {} });`;

function known(project: Project): string[] {
  const dir = path.join(project.home, ".a5c/projects");
  const texts = fs.existsSync(dir)
    ? fs.readdirSync(dir).map((name) => fs.readFileSync(path.join(dir, name), "utf8"))
    : [];
  return texts.map((text) => (JSON.parse(text) as { runsDir: string }).runsDir);
}

const runIn = ["run", "p.mjs", "--run-id", "one", "--json"];
const createIn = ["run:create", "--process-id", "p", "--entry", "p.mjs", "--run-id", "one", "--json"];
const askIn = ["breakpoint:create", "--question", "Go?", "--json"];

test.each([
  [3, "run", runIn],
  [0, "run:create", createIn],
  [0, "breakpoint:create", askIn],
])("ends with %i, and the project is known: %s", async (code, _name, args) => {
  const project = new Project({ "p.mjs": WAITS });
  expect([(await project.run(args)).code, known(project)]).toEqual([code, [project.runsDir]]);
});

test("a dry run and looking make nothing known", async () => {
  const project = new Project({ "p.mjs": WAITS });
  await project.run([...createIn, "--dry-run"]);
  await project.run(["run:list"]);
  expect(known(project)).toEqual([]);
});

test("no command fails because the home folder cannot be written", async () => {
  const project = new Project({ "p.mjs": WAITS });
  fs.writeFileSync(path.join(project.home, ".a5c"), "in the way");
  expect([(await project.run(createIn)).code, (await project.run(["run", "one", "--json"])).code]).toEqual([0, 3]);
});

test("a project that was moved is known in its new place with the next step, and no longer in the old one", async () => {
  const project = new Project({ "p.mjs": WAITS });
  await project.run(createIn);
  const moved = path.join(project.root, "moved");
  fs.renameSync(project.dir, moved);
  expect((await project.run(["run:iterate", "one", "--no-hooks"], { cwd: moved })).code).toBe(0);
  expect(known(project)).toEqual([path.join(moved, ".a5c/runs")]);
});
