/** A copy of a run in progress: what the original has started is none of its business. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { drive, drivenProject, linesOf, open, RunningDriver, reached } from "../fixtures/drive/driven-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";

async function atWork(): Promise<{ project: Project; driver: RunningDriver; pid: number }> {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "r"]);
  await reached(project, ["a"]);
  await until(() => project.events("r", "EFFECT_STARTED").length > 0);
  return { project, driver, pid: Number(linesOf(project, "a.starts")[0]) };
}

/** A copy of the whole project, with or without what only caches and the driver need. */
function copyOf(project: Project, withState: boolean): Project {
  const copy = new Project({}, "copy", path.join(project.root, withState ? "whole" : "journals"));
  fs.cpSync(project.dir, copy.dir, { recursive: true });
  fs.rmSync(copy.path("a.starts"));
  if (!withState) fs.rmSync(path.join(copy.runDir("r"), "state"), { recursive: true });
  return copy;
}

test.each([true, false])(
  "C21: driving a copy leaves the original's tasks alone (with state/: %s)",
  async (withState) => {
    const { project, driver, pid } = await atWork();
    const copy = copyOf(project, withState);
    open(copy, "a");
    expect(await drive(copy, ["r"])).toMatchObject({ code: 0 });
    expect(linesOf(copy, "a.starts")).toHaveLength(1);
    expect(isRunning(pid)).toBe(true);
    open(project, "a");
    expect((await driver.finished).doc.output).toEqual({ name: "a" });
    expect(linesOf(project, "a.starts")).toHaveLength(1);
  },
);

test.each([true, false])(
  "C21: so does a copy whose original was killed; its own next driver ends them (with state/: %s)",
  async (withState) => {
    const { project, driver, pid } = await atWork();
    driver.child.kill("SIGKILL");
    await driver.finished;
    const copy = copyOf(project, withState);
    open(copy, "a");
    expect(await drive(copy, ["r"])).toMatchObject({ code: 0 });
    expect(isRunning(pid)).toBe(true);
    const next = new RunningDriver(project, ["r"]);
    await reached(project, ["a"], 2);
    expect(isRunning(pid)).toBe(false);
    open(project, "a");
    expect((await next.finished).code).toBe(0);
  },
);

test("C21: a run whose directory was renamed is still the same: what it has left running is ended", async () => {
  const { project, driver, pid } = await atWork();
  driver.child.kill("SIGKILL");
  await driver.finished;
  const moved = new Project({}, "moved", path.join(project.root, "elsewhere"));
  fs.rmdirSync(moved.dir);
  fs.renameSync(project.dir, moved.dir);
  const next = new RunningDriver(moved, ["r"]);
  await reached(moved, ["a"], 2);
  expect(isRunning(pid)).toBe(false);
  open(moved, "a");
  expect((await next.finished).code).toBe(0);
});
