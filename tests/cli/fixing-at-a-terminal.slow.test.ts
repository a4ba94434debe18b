/** What a person is asked who resumes a failed run at a terminal, and what only a person may do there. */
import { describe, expect, it } from "vitest";
import { atTerminal } from "../fixtures/at-terminal.js";
import { done, failingProject, steps } from "../fixtures/cli/failing-project.js";
import { CLI } from "../fixtures/command-line.js";
import type { Project } from "../fixtures/project.js";

/** Runs a command at a terminal and answers its question, once it is asked. */
async function answering(project: Project, args: string[], question: RegExp, keys: string): Promise<number> {
  const { code } = await atTerminal([process.execPath, CLI, ...args], {
    cwd: project.dir,
    home: project.home,
    answers: [[question, keys]],
  });
  return code;
}

const RETRY = /Retry this step with the changed code\?/u;

describe("at a terminal", () => {
  it("C25: the corrected step is retried on Enter", async () => {
    const project = failingProject(undefined);
    await project.run(["run", "p.mjs", "--run-id", "r"]);
    project.write({ "p.mjs": steps("echo built") });
    expect(await answering(project, ["run", "r"], RETRY, "\r")).toBe(0);
    expect(done(project)).toEqual(["Prepare", "Build", "Build"]);
  });

  it("C25 C12: with no, and with --no-retry, the code sees the recorded failure", async () => {
    const project = failingProject(undefined);
    await project.run(["run", "p.mjs", "--run-id", "r"]);
    await project.run(["run", "p.mjs", "--run-id", "s"]);
    project.write({ "p.mjs": steps("exit 3", 'return "handled";') });
    expect(await answering(project, ["run", "r"], RETRY, "what?\rn\r")).toBe(0);
    expect((await project.run(["run", "s", "--no-retry"])).code).toBe(0);
    for (const runId of ["r", "s"]) {
      const { events } = await project.ask(["run:events", runId, "--filter-type", "RUN_COMPLETED"]);
      expect(events[0]?.payload).toMatchObject({ output: { value: "handled" } });
    }
    expect(done(project)).toEqual(["Prepare", "Build", "Prepare", "Build"]);
  });

  it("C25 C21: a failure that was used is repeated in a copy after a yes", async () => {
    const rescue = 'await ctx.task(shell("Clean", "true"));';
    const project = failingProject(undefined, steps("exit 3", rescue));
    await project.run(["run", "p.mjs", "--run-id", "r"]);
    project.write({ "p.mjs": steps("echo built", rescue) });
    expect(await answering(project, ["run", "r"], /Retry it in a copy\?/u, "y\r")).toBe(0);
    const { runs } = await project.ask(["run:list"]);
    expect(runs.map(({ state }) => state).toSorted()).toEqual(["completed", "failed"]);
    expect(done(project)).toEqual(["Prepare", "Build", "Clean", "Build"]);
  });

  it("C25: leaving the question changes nothing", async () => {
    const project = failingProject(undefined);
    await project.run(["run", "p.mjs", "--run-id", "r"]);
    project.write({ "p.mjs": steps("echo built") });
    const before = project.journal("r");
    for (const key of ["\u0003", "\u0004"]) expect(await answering(project, ["run", "r"], RETRY, key)).not.toBe(0);
    expect(project.journal("r")).toEqual(before);
  });

  it("C22 C25: only a person has a rejected question of an agent's session asked again", async () => {
    const gate = 'export const process = async (_, ctx) => { await ctx.breakpoint("Ship it?"); return "shipped"; };';
    const project = failingProject(undefined, gate);
    await project.create("p.mjs", "r", ["--harness", "claude-code", "--session-id", "s-1"]);
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const id = nextActions[0]?.effectId as string;
    await project.run(["breakpoint:reject", id, "--reason", "not today"], { as: "person" });
    await project.ask(["run:iterate", "r"]);
    const before = project.journal("r");
    const agents = [{}, { as: "person", env: { CLAUDECODE: "1" } }] as const;
    for (const options of agents)
      expect(await project.refuse(["run:retry", "r"], options)).toMatchObject({
        code: "DECISION_NOT_ALLOWED",
        hint: expect.stringContaining(`babysitter run:retry r --task ${id}`) as string,
      });
    // Changed code does not take the decision back either.
    project.write({ "p.mjs": `${gate}\n// changed\n` });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "failed" });
    expect(project.events("r", "EFFECT_RETRIED")).toEqual([]);
    expect(Object.keys(before).every((name) => name in project.journal("r"))).toBe(true);
    await project.run(["run:retry", "r", "--task", id], { as: "person" });
    expect(project.events("r", "EFFECT_RETRIED")[0]?.payload).toMatchObject({ source: { via: "cli" }, status: "ok" });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "waiting", reason: "breakpoint-waiting" });
  });
});
