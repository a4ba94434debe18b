import fs from "node:fs";
import { expect, test } from "vitest";
import { FileLeases } from "../../packages/sdk/src/journal/files/file-leases.js";
import { parseRunId } from "../../packages/sdk/src/model/ids.js";
import { drive, drivenProject, linesOf, open, RunningDriver, reached } from "../fixtures/drive/driven-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import type { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

const pidsOf = (project: Parameters<typeof linesOf>[0], gate: string): number[] =>
  linesOf(project, `${gate}.starts`).map(Number);

test("C21: a driver killed in the middle of three tasks; the next one ends them, repeats no recorded result, and reaches the same end", async () => {
  const project = drivenProject(`
    return ctx.parallel.all(["a", "b", "c"].map((name) => () => ctx.task(gate(name))));
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "killed"]);
  await reached(project, ["a", "b", "c"]);
  open(project, "a");
  const runDir = project.runDir("killed");
  await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_RESOLVED"));
  driver.child.kill("SIGKILL");
  await driver.finished;
  const orphans = [...pidsOf(project, "b"), ...pidsOf(project, "c")];
  expect(orphans.filter(isRunning)).toEqual(orphans);

  const next = new RunningDriver(project, ["killed"]);
  await reached(project, ["b", "c"], 2);
  expect(orphans.filter(isRunning)).toEqual([]);
  open(project, "b", "c");
  const { code, doc } = await next.finished;
  expect(code).toBe(0);
  expect(doc.output).toEqual([{ name: "a" }, { name: "b" }, { name: "c" }]);
  expect(linesOf(project, "a.starts")).toHaveLength(1);
  expect(linesOf(project, "b.ends")).toHaveLength(1);
  const failed = eventsOf(runDir).filter(({ type }) => type === "EFFECT_ATTEMPT_FAILED");
  expect(failed.map(({ payload }) => [payload["reason"], payload["nextAttempt"]])).toEqual([
    ["interrupted", 2],
    ["interrupted", 2],
  ]);
});

test("a driver killed between starting a task and recording it: the task is found by its marker", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "unrecorded"]);
  await reached(project, ["a"]);
  const runDir = project.runDir("unrecorded");
  await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_STARTED"));
  driver.child.kill("SIGKILL");
  await driver.finished;
  const last = fs.readdirSync(`${runDir}/journal`).toSorted().at(-1) as string;
  fs.rmSync(`${runDir}/journal/${last}`);
  const [orphan] = pidsOf(project, "a") as [number];
  expect(isRunning(orphan)).toBe(true);

  const next = new RunningDriver(project, ["unrecorded"]);
  await reached(project, ["a"], 2);
  expect(isRunning(orphan)).toBe(false);
  open(project, "a");
  expect((await next.finished).doc.output).toEqual({ name: "a" });
});

test("a task that must not be repeated fails when its driver was killed", async () => {
  const project = drivenProject(`
    return ctx.task(gate("a", { retry: { interrupted: false } })).catch((error) => ({ code: error.code, message: error.message }));
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "once"]);
  await reached(project, ["a"]);
  await until(() => eventsOf(project.runDir("once")).some(({ type }) => type === "EFFECT_STARTED"));
  driver.child.kill("SIGKILL");
  await driver.finished;
  const { doc } = await drive(project, ["once"]);
  expect(doc.output).toMatchObject({ code: "TASK_INTERRUPTED" });
  expect(linesOf(project, "a.starts")).toHaveLength(1);
});

test("C21: of two drivers of one run one works and the other says so; afterwards the run is free", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const first = new RunningDriver(project, ["p.mjs", "--run-id", "two"]);
  await reached(project, ["a"]);
  const second = await drive(project, ["two"]);
  expect(second.code).toBe(9);
  expect(second.doc.error).toMatchObject({ code: "RUN_BUSY", details: { pid: first.pid } });
  open(project, "a");
  expect((await first.finished).doc.output).toEqual({ name: "a" });
  expect(linesOf(project, "a.starts")).toHaveLength(1);
  expect((await drive(project, ["two"])).code).toBe(0);
});

test("ten drivers started at once: one executes, the others are told", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  await project.create("p.mjs", "ten");
  const drivers = Array.from({ length: 10 }, () => new RunningDriver(project, ["ten"]));
  let told = 0;
  for (const { finished } of drivers) void finished.then(() => void (told += 1));
  await until(() => told === 9);
  open(project, "a");
  const codes = (await Promise.all(drivers.map(({ finished }) => finished))).map(({ code }) => code);
  expect(codes.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([0, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
  expect(linesOf(project, "a.starts")).toHaveLength(1);
});

test("C21: Ctrl-C stops the tasks cleanly; the run resumes later", async () => {
  const project = drivenProject(`
    return ctx.parallel.all([() => ctx.task(gate("a")), () => ctx.task(shell("trap 'echo bye; touch cleaned; exit 9' TERM; touch ready; while [ ! -e b.go ]; do sleep 0.02; done"))]);
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "stopped"]);
  await reached(project, ["a"]);
  await until(() => fs.existsSync(project.path("ready")));
  driver.child.kill("SIGINT");
  const { code, doc } = await driver.finished;
  expect(code).toBe(130);
  expect(doc).toMatchObject({ state: "interrupted", next: [{ command: "babysitter run stopped" }] });
  expect(fs.existsSync(project.path("cleaned"))).toBe(true);
  expect(pidsOf(project, "a").filter(isRunning)).toEqual([]);
  open(project, "a", "b");
  const resumed = await drive(project, ["stopped"]);
  expect(resumed.doc.state).toBe("completed");
  expect(eventsOf(resumed.doc.runDir).filter(({ type }) => type === "EFFECT_ATTEMPT_FAILED")).toHaveLength(2);
});

test("C21: Ctrl-C twice does not wait for a task that will not end", async () => {
  const project = drivenProject(`
    await ctx.task(shell("trap '' TERM INT; echo $$ > stubborn; while :; do sleep 0.05; done", { shell: { timeout: 0 } }));
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "twice"]);
  await until(() => linesOf(project, "stubborn").length > 0);
  const pid = Number(linesOf(project, "stubborn")[0]);
  driver.child.kill("SIGINT");
  await until(() => driver.told.includes("press Ctrl-C again"));
  driver.child.kill("SIGINT");
  expect((await driver.finished).code).toBe(130);
  expect(isRunning(pid)).toBe(false);
  expect((await project.ask(["run:status", "twice"])).state).toBe("waiting");
});

test("a driver killed while it waited leaves a run that the next one wakes", async () => {
  const project = drivenProject(`await ctx.sleep(1500); return "awake";`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "asleep"]);
  const runDir = project.runDir("asleep");
  await until(() => fs.existsSync(runDir) && eventsOf(runDir).some(({ type }) => type === "EFFECT_REQUESTED"));
  driver.child.kill("SIGKILL");
  await driver.finished;
  const { doc } = await drive(project, ["asleep"]);
  expect(doc.output).toBe("awake");
});

/** A driver at work on gate "a" whose lease someone else takes. */
async function overtaken(body: string): Promise<{ project: Project; driver: RunningDriver; runDir: string }> {
  const project = drivenProject(body);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "overtaken"]);
  await reached(project, ["a"]);
  const runDir = project.runDir("overtaken");
  await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_STARTED"));
  const leases = new FileLeases({ runDir: () => runDir, now: () => new Date() });
  const holder = { pid: process.pid, startTime: "now", host: "elsewhere", nonce: "other" };
  expect(await leases.take(parseRunId("overtaken"), holder, () => true)).toMatchObject({ taken: true, epoch: 2 });
  return { project, driver, runDir };
}

test("a driver whose lease was taken over records no result any more", async () => {
  const { project, driver, runDir } = await overtaken(`return ctx.task(gate("a"));`);
  const before = eventsOf(runDir);
  open(project, "a");
  const { code, doc } = await driver.finished;
  expect([code, doc.error?.code]).toEqual([9, "RUN_BUSY"]);
  expect(eventsOf(runDir)).toEqual(before);
});

test("a driver whose lease was taken over records nothing that its process asks for", async () => {
  const { project, driver, runDir } = await overtaken(`
    const later = async () => { await ctx.task({ id: "outside", kind: "agent" }); return ctx.task(gate("b")); };
    return ctx.parallel.all([() => ctx.task(gate("a")), later]);
  `);
  const { effectId = "" } = eventsOf(runDir).find(({ taskId }) => taskId === "outside") ?? {};
  await project.ask(["task:post", "overtaken", effectId, "--status", "ok"]);
  const before = eventsOf(runDir);
  expect(before.at(-1)).toMatchObject({ type: "EFFECT_RESOLVED", effectId });
  await until(() => fs.readFileSync(`${runDir}/state/head.json`, "utf8").includes('"RUN_BUSY"'));
  open(project, "a");
  expect((await driver.finished).code).toBe(9);
  expect(eventsOf(runDir)).toEqual(before);
});

test("C21: a task that ends its driver every time is not tried for ever, and says so", async () => {
  const project = drivenProject(`await ctx.task(shell("kill -9 $PPID; sleep 60"));`);
  let driven = await drive(project, ["p.mjs", "--run-id", "r"]);
  while (driven.signal === "SIGKILL") driven = await drive(project, ["r"]);
  const { doc } = driven;
  expect(doc).toMatchObject({ state: "failed", error: { code: "TASK_INTERRUPTED" } });
  expect(doc.error?.message).toMatch(/has ended\. It is not repeated after 10 interruptions\.$/);
});
