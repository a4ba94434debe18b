import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { cleanEnvironment } from "../fixtures/command-line.js";
import { drive, drivenProject, linesOf, open, RunningDriver, reached } from "../fixtures/drive/driven-project.js";
import { until } from "../fixtures/processes.js";
import type { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";
import { makeTempDir, removeTempDir } from "../fixtures/temp-dir.js";
import { unpack } from "../fixtures/unpack.js";

/** The last build whose runs follow version 1 of the replay rules. */
const ARCHIVE = path.join(import.meta.dirname, "semantics-1/build.tgz");

describe("runs that the previous build began", () => {
  let previous: string;

  beforeAll(() => {
    const folder = makeTempDir();
    unpack(ARCHIVE, folder);
    previous = path.join(folder, "dist/babysitter.cjs");
    return () => removeTempDir(folder);
  });

  function withPrevious(project: Project, ...args: string[]): { status?: string; error?: { code: string } } {
    const options = { cwd: project.dir, env: cleanEnvironment(project.home, {}), encoding: "utf8" } as const;
    try {
      return JSON.parse(execFileSync(process.execPath, [previous, ...args, "--json"], options)) as { status: string };
    } catch (error) {
      return JSON.parse((error as { stdout: string }).stdout) as { error: { code: string } };
    }
  }

  function create(project: Project, runId: string): void {
    withPrevious(project, "run:create", "--process-id", "p", "--entry", "p.mjs", "--run-id", runId);
    expect(eventsOf(project.runDir(runId))[0]?.payload["semantics"]).toBe(1);
  }

  /** Driven by the previous build until these gates are reached, then killed. */
  async function killedAt(project: Project, runId: string, ...gates: string[]): Promise<void> {
    const driver = new RunningDriver(project, ["p.mjs", "--run-id", runId], {}, previous);
    await reached(project, gates);
    const { length } = gates;
    await until(() => eventsOf(project.runDir(runId)).filter(({ type }) => type === "EFFECT_STARTED").length >= length);
    driver.child.kill("SIGKILL");
    await driver.finished;
    letLeaseRunOut(project.runDir(runId));
  }

  /** The previous build does not say in which namespace it ran, so that today's waits for its lease to run out. */
  function letLeaseRunOut(runDir: string): void {
    const state = path.join(runDir, "state");
    for (const name of fs.readdirSync(state).filter((one) => one.startsWith("driver-"))) {
      const lease = JSON.parse(fs.readFileSync(path.join(state, name), "utf8")) as object;
      const at = new Date(Date.now() - 10 * 60_000).toISOString();
      fs.writeFileSync(path.join(state, name), JSON.stringify({ ...lease, at }));
    }
  }

  /** Today's build ends it, by the rules that the run began with. */
  async function ends(project: Project, runId: string): Promise<unknown> {
    const { code, doc } = await drive(project, [runId]);
    expect({ code, error: doc.error }).toEqual({ code: 0, error: undefined });
    const requests = eventsOf(project.runDir(runId)).filter(({ type }) => type === "EFFECT_REQUESTED");
    const newer = ["fired", "late", "sleepMs"];
    expect(requests.filter(({ payload }) => newer.some((field) => field in payload))).toEqual([]);
    return doc.output;
  }

  test("C25 C12: one whose failed step today's build retries; the previous build then refuses to touch it", async () => {
    const project = drivenProject('return (await ctx.task(shell("exit 3"))).stdout;');
    create(project, "fails");
    await drive(project, ["fails"]);
    await project.ask(["run:retry", "fails"]);
    const before = project.journal("fails");
    expect(withPrevious(project, "run:iterate", "fails").error).toMatchObject({ code: "ENGINE_TOO_OLD" });
    expect(withPrevious(project, "run:execute", "fails")).toMatchObject({ action: "none", count: 0 });
    expect(project.journal("fails")).toEqual(before);
    project.write({ "p.mjs": project.read("p.mjs").replace("exit 3", "echo mended") });
    expect(await ends(project, "fails")).toBe("mended\n");
  });

  test("C12: one that waits for an answer", async () => {
    const project = drivenProject(`
      // By the first rules the project's folder is masked wherever it stands, also in the name of another one.
      const first = await ctx.task(shell("echo first"), { other: import.meta.dirname + "-beside" });
      const { approved } = await ctx.breakpoint({ question: "Go on?" });
      return [first.stdout, approved, (await ctx.task(shell("echo last"))).stdout];
    `);
    const driver = await new RunningDriver(project, ["p.mjs", "--run-id", "asks"], {}, previous).finished;
    expect(driver.code).toBe(3);
    const [question] = driver.doc.waitingFor;
    await project.post("asks", question?.effectId ?? "", { approved: true });
    expect(await ends(project, "asks")).toEqual(["first\n", true, "last\n"]);
  });

  test("C12: one that sleeps", async () => {
    const project = drivenProject(`
      const before = ctx.now().getTime();
      await ctx.sleep(2000);
      await ctx.sleep(1);
      return [ctx.now().getTime() - before >= 2000, (await ctx.task(shell("echo awake"))).stdout];
    `);
    create(project, "sleeps");
    expect(withPrevious(project, "run:iterate", "sleeps").status).toBe("waiting");
    expect(await ends(project, "sleeps")).toEqual([true, "awake\n"]);
  });

  test("C12: one that was killed in the middle of parallel tasks", async () => {
    const project = drivenProject(`
      const random = [Math.random(), crypto.randomUUID()];
      const done = await ctx.parallel.map(["a", "b", "c"], (name) => ctx.task(gate(name), { random, other: import.meta.dirname + "-beside" }), { concurrency: 2 });
      return done.map(({ name }) => name);
    `);
    open(project, "a");
    await killedAt(project, "parallel", "a", "b", "c");
    open(project, "b", "c");
    expect(await ends(project, "parallel")).toEqual(["a", "b", "c"]);
    expect(linesOf(project, "a.starts")).toHaveLength(1);
  });

  test("C12: one with timers and a heartbeat between its ctx calls", async () => {
    const project = drivenProject(`
      const { setTimeout: delay } = await import("node:timers/promises");
      const heart = setInterval(() => {}, 10);
      const results = [];
      for (const name of ["a", "b", "c"]) {
        await delay(20);
        results.push((await ctx.task(gate(name))).name);
      }
      clearInterval(heart);
      return results;
    `);
    open(project, "a");
    await killedAt(project, "timers", "a", "b");
    open(project, "b", "c");
    expect(await ends(project, "timers")).toEqual(["a", "b", "c"]);
    expect(linesOf(project, "a.starts")).toHaveLength(1);
  });

  test("C12: the previous build does not touch runs of today's", async () => {
    const project = drivenProject(`return ctx.task(shell("true"));`);
    await project.create("p.mjs", "today");
    expect(eventsOf(project.runDir("today"))[0]?.payload["semantics"]).toBe(2);
    expect(withPrevious(project, "run:iterate", "today").error?.code).toBe("ENGINE_TOO_OLD");
  });
});
