/** Whether the driver of a run is alive, across PID namespaces, and when nobody buries it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { drive, drivenProject, linesOf, open, reached } from "../fixtures/drive/driven-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import type { Project } from "../fixtures/project.js";

const UNSHARE = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const canUnshare = spawnSync("unshare", [...UNSHARE, "true"]).status === 0;

function started(project: Project, program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { cwd: project.dir, env: cleanEnvironment(project.home), stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

interface Lease {
  pid: number;
  at: string;
  released: boolean;
}

function leaseFile(project: Project, runId: string): string | undefined {
  const state = path.join(project.runDir(runId), "state");
  const name = fs.existsSync(state) ? fs.readdirSync(state).find((one) => one.startsWith("driver-")) : undefined;
  return name && path.join(state, name);
}

function leaseOf(project: Project, runId: string): Lease {
  return JSON.parse(fs.readFileSync(leaseFile(project, runId) as string, "utf8")) as Lease;
}

test.runIf(canUnshare)("C21: a driver in another PID namespace is not taken for gone: its task runs once", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const inside = started(project, "unshare", [...UNSHARE, process.execPath, CLI, "run", "p.mjs", "--run-id", "r"]);
  await reached(project, ["a"]);
  for (const args of [["r"], ["r", "--wait"]]) {
    const second = await drive(project, args);
    expect(second.code).toBe(9);
    expect(second.doc.error).toMatchObject({ code: "RUN_BUSY", details: { until: expect.any(String) as string } });
    expect(second.doc.error?.hint).toContain("another container");
  }
  // run:iterate would start a task runner.
  const step = await project.ask(["run:iterate", "r", "--wait", "2s"]);
  expect(step).toMatchObject({ status: "waiting", reason: "tasks-running" });
  expect(linesOf(project, "a.starts")).toHaveLength(1);
  open(project, "a");
  await until(() => inside.exitCode !== null);
  expect(inside.exitCode).toBe(0);
  expect(linesOf(project, "a.starts")).toHaveLength(1);
});

test.runIf(canUnshare)("C21: the lease of a driver that ended unseen in its namespace runs out", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const inside = started(project, "unshare", [...UNSHARE, process.execPath, CLI, "run", "p.mjs", "--run-id", "r"]);
  await reached(project, ["a"]);
  const exited = new Promise((resolve) => inside.once("exit", resolve));
  inside.kill("SIGKILL");
  await exited;
  expect((await drive(project, ["r"])).code).toBe(9);
  const file = leaseFile(project, "r") as string;
  const longAgo = new Date(Date.parse(leaseOf(project, "r").at) - 61_000).toISOString();
  fs.writeFileSync(file, JSON.stringify({ ...leaseOf(project, "r"), at: longAgo }));
  open(project, "a");
  expect(await drive(project, ["r"])).toMatchObject({ code: 0 });
});

test.skipIf(process.platform !== "linux")("C21: a killed driver that nobody buries has no lease any more", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  // Becomes a program that never asks what has become of its child, like the first process of many containers.
  const script = '"$@" > /dev/null 2>&1 & exec sleep 1000';
  started(project, "/bin/sh", ["-c", script, "sh", process.execPath, CLI, "run", "p.mjs", "--run-id", "r"]);
  await reached(project, ["a"]);
  const { pid } = leaseOf(project, "r");
  process.kill(pid, "SIGKILL");
  await until(() => !isRunning(pid));
  expect(process.kill(pid, 0)).toBe(true);
  open(project, "a");
  expect(await drive(project, ["r"])).toMatchObject({ code: 0 });
  expect(linesOf(project, "a.starts").length).toBeGreaterThan(0);
});
