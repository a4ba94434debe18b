/** A driver that may open few files: it runs fewer tasks at once instead of failing, and says so. */
import { expect, test } from "vitest";
import { CLI, execute } from "../fixtures/command-line.js";
import { linesOf } from "../fixtures/drive/driven-project.js";
import { Project } from "../fixtures/project.js";

const TASKS = 45;
const PROCESS = `export const process = async (inputs, ctx) => {
  const task = (number) => () => ctx.task({ kind: "shell", title: "t" + number, shell: { command: "sleep 0.1; echo $BABYSITTER_ATTEMPT >> attempts" } });
  return (await ctx.parallel.all(Array.from({ length: ${TASKS} }, (_, number) => task(number)))).length;
};
`;

const limited = (project: Project, files: number, args: string[]) =>
  execute("bash", ["-c", `ulimit -n ${files}; exec "$@"`, "bash", process.execPath, CLI, ...args], {
    cwd: project.dir,
    home: project.home,
  });

test.each([40, 64])(
  "C21: with at most %i open files and --concurrency 20 a run finishes, every task at its first attempt",
  async (files) => {
    const project = new Project({ "p.mjs": PROCESS });
    const done = await limited(project, files, ["run", "p.mjs", "--run-id", "r", "--concurrency", "20", "--json"]);
    expect([done.code, done.json().output]).toEqual([0, TASKS]);
    expect(done.stderr).toMatch(/(?:At most \d+ tasks run at once|One task runs at a time) from now on, not 20/u);
    expect(done.stderr).toContain("ulimit -n");
    expect(linesOf(project, "attempts")).toEqual(Array.from({ length: TASKS }, () => "1"));
    expect(project.events("r", "EFFECT_ATTEMPT_FAILED")).toEqual([]);
  },
);

test("C13: so does run:iterate, whose tasks are executed by a program of their own", async () => {
  const project = new Project({
    "p.mjs": PROCESS,
    ".a5c/config.json": JSON.stringify({ driver: { concurrency: 20 } }),
  });
  await project.create("p.mjs", "r");
  const step = await limited(project, 64, ["run:iterate", "r", "--json"]);
  expect(step.json()).toMatchObject({ status: "executed", count: TASKS });
  expect(linesOf(project, "attempts")).toEqual(Array.from({ length: TASKS }, () => "1"));
  expect(project.read(".a5c/runs/r/state/task-runner.log")).toContain("not 20");
});
