/** One look tells everything: what came out, what failed and why, what it waits for, and the next command. */
import fs from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { EventDraft } from "../../packages/sdk/src/model/events.js";
import { daysAgo, effectEvent, recordRun, requested } from "../fixtures/cli/recorded-runs.js";
import { drive, drivenProject } from "../fixtures/drive/driven-project.js";
import { Project } from "../fixtures/project.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";

interface FailureDoc {
  effectId: string;
  title: string;
  message: string;
  exitCode: number;
  location: string;
  stderr: string[];
  stdout: string[];
  logs: string[];
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe("what a run has returned", () => {
  let project: Project;
  const big = { text: "x".repeat(100_000), list: [1, 2, 3] };
  const hostile = "a\u001b[31m b\u200d\r\nc";
  beforeAll(async () => {
    const root = makeTempDir();
    project = new Project(
      {
        "p.mjs": `
export const big = () => (${JSON.stringify(big)});
export const words = () => ${JSON.stringify(hostile)};
export const nothing = () => undefined;
export const throws = () => { throw new Error("boom"); };
export const asks = (_, ctx) => ctx.breakpoint("Sure?");
`,
      },
      "project",
      root,
    );
    await Promise.all(
      ["big", "words", "nothing", "throws", "asks"].map((name) =>
        project.run(["run", `p.mjs#${name}`, "--run-id", name]),
      ),
    );
    return () => removeTempDir(root);
  });

  it("C27: run:status shows it, shortened, with the command for all of it; --json has it whole", async () => {
    const { stdout } = await project.run(["run:status", "big"]);
    expect(stdout).toContain('"text": "xxx');
    expect(stdout).toContain("babysitter run:output big");
    expect(stdout.length).toBeLessThan(2_000);
    expect((await project.ask(["run:status", "big"])).output).toEqual(big);
    expect(await project.ask(["run:status", "asks"])).not.toHaveProperty("output");
  });

  it("C27: run:output prints it raw for pipes, and says by its exit code whether there is none yet or ever", async () => {
    const [whole, words, json, nothing, throws, asks] = await Promise.all([
      project.run(["run:output", "big"]),
      project.run(["run:output", "words"]),
      project.run(["run:output", "words", "--json"]),
      project.run(["run:output", "nothing"]),
      project.run(["run:output", "throws"]),
      project.run(["run:output", "asks"]),
    ]);
    expect(whole.json()).toEqual(big);
    expect(words).toMatchObject({ code: 0, stdout: `${hostile}\n` });
    expect(json.json()).toBe(hostile);
    expect(nothing).toMatchObject({ code: 0, stdout: "null\n" });
    expect(throws).toMatchObject({ code: 1, stdout: "" });
    expect(throws.stderr).toMatch(/NO_OUTPUT.*failed.*boom/);
    expect(asks).toMatchObject({ code: 3, stdout: "" });
    expect(asks.stderr).toMatch(/OUTPUT_PENDING.*waiting/);
    expect(asks.stderr).toContain("breakpoint:approve");
  });
});

describe("what has failed", () => {
  let project: Project;
  beforeAll(async () => {
    const root = makeTempDir();
    const compile =
      "for i in $(seq 1 30); do echo out $i; done; echo first >&2; echo 'TOKEN_X cannot: be read' >&2; exit 3";
    project = new Project(
      {
        "p.mjs": `
export async function compiles(_, ctx) {
  return ctx.task({ kind: "shell", title: "compile", shell: { command: ${JSON.stringify(compile)} } });
}
export async function tidies(inputs, ctx) {
  try { return await compiles(inputs, ctx); } finally { await ctx.task({ kind: "shell", shell: { command: "true" } }); }
}
export const fetches = (_, ctx) => ctx.task({ kind: "node", title: "download", node: { entry: "fetch.mjs" } });
export const throws = async () => { throw new Error("outer", { cause: new Error("inner", { cause: "root" }) }); };
export const missing = (_, ctx) => ctx.task({ kind: "shell", title: "tool", shell: { argv: ["no-such-tool"] } });
`,
        "fetch.mjs": `export default () => { throw new TypeError("fetch failed", { cause: Object.assign(new Error("connect ECONNREFUSED ::1:9"), { code: "ECONNREFUSED" }) }); };\n`,
      },
      "project",
      root,
    );
    return () => removeTempDir(root);
  });

  it("C27: shows the end of its output, its exit code, the place of the call, its logs and the command for more, once", async () => {
    const { stdout, code } = await project.run(["run", "p.mjs#compiles", "--run-id", "c", "--plain"]);
    expect(code).toBe(1);
    const { failures = [] } = (await project.ask(["run:status", "c"])) as unknown as { failures?: FailureDoc[] };
    expect(failures).toMatchObject([
      {
        title: "compile",
        message: '"compile" exited with 3',
        exitCode: 3,
        location: expect.stringMatching(/^p\.mjs:3:\d+$/) as string,
        stderr: ["first", "TOKEN_X cannot: be read"],
        stdout: Array.from({ length: 15 }, (_, index) => `out ${index + 16}`),
      },
    ]);
    const [{ effectId, location, logs } = {} as FailureDoc] = failures;
    const status = (await project.run(["run:status", "c"])).stdout;
    const show = (await project.run(["run:show", "c"])).stdout;
    for (const text of [stdout, status, show]) {
      for (const part of ["exited with 3", location, `babysitter task:show c ${effectId}`, ...logs])
        expect(text).toContain(part);
      expect(count(text, "| out 30\n")).toBe(1);
      expect(count(text, "| first\n")).toBe(1);
      expect(text).not.toContain("| out 15\n");
      expect(text).not.toContain("Its process threw");
    }
    for (const file of logs) expect(fs.existsSync(`${project.runDir("c")}/${file}`)).toBe(true);
  });

  it("C27: shows the same of a failure that the process has cleaned up after", async () => {
    const { stdout } = await project.run(["run", "p.mjs#tidies", "--run-id", "tidied", "--plain"]);
    const { tasks } = await project.ask(["task:list", "tidied"]);
    for (const part of ["exited with 3", "p.mjs:3:", "stderr.log"]) expect(stdout).toContain(part);
    expect(stdout).toContain(`babysitter task:show tidied ${tasks[0]?.effectId}`);
    expect(stdout).not.toContain("at ctx.task");
  });

  it("C27: names what caused it, and no whole PATH", async () => {
    const [fetches, throws, missing] = await Promise.all(
      ["fetches", "throws", "missing"].map((name) => project.run(["run", `p.mjs#${name}`, "--run-id", name])),
    );
    expect(fetches?.stdout).toContain("download: fetch failed: connect ECONNREFUSED ::1:9 (exit 1)");
    expect(throws?.stdout).toMatch(/error +Error: outer: inner: root\n/);
    expect(missing?.stdout).toContain("no-such-tool was not found in PATH.");
  });

  it("C27: with --logs all output of tasks is printed, each line with the name of its task", async () => {
    const { stdout } = await project.run(["run", "p.mjs#compiles", "--run-id", "logs", "--logs"]);
    const lines = stdout.split("\n").map((line) => line.slice(9));
    for (let n = 1; n <= 30; n += 1) expect(lines).toContain(`out    compile | out ${n}`);
    expect(lines).toContain("err    compile | first");
    expect(count(stdout, "| out 30\n")).toBe(1);
    expect(lines.indexOf("err    compile | first")).toBeLessThan(lines.findIndex((line) => line.startsWith("fail ")));
  });
});

it("C27: run:show is the one screen: the steps, a failure that was handled, what it waits for, the next command", async () => {
  const project = drivenProject(`
    await ctx.task(shell("echo sad; exit 4")).catch(() => 0);
    return ctx.breakpoint({ title: "Ship", question: "Ship it?\\n" });`);
  await drive(project, ["p.mjs", "--run-id", "r"]);
  const { stdout } = await project.run(["run:show", "r"]);
  for (const part of [
    "waiting",
    "✗ echo sad; exit 4",
    "? Ship",
    "| sad",
    "exited with 4",
    "Ship it?",
    "breakpoint:approve",
  ])
    expect(stdout).toContain(part.replace("✗", "x"));
  expect(stdout).not.toContain("unless");
  expect(stdout).toMatch(/^ +Ship it\?\n {2}journal /m);
  const doc = (await project.ask(["run:show", "r"])) as unknown as { failures: FailureDoc[]; waitingFor: object[] };
  expect(doc.failures).toMatchObject([{ exitCode: 4, stdout: ["sad"] }]);
  expect(doc.waitingFor).toMatchObject([{ kind: "breakpoint", question: "Ship it?\n" }]);
  const { tasks } = await project.ask(["task:list", "r", "--pending"]);
  await project.run(["breakpoint:reject", tasks[0]?.effectId ?? "", "--reason", "no"], { as: "person" });
  const rejected = (await project.run(["run:show", "r"])).stdout;
  expect(rejected).toMatch(/^x Ship .*rejected: no/m);
  expect(rejected).not.toMatch(/^\+ Ship/m);
});

describe("C27: every command says the same about a run", () => {
  const started = effectEvent("EFFECT_STARTED", daysAgo(1), { attempt: 1, executor: "shell", host: "box" });
  const resolved = effectEvent("EFFECT_RESOLVED", daysAgo(1), { attempt: 1, status: "ok", by: "post" });
  const report = { journalSays: [], codeAsked: [], differences: [], waysOn: ["Restore the code."] };
  const states: Record<string, { events?: EventDraft[]; end?: "failed" | "completed" | "cancelled" }> = {
    created: {},
    waiting: { events: [requested(daysAgo(1)), started] },
    running: { events: [requested(daysAgo(1)), resolved] },
    failed: { end: "failed" },
    blocked: {
      events: [{ type: "RUN_BLOCKED", timestamp: daysAgo(1), payload: { processHead: 1, codeHash: "code", report } }],
    },
    completed: { end: "completed" },
    cancelled: { events: [requested(daysAgo(1))], end: "cancelled" },
  };
  it("in every state", async () => {
    const project = new Project();
    const names = Object.keys(states);
    for (const [name, { events = [], end }] of Object.entries(states))
      await recordRun(project.runsDir, name, { at: daysAgo(1), events, ...(end === undefined ? {} : { end }) });
    await project.ask(["loop:start", "--shape", "tool", "Tidy the shed", "--run-id", "paused"]);
    await project.ask(["loop:pause", "paused"], { as: "person" });
    names.push("paused");
    const { runs } = await project.ask(["run:list"]);
    expect(Object.fromEntries(runs.map(({ runId, state }) => [runId, state]))).toEqual(
      Object.fromEntries(names.map((name) => [name, name])),
    );
    expect(runs.filter(({ driven }) => driven !== undefined)).toMatchObject([{ runId: "running", driven: false }]);
    const { stdout } = await project.run(["run:list"]);
    expect(stdout.match(/^ +Nobody drives it.*$/gmu)).toEqual([
      "    Nobody drives it; to continue: babysitter run running",
    ]);
    const seen = names.map(async (name) => ({
      name,
      status: await project.ask(["run:status", name]),
      show: (await project.run(["run:show", name])).stdout,
      listed: runs.find(({ runId }) => runId === name)?.why,
    }));
    for (const { name, status, show, listed } of await Promise.all(seen)) {
      // Whether anybody executes a step is not looked up for every run of a list.
      expect(name === "waiting" ? status.why : listed).toBe(status.why);
      expect(show.includes("then continue")).toBe(false);
      expect(show.includes(`continue  ${status.next}`)).toBe(["created", "running", "paused"].includes(name));
      expect(status.state).toBe(name);
      expect(show).toMatch(new RegExp(`^${name}  ${name}  `));
      expect(show).toContain(name === "failed" ? "no luck" : status.why);
      expect(`${show} ${status.why} ${status.next}`).not.toMatch(/unless|Executing/);
      expect(status.why.includes("Interrupted while executing")).toBe(name === "waiting");
    }
    const watched = await project.run(["run:watch", "failed", "--json"]);
    expect([watched.code, watched.json().state]).toEqual([1, "failed"]);
  });
});

it("C27: a loop that no agent has started is in no iteration, and without steps none are done", async () => {
  const project = new Project();
  await project.ask(["loop:start", "--shape", "tool", "Tidy the shed", "--run-id", "shed"]);
  const { stdout } = await project.run(["loop:status", "shed"]);
  expect(stdout).toContain("No agent is working on it yet.");
  expect(stdout).toContain("Iteration: 0/50, no agent has started");
  const steps = (await project.run(["loop:step", "shed"])).stdout;
  expect(steps.trim()).toBe("This loop has no steps.");
});
