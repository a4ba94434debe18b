/** Looking on while another program drives a run: the live view, plain lines, events and logs. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { TerminalScreen } from "../fixtures/cli/progress/terminal-screen.js";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { drivenProject, open, RunningDriver } from "../fixtures/drive/driven-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import type { Project } from "../fixtures/project.js";

const TALKING = `
const fs = require("node:fs");
console.log("one");
console.error("oops");
const timer = setInterval(() => {
  if (!fs.existsSync("talk.go")) return;
  clearInterval(timer);
  console.log("two");
}, 10);
`;
const BODY = `
  await ctx.task({ kind: "node", title: "talk", node: { entry: "talk.cjs" } });
  await ctx.task(gate("last"));
  return "fine";`;

/** A run whose first task is under way. */
async function talkingRun(): Promise<{ project: Project; driver: RunningDriver; effectId: string }> {
  const project = drivenProject(BODY, { "talk.cjs": TALKING });
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "r"]);
  await until(() => fs.existsSync(project.runDir("r")) && project.events("r", "EFFECT_STARTED").length > 0);
  const [started] = project.events("r", "EFFECT_STARTED");
  return { project, driver, effectId: (started as unknown as { effectId: string }).effectId };
}

/** A command whose output is looked at while it runs. */
class Follower {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  stdout = "";
  stderr = "";

  constructor(project: Project, args: string[]) {
    this.child = spawn(process.execPath, [CLI, ...args], {
      cwd: project.dir,
      env: cleanEnvironment(project.home),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.setEncoding("utf8").on("data", (chunk: string) => void (this.stdout += chunk));
    this.child.stderr?.setEncoding("utf8").on("data", (chunk: string) => void (this.stderr += chunk));
    this.exit = new Promise((resolve) => this.child.on("close", resolve));
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }
}

function screenOf(project: Project, args: string[]): TerminalScreen {
  const size = { cols: 80, rows: 24 };
  return new TerminalScreen(CLI, [...args, "--runs-dir", project.runsDir], size, { HOME: project.home });
}

it("C27: run:watch shows a run that another program drives; Ctrl-C leaves the run alone", async () => {
  const { project, driver } = await talkingRun();
  const [short, screen] = [screenOf(project, ["run:watch", "r"]), screenOf(project, ["run:watch", "r"])];
  await short.until(({ text }) => text.includes("talk"));
  short.type("\u0003");
  expect(await short.exit).toBe(130);
  expect(short.history.join(" ")).toContain("this does not stop the run");
  expect(isRunning(driver.pid)).toBe(true);
  await screen.until(({ text }) => /talk .*(one|oops)/.test(text));
  open(project, "talk");
  await screen.until(({ text }) => /✓ talk/.test(text) && /last/.test(text));
  open(project, "last");
  expect(await screen.exit).toBe(0);
  expect(screen.history.join("\n")).toMatch(/completed {2}r .*\n.*\n.*output +"fine"/);
  expect((await driver.finished).doc).toMatchObject({ state: "completed", output: "fine" });
  expect(project.events("r", "EFFECT_ATTEMPT_FAILED")).toEqual([]);
});

const typesIn = (text: string): (string | undefined)[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(/ +/)[2]);

it("C27: run:watch --logs, run:events --follow and task:logs -f print what comes, until it is over or nobody reads", async () => {
  const { project, driver, effectId } = await talkingRun();
  const follow = (...args: string[]): Follower => new Follower(project, args);
  const left = [follow("run:watch", "r"), follow("run:events", "r", "-f"), follow("task:logs", "r", effectId, "-f")];
  const watcher = follow("run:watch", "r", "--logs");
  const events = follow("run:events", "r", "-f");
  const json = follow("run:events", "r", "--follow", "--json");
  const logs = follow("task:logs", "r", effectId, "-f");
  await until(() => left.every(({ stdout }) => stdout !== ""));
  for (const { child } of left) child.stdout?.destroy();
  await until(() => watcher.stdout.includes("talk | one") && watcher.stdout.includes("talk | oops"));
  await until(() => [events, json].every(({ stdout }) => stdout.includes("EFFECT_STARTED")));
  await until(() => logs.stdout === "one\n" && logs.stderr === "oops\n");
  const status = await project.ask(["run:status", "r"]);
  expect(status.why).toContain("Executing: talk");
  expect(status.next).toBe(`babysitter run:watch r    (process ${driver.pid} is driving it)`);
  open(project, "talk");
  expect(await logs.exit).toBe(0);
  expect([logs.stdout, logs.stderr]).toEqual(["one\ntwo\n", "oops\n"]);
  expect(await Promise.all(left.map(({ exit }) => exit))).toEqual([0, 0, 0]);
  // The task's own words are no complaint.
  expect(left.map(({ stderr }) => stderr.replace("oops\n", ""))).toEqual(["", "", ""]);
  open(project, "last");
  expect(await Promise.all([watcher, events, json].map(({ exit }) => exit))).toEqual([0, 0, 0]);
  const types = project.events("r").map(({ type }) => type);
  expect(typesIn(events.stdout)).toEqual(types);
  const lines = json.stdout.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(types);
  const told = watcher.stdout.split("\n").map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""));
  expect(told.filter((line) => line.startsWith("out    talk"))).toEqual(["out    talk | one", "out    talk | two"]);
  expect(told.indexOf("out    talk | two")).toBeLessThan(told.findIndex((line) => line.startsWith("ok     talk")));
  expect(watcher.stdout).toContain("completed  r");
  const [all, last, newest, refused, unknown] = await Promise.all([
    project.run(["task:logs", "r", effectId]),
    project.run(["task:logs", "r", effectId, "--lines", "1"]),
    project.run(["run:events", "r", "-f", "--limit", "2"]),
    project.refuse(["run:events", "r", "--follow", "--reverse"]),
    project.refuse(["task:logs", "r", "effect-0"]),
  ]);
  expect([all.stdout, last.stdout]).toEqual(["one\ntwo\n", "two\n"]);
  expect(typesIn(newest.stdout)).toEqual(types.slice(-2));
  expect([refused.code, unknown.code]).toEqual(["USAGE", "EFFECT_NOT_FOUND"]);
});
