import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Driven, RunningDriver } from "../fixtures/drive/driven-project.js";
import { isRunning } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

const RUNS = Number(process.env["BABYSITTER_FUZZ_RUNS"] || 12);
const QUIET_LIMIT_MS = 1_000;

/** One thing that a branch does; what it answers does not depend on time. */
type Step =
  | { is: "task"; ms: number }
  /** Waits in a way that may come back long after an iteration has ended. */
  | { is: "poll" | "unref" | "delay" | "ticks" | "abort" | "wait" | "long"; ms: number }
  /** A task that is told how often a timer beat beside the one before it. */
  | { is: "count"; ms: number }
  /** A task against a timer; either may win. */
  | { is: "race"; ms: number };

interface Plan {
  scoped: boolean;
  branches: Step[][];
}

/** Carries a plan out; its own program is named in a file, so that the test can kill it. */
const PROCESS = `
import fs from "node:fs";
import { setTimeout as delay, setInterval as ticks } from "node:timers/promises";
fs.appendFileSync("hosts", globalThis.process.pid + "\\n");
const LONG = ${QUIET_LIMIT_MS + 200};
const waits = {
  poll: (ms) => new Promise((resolve) => {
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      if (count < 5) return;
      clearInterval(timer);
      resolve();
    }, ms / 5);
  }),
  unref: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
  delay: (ms) => delay(ms),
  ticks: async (ms) => { for await (const _ of ticks(ms, undefined, { ref: false })) break; },
  abort: (ms) => new Promise((resolve) => AbortSignal.timeout(ms).addEventListener("abort", resolve)),
  wait: (ms) => Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms).value,
  long: () => new Promise((resolve) => setTimeout(resolve, LONG)),
};
export async function process({ scoped, branches }, ctx) {
  const task = (at, ms, more = {}) =>
    ctx.task({ kind: "shell", title: at, shell: { command: "sleep " + ms / 1000 } }, { at, ...more });
  const carryOut = async ({ is, ms }, at) => {
    if (is === "task") return (await task(at, ms)).exitCode;
    if (is === "race") {
      await Promise.race([task(at, ms), delay(ms, undefined, { ref: false })]);
      return is;
    }
    if (is !== "count") return void (await waits[is](ms)) ?? is;
    let beats = 0;
    const heart = setInterval(() => void (beats += 1), 3);
    await task(at, ms);
    clearInterval(heart);
    return (await task(at + "+", 1, { beats })).exitCode;
  };
  const bodies = branches.map((steps, b) => async () => {
    const results = [];
    for (const [s, step] of steps.entries()) results.push(await carryOut(step, b + "." + s));
    return results;
  });
  // Until all is done a task is open, so that iterations end while timers are set.
  const command = "while [ ! -e done ]; do sleep 0.02; done";
  const beside = ctx.task({ kind: "shell", title: "beside", shell: { command } }, {});
  const results = await (scoped ? ctx.parallel.all(bodies) : Promise.all(bodies.map((body) => body())));
  fs.writeFileSync("done", "");
  await beside;
  return results;
}
`;

const step: fc.Arbitrary<Step> = fc.record({
  is: fc.constantFrom<Step["is"]>("task", "poll", "unref", "delay", "ticks", "abort", "wait", "long", "count", "race"),
  ms: fc.integer({ min: 5, max: 150 }),
});
const plans: fc.Arbitrary<Plan> = fc.record({
  scoped: fc.boolean(),
  branches: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
});
/** After so many more events, and then so many milliseconds, everything is killed. */
const kills = fc.array(fc.record({ events: fc.integer({ min: 1, max: 12 }), ms: fc.nat(120) }), {
  minLength: 1,
  maxLength: 4,
});

function outputOf({ branches }: Plan): unknown {
  return branches.map((steps) => steps.map(({ is }) => (is === "task" || is === "count" ? 0 : is)));
}

function eventCount(runDir: string): number {
  return fs.existsSync(`${runDir}/journal`) ? fs.readdirSync(`${runDir}/journal`).length : 0;
}

/** kill -9 of the driver and of the program that hosts the process; false when the run ended before. */
async function killed(
  project: Project,
  driver: RunningDriver,
  moment: { events: number; ms: number },
): Promise<boolean> {
  const runDir = project.runDir("killed");
  const wanted = eventCount(runDir) + moment.events;
  const { child } = driver;
  while (child.exitCode === null && eventCount(runDir) < wanted) await delay(2);
  await delay(moment.ms);
  if (child.exitCode !== null) return false;
  driver.child.kill("SIGKILL");
  for (const host of project.read("hosts").trim().split("\n").map(Number))
    if (isHost(host, project)) process.kill(host, "SIGKILL");
  await driver.finished;
  return true;
}

function isHost(pid: number, project: Project): boolean {
  return isRunning(pid) && fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(project.dir);
}

test("C5 C21 R4 R5: whatever a process waits for beside its tasks, a run that is killed at any moment resumes and ends as if it had not been", {
  timeout: 60_000 + RUNS * 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plans, kills, async (plan, moments) => {
      const project = new Project({ "p.mjs": PROCESS, "inputs.json": JSON.stringify(plan), hosts: "" });
      const env = { BABYSITTER_QUIET_LIMIT_MS: String(QUIET_LIMIT_MS) };
      let driver = new RunningDriver(project, ["p.mjs", "--run-id", "killed", "--inputs", "inputs.json"], env);
      for (const moment of moments) {
        if (!(await killed(project, driver, moment))) break;
        const args =
          eventCount(project.runDir("killed")) === 0
            ? ["p.mjs", "--run-id", "killed", "--inputs", "inputs.json"]
            : ["killed"];
        driver = new RunningDriver(project, args, env);
      }
      let end: Driven = await driver.finished;
      // Timers begin anew in each program; where nothing else is left, they may take longer than the limit.
      if (end.doc.error?.code === "PROCESS_STALLED") {
        const raised = { BABYSITTER_QUIET_LIMIT_MS: String(QUIET_LIMIT_MS * 20) };
        end = await new RunningDriver(project, ["killed"], raised).finished;
      }
      expect({ code: end.code, error: end.code === 0 ? undefined : end.doc.error }).toEqual({
        code: 0,
        error: undefined,
      });
      expect(end.doc.output).toEqual(outputOf(plan));
      expect(eventsOf(project.runDir("killed")).filter(({ type }) => type === "RUN_BLOCKED")).toEqual([]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
