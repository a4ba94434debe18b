import { expect, test } from "vitest";
import { drive, drivenProject, open, processText, RunningDriver, reached } from "../fixtures/drive/driven-project.js";
import { until } from "../fixtures/processes.js";
import { eventsOf } from "../fixtures/stored-events.js";

test("C21: what a process asks for by itself is done while its slow task runs; killed, the run resumes", async () => {
  const project = drivenProject(`
    let looks = 0;
    const polled = new Promise((resolve) => {
      const timer = setInterval(() => {
        looks += 1;
        if (looks < 30) return;
        clearInterval(timer);
        resolve(ctx.task(gate("late"), { looks }));
      }, 20);
    });
    const slow = await ctx.task(gate("slow"));
    return [slow.name, (await polled).name, looks];
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "polls"]);
  await reached(project, ["slow", "late"]);
  const runDir = project.runDir("polls");
  await until(() => eventsOf(runDir).filter(({ type }) => type === "EFFECT_STARTED").length === 2);
  driver.child.kill("SIGKILL");
  await driver.finished;
  open(project, "slow", "late");
  const { code, doc } = await drive(project, ["polls"]);
  expect({ code, output: doc.output }).toEqual({ code: 0, output: ["slow", "late", 30] });
});

test("C21: a process that ends by itself while a task is open ends the run", async () => {
  const project = drivenProject(`
    const timer = new Promise((resolve) => setTimeout(resolve, 600, "timer").unref());
    return Promise.race([ctx.task(gate("never")), timer]);
  `);
  const { code, doc } = await drive(project, ["p.mjs"]);
  expect({ code, output: doc.output }).toEqual({ code: 0, output: "timer" });
});

test("C21: what no replay could ask for again is refused when it is asked for, and the run resumes", async () => {
  const project = drivenProject(`
    const { watch, writeFileSync } = await import("node:fs");
    const changed = new Promise((resolve) => void watch(ctx.runDir, resolve).unref());
    setTimeout(() => writeFileSync(ctx.runDir + "/touched", ""), 100).unref();
    const asked = changed.then(() => ctx.task(gate("asked")));
    return (await Promise.race([ctx.task(gate("slow")), asked])).name;
  `);
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "watches"]);
  await reached(project, ["slow"]);
  await until(() => driver.told.includes("which a replay cannot repeat"));
  driver.child.kill("SIGKILL");
  await driver.finished;
  open(project, "slow");
  project.write({ "p.mjs": processText(`return (await ctx.task(gate("slow"))).name;`) });
  const { code, doc } = await drive(project, ["watches"]);
  expect({ code, output: doc.output }).toEqual({ code: 0, output: "slow" });
});

test.each([
  [
    "awaited",
    'const asked = changed.then(() => ctx.task(gate("asked"))); const slow = ctx.task(gate("slow")); await asked; await slow;',
  ],
  ["detached", 'void changed.then(() => ctx.detach(ctx.task(gate("asked")))); await ctx.task(gate("slow"));'],
])("C21: a refused request that was to be %s is why the run stops once its tasks have ended", async (_, body) => {
  const project = drivenProject(
    `
    const { watch } = await import("node:fs");
    const changed = new Promise((resolve) => void watch(import.meta.dirname + "/watched", resolve).unref());
    ${body}
  `,
    { watched: "" },
  );
  const driver = new RunningDriver(project, ["p.mjs", "--run-id", "r"]);
  await reached(project, ["slow"]);
  project.write({ watched: "changed" });
  await until(() => driver.told.includes("which a replay cannot repeat"));
  open(project, "slow");
  const { code, doc } = await driver.finished;
  expect({ code, error: doc.error }).toMatchObject({
    code: 1,
    error: { code: "REQUEST_NOT_REPLAYABLE", hint: expect.stringContaining("Move what the process waited for") },
  });
  expect(project.events("r", "EFFECT_RESOLVED")).toHaveLength(1);
});
