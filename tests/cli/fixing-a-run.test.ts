/** A run has failed, the author corrects the process, and every printed way gets the run to its end. */
import { describe, it } from "vitest";
import { done, failingProject, steps } from "../fixtures/cli/failing-project.js";
import { followHint } from "../fixtures/cli/printed-hints.js";

describe.concurrent("a corrected process", () => {
  it("C25 C1: fail, edit, type what was printed: only the failed step runs again, as corrected", async (test) => {
    const { expect } = test;
    const run = failingProject(test);
    const failed = await run.run(["run", "p.mjs", "--run-id", "r"]);
    expect(failed.code).toBe(1);
    const again = await followHint(run, failed, "run", "r", "--retry");
    expect({ code: again.code, done: done(run) }).toEqual({ code: 1, done: ["Prepare", "Build", "Build"] });
    run.write({ "p.mjs": steps("echo built") });
    const fixed = await followHint(run, again, "run", "r");
    expect(fixed.stdout).toContain('Retrying "Build" with the changed code.');
    expect({ code: fixed.code, done: done(run) }).toEqual({ code: 0, done: ["Prepare", "Build", "Build", "Build"] });
    const commands = run
      .events("r", "EFFECT_REQUESTED")
      .map(({ payload }) => JSON.stringify(payload["definition"]).includes("exit 3"));
    expect(commands).toEqual([false, true, true, false]);
    expect((await run.ask(["run:status", "r"])).state).toBe("completed");
    expect((await run.run(["run:verify", "r"])).stdout).toContain("r same");
    expect(
      run.readJson(".a5c/runs/r/tasks", run.events("r", "EFFECT_RETRIED")[0]?.["effectId"] as string, "task.json"),
    ).toMatchObject({
      shell: { command: expect.stringContaining("echo built") as string },
    });
  });

  it("C25 C7: a rejected question is asked again, with the rejection kept", async (test) => {
    const { expect } = test;
    const run = failingProject(test);
    run.write({
      "p.mjs": 'export const process = async (_, ctx) => { await ctx.breakpoint("Ship it?"); return "shipped"; };',
    });
    const waiting = await run.run(["run", "p.mjs", "--run-id", "r"]);
    expect(waiting.code).toBe(3);
    await followHint(run, waiting, "breakpoint:reject");
    const rejected = await run.run(["run", "r"]);
    expect(rejected.code).toBe(10);
    const retried = await followHint(run, rejected, "run:retry", "r");
    const asked = await followHint(run, retried, "run", "r");
    expect(asked.code).toBe(3);
    const [id] = run.events("r", "EFFECT_REQUESTED").map((event) => event["effectId"] as string);
    expect((await run.run(["breakpoint:show", id as string])).stdout).toMatch(/asked again; before that: .*rejected/i);
    await followHint(run, asked, "breakpoint:approve");
    expect((await followHint(run, asked, "run", "r")).code).toBe(0);
    expect(run.events("r", "EFFECT_RETRIED")[0]?.payload["source"]).toMatchObject({ via: "cli", verified: false });
    expect(run.events("r", "EFFECT_RESOLVED").map(({ payload }) => payload["attempt"])).toEqual([1, 2]);
  });
});
