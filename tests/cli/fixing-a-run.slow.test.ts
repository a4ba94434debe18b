/** A run has failed, the author corrects the process, and every printed way gets the run to its end. */
import fs from "node:fs";
import { describe, it } from "vitest";
import { done, failingProject, SHELL, steps } from "../fixtures/cli/failing-project.js";
import { followHint } from "../fixtures/cli/printed-hints.js";

const CLEAN = 'await ctx.task(shell("Clean", "true"));';

describe("a corrected process", () => {
  it("C25 C12: iterate says and does the same, as an agent calls it", async (test) => {
    const { expect } = test;
    const run = failingProject(test);
    await run.create("p.mjs", "r");
    let iteration = await run.ask(["run:iterate", "r"]);
    while (iteration.status === "executed") iteration = await run.ask(["run:iterate", "r"]);
    expect(iteration.status).toBe("failed");
    const status = await run.run(["run:status", "r"]);
    run.write({ "p.mjs": steps("echo built") });
    const fixed = await followHint(run, status, "run:iterate", "r");
    expect(fixed.stdout).toContain('Retrying "Build" with the changed code.');
    expect(await run.ask(["run:iterate", "r"])).toMatchObject({ status: "completed", output: "built\n" });
    expect(done(run)).toEqual(["Prepare", "Build", "Build"]);
  });

  it("C25 C21: a failure that was used already is repeated in a copy, by every way that is printed", async (test) => {
    const { expect } = test;
    const run = failingProject(test);
    run.write({ "p.mjs": steps("exit 3", CLEAN) });
    const failed = await run.run(["run", "p.mjs", "--run-id", "r"]);
    run.write({ "p.mjs": steps("echo built", CLEAN) });
    const copied = await followHint(run, failed, "run", "r", "--fork");
    expect({ code: copied.code, done: done(run) }).toEqual({
      code: 0,
      done: ["Prepare", "Build", "Clean", "Build"],
    });
    for (const refused of [await run.run(["run:retry", "r"]), await followHint(run, failed, "run", "r")]) {
      expect(refused.code).toBeGreaterThan(0);
      const forked = await followHint(run, refused, "run:fork", "--at-task");
      expect((await followHint(run, forked, "run:iterate")).stdout).toContain("executed");
    }
    expect(done(run).slice(4)).toEqual(["Build", "Build"]);
    expect((await run.ask(["run:status", "r"])).next).toContain("run:fork r --at-task");
  });
});

it("C25 C27: a step that is pending says that it stays as it was requested, and how to get the new one", async (test) => {
  const { expect } = test;
  const think = (prompt: string): string => `import { defineTask } from "@a5c-ai/babysitter-sdk";
const think = defineTask("think", () => ({ kind: "agent", title: "Think", agent: { prompt: ${JSON.stringify(prompt)} } }));
export default (_, ctx) => ctx.task(think, {});`;
  const run = failingProject(test, think("slowly"));
  expect((await run.run(["run", "p.mjs", "--run-id", "r"])).code).toBe(3);
  expect((await run.run(["run:show", "r"])).stdout).not.toContain("has changed");
  run.write({ "p.mjs": think("fast") });
  await run.run(["run", "r"]);
  const shown = await run.run(["run:show", "r"]);
  expect(shown.stdout).toContain('The code has changed since "Think" was requested');
  expect((await run.ask(["run:status", "r"])).why).toContain("the request stays as it was");
  const forked = await followHint(run, shown, "run:fork", "--at-task");
  await followHint(run, forked, "run:iterate");
  const [copy = ""] = fs.readdirSync(run.runsDir).filter((name) => name !== "r" && !name.startsWith("."));
  const { tasks } = await run.ask(["task:list", copy, "--pending"]);
  expect(run.read(".a5c/runs", copy, "tasks", tasks[0]?.effectId ?? "", "task.json")).toContain("fast");
  expect((await run.run(["run:show", copy])).stdout).not.toContain("has changed");
});

describe("a step by its name", () => {
  it("C21 C27: is repeated by title, id or event; an ambiguous one lists commands that work", async (test) => {
    const { expect } = test;
    const run = failingProject(test);
    run.write({
      "p.mjs": `${SHELL}
export const process = (_, ctx) => ctx.parallel.settled([1, 2, 3].map((n) => () => ctx.task(shell(n < 3 ? "Part" : "Whole", n === 2 ? "exit 1" : "true"), { n }))).then((all) => {
  if (all.some(({ status }) => status === "rejected")) throw new Error("some failed");
  return all.length;
});`,
    });
    await run.run(["run", "p.mjs", "--run-id", "r"]);
    const ambiguous = await run.run(["run:fork", "r", "--at-task", "Part"]);
    expect(ambiguous.code).toBe(2);
    const forked = await followHint(run, ambiguous, "run:fork", "--at-task");
    expect(forked.stdout).toContain("Forked r before");
    // Only one of them has failed.
    expect((await run.ask(["run:retry", "r", "--task", "Part"])).reopened).toMatchObject([{ attempt: 2 }]);
    const unknown = await run.refuse(["run:fork", "r", "--at-task", "Pat"]);
    expect(unknown).toMatchObject({ code: "EFFECT_NOT_FOUND", hint: expect.stringContaining("Part, Whole") as string });
    const copy = await run.ask(["run:fork", "r", "--at-task", "Whole"]);
    expect((await run.ask(["task:list", copy.runId])).tasks.map(({ status }) => status).toSorted()).toEqual([
      "requested",
      "requested",
      "resolved_ok",
    ]);
    expect((await run.ask(["run:fork", "r", "--at", "2"])).forkedFrom).toEqual({ runId: "r", at: 2 });
  });
});
