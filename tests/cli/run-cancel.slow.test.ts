import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DirectoryRef } from "../../packages/sdk/src/model/events.js";
import { directoryRef } from "../../packages/sdk/src/spawn/directory-ref.js";
import { refOf } from "../../packages/sdk/src/spawn/process-group-ref.js";
import { markedEnvironment } from "../../packages/sdk/src/spawn/spawn-marker.js";
import {
  append,
  daysAgo,
  EFFECT,
  effectEvent,
  recordRun,
  relaxedStorage,
  requested,
} from "../fixtures/cli/recorded-runs.js";
import { Project } from "../fixtures/project.js";

const PROCESS = "export const process = (inputs, ctx) => ctx.task({ kind: 'agent', id: 'a' });\n";

interface CancelDoc {
  cancelled: boolean;
  reason: string;
  at: string;
  ended: { effectId: string; processes: number; survivors: number }[];
  elsewhere: { effectId: string; host: string }[];
}

const cancel = async (project: Project, args: string[]): Promise<CancelDoc> =>
  (await project.ask(["run:cancel", ...args])) as unknown as CancelDoc;

async function waiting(): Promise<{ project: Project; effectId: string }> {
  const project = new Project({ "p.mjs": PROCESS });
  await project.create("p.mjs", "r");
  const { nextActions } = await project.ask(["run:iterate", "r"]);
  return { project, effectId: nextActions[0]?.effectId ?? "" };
}

describe("run:cancel", () => {
  it("ends a run for good: every other command says so and changes nothing", async () => {
    const { project, effectId } = await waiting();
    expect(await cancel(project, ["--reason", "wrong branch"])).toMatchObject({
      runId: "r",
      state: "cancelled",
      cancelled: true,
      reason: "wrong branch",
      ended: [],
    });
    const journal = project.journal("r");
    expect(await project.ask(["run:status", "r"])).toMatchObject({
      state: "cancelled",
      why: "It was cancelled: wrong branch",
      needsMoreIterations: false,
      pendingEffects: [],
    });
    const iterated = await project.run(["run:iterate", "r", "--json"]);
    expect(iterated.code).toBe(12);
    expect(iterated.json()).toMatchObject({ status: "failed", reason: "cancelled", nextActions: [] });
    expect((await project.run(["run:iterate", "r"])).code).toBe(12);
    expect(await project.refuse(["task:post", "r", effectId, "--status", "ok"])).toMatchObject({
      code: "RUN_FINISHED",
      exit: 7,
    });
    expect(await project.refuse(["run:retry", "r"])).toMatchObject({ exit: 7 });
    expect((await project.ask(["run:list"])).runs).toMatchObject([{ runId: "r", state: "cancelled" }]);
    expect((await project.ask(["run:list", "--open"])).runs).toEqual([]);
    expect((await project.ask(["task:list", "r", "--pending"])).tasks).toEqual([]);
    expect(project.journal("r")).toEqual(journal);
  });

  it("says when the run was already cancelled, with the first reason", async () => {
    const { project } = await waiting();
    const first = await cancel(project, ["r", "--reason", "first"]);
    const journal = project.journal("r");
    expect(await cancel(project, ["r", "--reason", "second"])).toMatchObject({
      cancelled: false,
      reason: "first",
      at: first.at,
    });
    const again = await project.run(["run:cancel", "r"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/was already cancelled at .+: first\n/);
    expect(project.journal("r")).toEqual(journal);
  });

  it("refuses a run that has completed, and cancels a failed one", async () => {
    const project = new Project();
    await recordRun(project.runsDir, "done", { at: daysAgo(1), end: "completed" });
    await recordRun(project.runsDir, "broken", { at: daysAgo(1), end: "failed" });
    expect(await project.refuse(["run:cancel", "done"])).toMatchObject({ code: "RUN_FINISHED", exit: 7 });
    expect((await project.ask(["run:status", "done"])).state).toBe("completed");
    expect((await cancel(project, ["broken"])).cancelled).toBe(true);
    expect((await project.ask(["run:status", "broken"])).state).toBe("cancelled");
  });

  it("refuses ids that are paths, unknown runs, and to choose among several", async () => {
    const { project } = await waiting();
    await project.create("p.mjs", "r2");
    expect(await project.refuse(["run:cancel", ".."])).toMatchObject({ exit: 2 });
    expect(await project.refuse(["run:cancel", "a..b"])).toMatchObject({ code: "INVALID_ID", exit: 2 });
    expect(await project.refuse(["run:cancel", "gone"])).toMatchObject({ code: "RUN_NOT_FOUND", exit: 2 });
    expect(await project.refuse(["run:cancel"])).toMatchObject({ code: "RUN_AMBIGUOUS", exit: 2 });
    expect((await project.ask(["run:list", "--open"])).runs).toHaveLength(2);
  });

  it("records one cancellation when many come at once", async () => {
    const { project } = await waiting();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => cancel(project, ["r", "--reason", `number ${index}`])),
    );
    expect(answers.filter(({ cancelled }) => cancelled)).toHaveLength(1);
    expect(new Set(answers.map(({ reason }) => reason)).size).toBe(1);
    const { events } = await project.ask(["run:events", "r", "--filter-type", "RUN_CANCELLED"]);
    expect(events).toHaveLength(1);
  });

  it("ends the process group that a driver has left behind on this machine, and no other", async () => {
    const project = new Project();
    const ours = sleeper("ours-marker");
    const theirs = sleeper("theirs-marker");
    await recordRun(project.runsDir, "r", { at: daysAgo(1), events: [requested(daysAgo(1))] });
    const store = relaxedStorage({ runsDir: project.runsDir });
    await append(store, "r", [
      effectEvent("EFFECT_STARTED", daysAgo(1), {
        attempt: 1,
        executor: "shell",
        host: os.hostname(),
        group: refOf(ours.pid as number, "ours-marker"),
      }),
    ]);
    await recordRun(project.runsDir, "far", { at: daysAgo(1), events: [requested(daysAgo(1))] });
    await append(store, "far", [
      effectEvent("EFFECT_STARTED", daysAgo(1), {
        attempt: 1,
        executor: "shell",
        host: "another-machine",
        group: { ...refOf(theirs.pid as number, "theirs-marker"), startTime: "1@another-boot" },
      }),
    ]);
    const ended = exited(ours);
    expect(await cancel(project, ["far"])).toMatchObject({
      ended: [],
      elsewhere: [{ effectId: EFFECT, host: "another-machine" }],
    });
    const done = await project.run(["run:cancel", "r"]);
    expect(done.stdout).toContain("Ended 1 process of 1 task.");
    await ended;
    expect(theirs.exitCode ?? theirs.signalCode).toBeNull();
    expect((await cancel(project, ["r"])).ended).toEqual([]);
  });

  it("cancels a copy of a run without touching what the original has started", async () => {
    const project = new Project();
    const child = sleeper("original-marker");
    await recordRun(project.runsDir, "r", { at: daysAgo(1), events: [requested(daysAgo(1))] });
    await append(relaxedStorage({ runsDir: project.runsDir }), "r", [
      effectEvent("EFFECT_STARTED", daysAgo(1), {
        attempt: 1,
        executor: "shell",
        host: os.hostname(),
        group: refOf(child.pid as number, "original-marker"),
        dir: directoryRef(project.runDir("r")) as DirectoryRef,
      }),
    ]);
    const copy = path.join(project.root, "copies", "r");
    fs.cpSync(project.runDir("r"), copy, { recursive: true });
    expect((await cancel(project, [copy])).ended).toEqual([]);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    // A directory that was moved is no copy, also when it has come to another disk.
    const moved = path.join(project.root, "moved", "r");
    fs.cpSync(project.runDir("r"), moved, { recursive: true });
    fs.rmSync(project.runDir("r"), { recursive: true });
    const ended = exited(child);
    expect((await cancel(project, [moved])).ended).toMatchObject([{ effectId: EFFECT, processes: 1 }]);
    await ended;
  });
});

/** A child in a group of its own, as an executor starts one; ended with the test at the latest. */
function sleeper(marker: string): ChildProcess {
  const child = spawn("sleep", ["600"], {
    detached: true,
    stdio: "ignore",
    env: markedEnvironment({ PATH: process.env["PATH"] ?? "" }, marker),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once("exit", () => resolve()));
}
