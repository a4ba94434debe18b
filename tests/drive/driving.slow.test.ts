import fs from "node:fs";
import path from "node:path";
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
import { eventsOf, typesOf } from "../fixtures/stored-events.js";

test("C21 C6 C9: one command drives parallel tasks, a question answered by policy and a sleep to the result", async () => {
  const project = drivenProject(
    `
    const [a, b] = await ctx.parallel.all([
      () => ctx.task(shell("echo one; echo oops >&2")),
      () => ctx.task({ kind: "node", node: { entry: "twice.mjs" } }, { n: inputs.n }),
    ]);
    const answer = await ctx.breakpoint({ question: "Publish?" });
    await ctx.sleep(20);
    return { a, b, approved: answer.approved, via: answer.via, by: answer.respondedBy };
    `,
    {
      "twice.mjs": "export default ({ n }) => ({ twice: 2 * n });",
      "in.json": '{"n": 21}',
    },
  );
  const { code, doc } = await drive(project, ["p.mjs", "--inputs", "in.json", "--breakpoint-policy", "approve:test"]);
  expect(code).toBe(0);
  expect(doc).toMatchObject({ state: "completed", exit: "ok", waitingFor: [] });
  expect(doc.output).toEqual({
    a: { success: true, exitCode: 0, signal: null, stdout: "one\n", stderr: "oops\n" },
    b: { twice: 42 },
    approved: true,
    via: "policy",
    by: "policy:test",
  });
  expect(typesOf(doc.runDir).toSorted()).toEqual(
    [
      "RUN_CREATED",
      ...Array.from({ length: 4 }, () => "EFFECT_REQUESTED"),
      ...Array.from({ length: 2 }, () => "EFFECT_STARTED"),
      ...Array.from({ length: 4 }, () => "EFFECT_RESOLVED"),
      "BREAKPOINT_OPENED",
      "RUN_COMPLETED",
    ].toSorted(),
  );
  const started = eventsOf(doc.runDir).filter(({ type }) => type === "EFFECT_STARTED");
  for (const { payload } of started) {
    expect(payload).toMatchObject({ attempt: 1, group: { pid: expect.any(Number), marker: expect.any(String) } });
  }
});

test("C21: logs can be read while the task runs, and task:show tells of the attempt", async () => {
  const project = drivenProject(
    `return ctx.task(shell("echo begun; touch shown; while [ ! -e go ]; do sleep 0.02; done"))`,
  );
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "logs"]);
  await until(() => fs.existsSync(project.path("shown")));
  // A task begins before that is recorded.
  await until(() => eventsOf(project.runDir("logs")).some(({ type }) => type === "EFFECT_STARTED"));
  const [started] = eventsOf(project.runDir("logs")).filter(({ type }) => type === "EFFECT_STARTED");
  const log = path.join(project.runDir("logs"), "tasks", started?.effectId as string, "stdout.log");
  await until(() => fs.readFileSync(log, "utf8") === "begun\n");
  const shown = await project.ask(["task:show", "logs", started?.effectId as string]);
  expect(shown.stdout).toContain("begun");
  project.write({ go: "" });
  expect((await driver.finished).code).toBe(0);
});

test("C9: no more tasks run at once than allowed, and results keep their order", async () => {
  const project = drivenProject(`
    const names = ["a", "b", "c", "d", "e"];
    return ctx.parallel.map(names, (name) => ctx.task(gate(name)));
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--concurrency", "2"]);
  await reached(project, ["a", "b"]);
  expect(["c", "d", "e"].filter((name) => linesOf(project, `${name}.starts`).length > 0)).toEqual([]);
  open(project, "b");
  await reached(project, ["c"]);
  expect(linesOf(project, "d.starts")).toEqual([]);
  open(project, "a", "c", "d", "e");
  const { doc } = await driver.finished;
  expect(doc.output).toEqual(["a", "b", "c", "d", "e"].map((name) => ({ name })));
});

test("a task is tried again by its policy, each attempt is journaled, the process sees the last one only", async () => {
  const project = drivenProject(`
    return ctx.task(shell("echo x >> tries; [ $(wc -l < tries) -ge 3 ] || exit 75", { retry: { attempts: 4, backoffMs: 1, on: ["exit:75"] } }));
  `);
  const { doc } = await drive(project, ["p.mjs"]);
  expect(doc.output).toMatchObject({ exitCode: 0 });
  const failed = eventsOf(doc.runDir).filter(({ type }) => type === "EFFECT_ATTEMPT_FAILED");
  expect(failed.map(({ payload }) => [payload["attempt"], payload["nextAttempt"], payload["reason"]])).toEqual([
    [1, 2, "failed"],
    [2, 3, "failed"],
  ]);
  const [resolved] = eventsOf(doc.runDir).filter(({ type }) => type === "EFFECT_RESOLVED");
  expect(resolved?.payload).toMatchObject({ attempt: 3, status: "ok" });
});

const ENDINGS = [
  { after: "a process that throws", body: `throw new Error("no way");`, exit: 1, state: "failed" },
  { after: "a task whose failure nobody catches", body: `await ctx.task(shell("exit 4"));`, exit: 1, state: "failed" },
  {
    after: "a question without anybody to ask",
    body: `await ctx.breakpoint({ question: "Go?" });`,
    exit: 3,
    state: "waiting",
  },
  {
    after: "a kind of task that nobody here can do",
    body: `await ctx.task({ kind: "dance" });`,
    exit: 3,
    state: "waiting",
  },
  {
    after: "an agent task without a command",
    body: `await ctx.task({ kind: "agent", agent: { prompt: "x" } });`,
    exit: 3,
    state: "waiting",
  },
  {
    after: "a rejection that nobody looks at",
    body: `await ctx.breakpoint({ question: "Go?" }); await ctx.task(shell("true"));`,
    args: ["--breakpoint-policy", "reject"],
    exit: 10,
    state: "failed",
  },
];

test.each(ENDINGS)("C21: the exit code after $after", async ({ body, args = [], exit, state }) => {
  const project = drivenProject(body);
  const driven = await drive(project, ["p.mjs", ...args]);
  expect(driven.code).toBe(exit);
  expect(driven.doc.state).toBe(state);
  expect(driven.doc.next.length).toBeGreaterThan(0);
});

test("a question answered from outside is taken up by the next drive, or at once with --wait", async () => {
  const project = drivenProject(`
    const first = await ctx.breakpoint({ question: "First?" });
    const second = await ctx.breakpoint({ question: "Second?" });
    return [first.approved, second.approved, second.feedback];
  `);
  const { doc } = await drive(project, ["p.mjs", "--run-id", "asked"]);
  await project.post("asked", doc.waitingFor[0]?.effectId as string, { approved: true });
  const driver = new RunningDriver(project, ["asked", "--wait"]);
  await until(() => typesOf(project.runDir("asked")).filter((type) => type === "EFFECT_REQUESTED").length === 2);
  const second = eventsOf(project.runDir("asked")).findLast(({ type }) => type === "EFFECT_REQUESTED");
  await project.post("asked", second?.effectId as string, { approved: false, feedback: "not yet" });
  expect((await driver.finished).doc.output).toEqual([true, false, "not yet"]);
});

test("C21: run:cancel reaches a driver that is at work; its tasks end", async () => {
  const project = drivenProject(`await ctx.task(gate("a"));`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "gone"]);
  await reached(project, ["a"]);
  expect((await project.run(["run:cancel", "gone", "--reason", "enough"])).code).toBe(0);
  const { code, doc } = await driver.finished;
  expect(code).toBe(12);
  expect(doc).toMatchObject({ state: "cancelled", why: expect.stringContaining("enough") });
  const pid = Number(linesOf(project, "a.starts")[0]);
  expect(fs.existsSync(`/proc/${pid}`)).toBe(false);
});

test("a result posted by someone else ends the attempt that is under way", async () => {
  const project = drivenProject(`return ctx.task(gate("a"));`);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "posted"]);
  await reached(project, ["a"]);
  const [requested] = eventsOf(project.runDir("posted")).filter(({ type }) => type === "EFFECT_REQUESTED");
  await project.post("posted", requested?.effectId as string, { from: "elsewhere" });
  expect((await driver.finished).doc.output).toEqual({ from: "elsewhere" });
  expect(linesOf(project, "a.ends")).toEqual([]);
});

test("losers of a race are ended when the run has completed", async () => {
  const project = drivenProject(
    `return ctx.parallel.race([() => ctx.task(gate("slow")), () => ctx.task(gate("fast"))]);`,
  );
  const driver = new RunningDriver(project, ["p.mjs"]);
  await reached(project, ["slow", "fast"]);
  open(project, "fast");
  expect((await driver.finished).doc.output).toEqual({ name: "fast" });
  expect(fs.existsSync(`/proc/${linesOf(project, "slow.starts")[0]}`)).toBe(false);
});

test("a failed run goes on after its code was changed, and with --retry after its task was fixed", async () => {
  const project = drivenProject(`return ctx.task(shell("[ -e mended ] && echo fine"));`);
  const failed = await drive(project, ["p.mjs", "--run-id", "again"]);
  expect(failed.code).toBe(1);
  expect((await drive(project, ["again"])).code).toBe(1);
  project.write({ mended: "" });
  const retried = await drive(project, ["again", "--retry"]);
  expect(retried.doc.output).toMatchObject({ stdout: "fine\n" });
  project.write({ "q.mjs": processText(`throw new Error("broken");`) });
  expect((await drive(project, ["q.mjs", "--run-id", "edited"])).code).toBe(1);
  project.write({ "q.mjs": processText(`return "mended";`) });
  expect((await drive(project, ["edited"])).doc).toMatchObject({ state: "completed", output: "mended" });
});

test("a failure that a map with a limit has passed over is repeated in a copy; a retry of the others is not offered", async () => {
  const project = drivenProject(
    `return ctx.parallel.map([1, 2, 3], (n) => ctx.task(shell("echo x >> ran; test -e fixed")), { concurrency: 2 });`,
  );
  const failed = await drive(project, ["p.mjs", "--run-id", "r"]);
  expect([failed.code, failed.stdout.includes("--retry"), failed.stdout.includes("r --fork")]).toEqual([
    1,
    false,
    true,
  ]);
  const refused = await project.run(["run", "r", "--retry", "--json"]);
  expect(refused.json().error.code).toBe("EFFECT_NOT_REOPENABLE");
  expect(linesOf(project, "ran")).toHaveLength(3);
  project.write({ fixed: "" });
  expect((await drive(project, ["r", "--fork"])).code).toBe(0);
});

test("a run whose code is restored says nothing any more of having been blocked", async () => {
  const asks = (question: string): string => processText(`return ctx.breakpoint(${JSON.stringify(question)});`);
  const project = drivenProject("");
  project.write({ "p.mjs": asks("Deploy?") });
  await drive(project, ["p.mjs", "--run-id", "r"]);
  project.write({ "p.mjs": asks("Ship it?") });
  expect((await drive(project, ["r"])).code).toBe(8);
  project.write({ "p.mjs": asks("Deploy?") });
  const { code, doc, stdout } = await drive(project, ["r"]);
  expect([code, doc.state, stdout.includes("RUN_DIVERGED")]).toEqual([3, "waiting", false]);
});

test("a completed run answers its result again and executes nothing", async () => {
  const project = drivenProject(`await ctx.task(shell("echo x >> ran")); return 7;`);
  const first = await drive(project, ["p.mjs", "--run-id", "done"]);
  const second = await drive(project, ["done"]);
  expect([first.doc.output, second.doc.output, second.code]).toEqual([7, 7, 0]);
  expect(second.stderr).not.toContain("resumed");
  expect(linesOf(project, "ran")).toEqual(["x"]);
});

test("what was meant by the argument: errors name the ways out", async () => {
  const project = drivenProject("return 1;");
  const missing = await project.run(["run", "nope.mjs", "--json"]);
  expect(missing.code).toBe(2);
  expect(missing.json().error).toMatchObject({ code: "ENTRY_NOT_FOUND", hint: expect.stringContaining("run ID") });
  expect((await project.run(["run", "no-such-run", "--json"])).json().error.code).toBe("RUN_NOT_FOUND");
  expect((await project.run(["run", "p.mjs#missing", "--json"])).json().error.code).toBe("EXPORT_NOT_FOUND");
  expect((await project.run(["run", "p.mjs", "--concurrency", "0", "--json"])).code).toBe(2);
  expect((await project.run(["run", "p.mjs", "--breakpoint-policy", "maybe", "--json"])).code).toBe(2);
  expect((await project.run(["run", "p.mjs", "--retry", "--json"])).code).toBe(2);
  await drive(project, ["p.mjs", "--run-id", "there"]);
  expect((await project.run(["run", "there", "--inputs", "x.json", "--json"])).code).toBe(2);
  expect((await project.run(["run", "p.mjs", "--run-id", "there", "--json"])).json().error.code).toBe("RUN_EXISTS");
});
