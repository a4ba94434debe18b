import { expect, test } from "vitest";
import {
  drive,
  drivenProject,
  linesOf,
  open,
  processText,
  RunningDriver,
  reached,
} from "../fixtures/drive/driven-project.js";
import { until } from "../fixtures/processes.js";
import { eventsOf } from "../fixtures/stored-events.js";

test("C21: a process that prints does not disturb the document, and what it prints is shown", async () => {
  const project = drivenProject(`
    console.log("to stdout"); globalThis.process.stdout.write("raw\\n"); console.error("to stderr");
    return 1;
  `);
  const { doc, stderr } = await drive(project, ["p.mjs"]);
  expect(doc.output).toBe(1);
  for (const line of ["to stdout", "raw", "to stderr"]) expect(stderr).toContain(line);
});

test("C21: a process that throws late, in a timer, fails the run", async () => {
  const project = drivenProject(`
    setTimeout(() => { throw new Error("too late"); }, 5);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await ctx.task(shell("true"));
  `);
  const { code, doc } = await drive(project, ["p.mjs"]);
  expect(code).toBe(1);
  expect(doc).toMatchObject({ state: "failed", error: { message: "too late" } });
});

test("C21: process.exit in a process is an error of the process, not the end of the driver", async () => {
  const project = drivenProject(`await ctx.task(shell("true")); globalThis.process.exit(0);`);
  const { code, doc } = await drive(project, ["p.mjs"]);
  expect(code).toBe(1);
  expect(doc).toMatchObject({ state: "failed", error: { code: "PROCESS_EXIT_CALLED" } });
});

test("C21: a process that spins forever is ended and named; results of its tasks are kept", async () => {
  const project = drivenProject(`
    const done = await ctx.task(shell("echo kept"));
    for (;;) {}
  `);
  const { code, doc } = await drive(project, ["p.mjs", "--run-id", "spins"], { BABYSITTER_TURN_LIMIT_MS: "2000" });
  expect(code).toBe(1);
  expect(doc).toMatchObject({ state: "error", error: { code: "PROCESS_SPINS" } });
  project.write({ "p.mjs": processText(`return (await ctx.task(shell("echo kept"))).stdout;`) });
  const mended = await drive(project, ["spins"]);
  expect(mended.doc.output).toBe("kept\n");
  expect(eventsOf(mended.doc.runDir).filter(({ type }) => type === "EFFECT_STARTED")).toHaveLength(1);
});

test("a process that takes its program down is named, and the run continues when it is fixed", async () => {
  const project = drivenProject(
    `await ctx.task(shell("true")); globalThis.process.kill(globalThis.process.pid, "SIGSEGV"); await new Promise(() => {});`,
  );
  const { code, doc } = await drive(project, ["p.mjs", "--run-id", "dies"]);
  expect(code).toBe(1);
  expect(doc.error).toMatchObject({ code: "PROCESS_DIED", message: expect.stringContaining("SIGSEGV") });
  project.write({ "p.mjs": processText(`await ctx.task(shell("true")); return "alive";`) });
  expect((await drive(project, ["dies"])).doc.output).toBe("alive");
});

test("a process that waits for nothing that could come is told so", async () => {
  const project = drivenProject(`await new Promise(() => {});`);
  const { code, doc } = await drive(project, ["p.mjs"]);
  expect(code).toBe(1);
  expect(doc.error).toMatchObject({ code: "PROCESS_STALLED" });
});

test("C21: code edited while a task runs is used from then on", async () => {
  const project = drivenProject(`const a = await ctx.task(gate("a")); return { a, version: 1 };`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "edited"]);
  await reached(project, ["a"]);
  project.write({ "p.mjs": processText(`const a = await ctx.task(gate("a")); return { a, version: 2 };`) });
  open(project, "a");
  const { doc, stderr } = await driver.finished;
  expect(doc.output).toEqual({ a: { name: "a" }, version: 2 });
  expect(stderr).toContain("code changed; restarting");
  expect(linesOf(project, "a.starts")).toHaveLength(1);
});

test("C21: an edit that does not fit the journal blocks the run; what ran meanwhile is recorded", async () => {
  const good = `const [a] = await Promise.all([ctx.task(gate("a")), ctx.task(gate("b"))]); return a;`;
  const project = drivenProject(good);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "bad"]);
  await reached(project, ["a", "b"]);
  project.write({ "p.mjs": processText(`return ctx.task(shell("something else"));`) });
  open(project, "a");
  const runDir = project.runDir("bad");
  await until(() => eventsOf(runDir).some(({ type }) => type === "RUN_BLOCKED"));
  open(project, "b");
  const { code, doc } = await driver.finished;
  expect(code).toBe(8);
  expect(doc.error).toMatchObject({ code: "RUN_DIVERGED" });
  expect(eventsOf(runDir).filter(({ type }) => type === "EFFECT_RESOLVED")).toHaveLength(2);
  project.write({ "p.mjs": processText(good) });
  expect((await drive(project, ["bad"])).doc.output).toEqual({ name: "a" });
});

test("C21: a syntax error saved while a task runs keeps the result; fixed in time, the run continues by itself", async () => {
  const good = `const a = await ctx.task(gate("a")); const b = await ctx.task(gate("b")); return [a, b];`;
  const both = `const [a, b] = await Promise.all([ctx.task(gate("a")), ctx.task(gate("b"))]); return [a, b];`;
  const project = drivenProject(both);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "syntax"]);
  await reached(project, ["a", "b"]);
  project.write({ "p.mjs": `${processText(good)} ))(` });
  open(project, "a");
  const runDir = project.runDir("syntax");
  await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_RESOLVED"));
  project.write({ "p.mjs": processText(both) });
  open(project, "b");
  expect((await driver.finished).doc.output).toEqual([{ name: "a" }, { name: "b" }]);
});
