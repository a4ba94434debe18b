import fs from "node:fs";
import { expect, test } from "vitest";
import { drive, drivenProject, linesOf } from "../fixtures/drive/driven-project.js";
import type { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

/** A project whose hooks note their type and the task that they are about. */
function notingProject(body: string): Project {
  const project = drivenProject(body);
  for (const type of ["on-task-complete", "on-step-dispatch"]) {
    const script = `.a5c/hooks/${type}/note.sh`;
    project.write({
      [script]: `#!/bin/sh\necho "${type} $(grep -o '"taskId": *"[a-z]*"' | tr -d ' ')" >> hooks.txt\n`,
    });
    fs.chmodSync(project.path(script), 0o755);
  }
  return project;
}

const dispatched = (task: string): string => `on-step-dispatch "taskId":"${task}"`;
const completed = (task: string): string => `on-task-complete "taskId":"${task}"`;

/** Types of the events that were written together. */
function batchesIn(runDir: string): string[][] {
  const batches = new Map<number, string[]>();
  for (const { seq, batch, type } of eventsOf(runDir) as { seq: number; batch?: number; type: string }[])
    batches.set(batch ?? seq, [...(batches.get(batch ?? seq) ?? []), type]);
  return [...batches.values()].filter((types) => types.length > 1);
}

test("C6 C10 C21: the driver records a result with what follows from it, and hooks hear of both in their order", async () => {
  const project = notingProject(
    `
    const first = await ctx.task({ id: "first", ...shell("echo 1") });
    return [first.stdout, (await ctx.task({ id: "second", ...shell("echo 2") })).stdout];
    `,
  );
  const { doc } = await drive(project, ["p.mjs"]);
  expect(doc).toMatchObject({ state: "completed", output: ["1\n", "2\n"] });
  expect(batchesIn(doc.runDir)).toEqual([["EFFECT_RESOLVED", "EFFECT_REQUESTED"]]);
  const iterations = eventsOf(doc.runDir).flatMap(({ type, payload }) =>
    type === "EFFECT_REQUESTED" ? [(payload as { iteration: number }).iteration] : [],
  );
  expect(iterations).toEqual([1, 2]);
  expect(linesOf(project, "hooks.txt")).toEqual([
    dispatched("first"),
    completed("first"),
    dispatched("second"),
    completed("second"),
  ]);
});

test("C6 C10 C21: a process that dies of a result it was shown costs neither the result nor a hook, nor a second attempt", async () => {
  const project = notingProject(
    `
    const { existsSync, writeFileSync } = await import("node:fs");
    await ctx.task({ id: "first", ...shell("echo first >> done.txt") });
    if (!existsSync("died")) {
      writeFileSync("died", "");
      globalThis.process.kill(globalThis.process.pid, "SIGKILL");
    }
    await ctx.task({ id: "second", ...shell("echo second >> done.txt") });
    return "over";
    `,
  );
  const { doc, stderr } = await drive(project, ["p.mjs"]);
  expect(doc).toMatchObject({ state: "completed", output: "over" });
  expect(stderr).toContain("killed by SIGKILL. Restarting it.");
  expect(linesOf(project, "done.txt")).toEqual(["first", "second"]);
  expect(linesOf(project, "hooks.txt").filter((line) => line.startsWith("on-task-complete"))).toEqual([
    completed("first"),
    completed("second"),
  ]);
});

test("C27: a run whose process has gone on with every result says what it waits for", async () => {
  const project = drivenProject(
    `return ctx.parallel.all([() => ctx.breakpoint("Go on?"), () => ctx.task(shell("true"))]);`,
  );
  const { doc } = await drive(project, ["p.mjs", "--run-id", "r"]);
  const why = "Waiting for a human to answer a question.";
  expect([doc.why, (await project.ask(["run:status", "r"])).why]).toEqual([why, why]);
});
