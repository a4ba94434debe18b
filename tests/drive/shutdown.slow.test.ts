import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { drive, drivenProject, linesOf, open, RunningDriver, reached } from "../fixtures/drive/driven-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import type { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

function taskPid(project: Project, gate: string): number {
  const pid = Number(linesOf(project, `${gate}.starts`)[0]);
  // Signals to 0 would reach the tests themselves.
  expect(pid).toBeGreaterThan(1);
  return pid;
}

/** The program that hosts the process of a driver. */
function hostOf({ pid }: RunningDriver): number {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const isHost = (child: number): boolean =>
    fs.readFileSync(`/proc/${child}/cmdline`, "utf8").includes("internal:process-worker");
  return children.find(isHost) as number;
}

test("a shutdown that reaches the tasks before the driver is no failure of the tasks", async () => {
  const project = drivenProject(`
    return ctx.parallel.all([() => ctx.task(gate("a")), () => ctx.task(gate("b"))]);
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "down"]);
  await reached(project, ["a", "b"]);
  const pids = [taskPid(project, "a"), taskPid(project, "b")];
  for (const pid of pids) process.kill(pid, "SIGTERM");
  // The driver has taken their exit codes: it knows of their end, and not yet of its own.
  await until(() => pids.every((pid) => !fs.existsSync(`/proc/${pid}`)));
  driver.child.kill("SIGTERM");
  expect((await driver.finished).code).toBe(130);
  const types = eventsOf(project.runDir("down")).map(({ type }) => type);
  expect(types).not.toContain("EFFECT_RESOLVED");
  open(project, "a", "b");
  expect((await drive(project, ["down"])).doc.output).toEqual([{ name: "a" }, { name: "b" }]);
});

test("a task that someone else ends by a signal has failed, when the driver goes on", async () => {
  const project = drivenProject(`return ctx.task(gate("a")).catch((error) => error.signal);`);
  const driver = new RunningDriver(project, ["p.mjs"]);
  await reached(project, ["a"]);
  process.kill(taskPid(project, "a"), "SIGTERM");
  expect((await driver.finished).doc.output).toBe("SIGTERM");
});

test("the program of the process may be killed: it is started again", async () => {
  const project = drivenProject(`const a = await ctx.task(gate("a")); return [a, await ctx.task(gate("b"))];`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "host"]);
  await reached(project, ["a"]);
  process.kill(hostOf(driver), "SIGKILL");
  open(project, "a", "b");
  expect((await driver.finished).doc.output).toEqual([{ name: "a" }, { name: "b" }]);
  expect(linesOf(project, "a.starts")).toHaveLength(1);
});

test("a hang-up does not stop a driver that never had a terminal", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const driver = new RunningDriver(project, ["p.mjs"]);
  await reached(project, ["a"]);
  driver.child.kill("SIGHUP");
  open(project, "a");
  expect((await driver.finished).doc.output).toEqual({ name: "a" });
});

test("state/ may be deleted under a driver: it goes on, and a second one is still refused", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "bare"]);
  await reached(project, ["a"]);
  const state = path.join(project.runDir("bare"), "state");
  fs.rmSync(state, { recursive: true });
  await until(() => fs.existsSync(state) && fs.readdirSync(state).some((name) => name.startsWith("driver-")));
  expect((await drive(project, ["bare"])).code).toBe(9);
  open(project, "a");
  expect((await driver.finished).doc.output).toEqual({ name: "a" });
});

test("a task whose result came from elsewhere has its time to clean up", async () => {
  const project = drivenProject(`
    return ctx.task(shell("trap 'sleep 0.2 && touch cleaned; exit 0' TERM; touch ready; while :; do sleep 0.01; done"));
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "posted"]);
  await until(() => fs.existsSync(project.path("ready")));
  const [requested] = eventsOf(project.runDir("posted")).filter(({ type }) => type === "EFFECT_REQUESTED");
  await project.post("posted", requested?.effectId as string, "elsewhere");
  expect((await driver.finished).doc.output).toBe("elsewhere");
  expect(fs.existsSync(project.path("cleaned"))).toBe(true);
});

test("a driver that was frozen does not take its process for one that spins", async () => {
  const project = drivenProject(`
    await ctx.task(gate("a"));
    for (let n = 0; n < 8; n += 1) await new Promise((resolve) => setTimeout(resolve, 200));
    return "awake";
  `);
  const driver = new RunningDriver(project, ["p.mjs"], { BABYSITTER_TURN_LIMIT_MS: "600" });
  await reached(project, ["a"]);
  open(project, "a");
  await until(() => linesOf(project, "a.ends").length > 0);
  driver.child.kill("SIGSTOP");
  // Longer than the limit, which is what the test is about.
  execFileSync("sleep", ["1"]);
  driver.child.kill("SIGCONT");
  expect((await driver.finished).doc.output).toBe("awake");
});

test("what a process has started and left is ended with the run", async () => {
  const project = drivenProject(`
    const { spawn } = await import("node:child_process");
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    child.unref();
    return child.pid;
  `);
  const { doc } = await drive(project, ["p.mjs"]);
  expect(isRunning(doc.output as number)).toBe(false);
});
