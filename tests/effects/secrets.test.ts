/** Secrets stay out of what a run leaves behind, and what it leaves is its owner's alone. */
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import type { Finished } from "../fixtures/command-line.js";
import { LeakyProject, SECRETS } from "../fixtures/effects/planted-secrets.js";

describe("secrets", () => {
  it("named by the author and found by their names are kept out of files, and missed where they are missing", async () => {
    const project = new LeakyProject();
    project.write({ "inputs.json": JSON.stringify({ tasks: ["shell-ok", "written.cjs", "missing"] }) });
    expect((await project.under("022", ["init", "--track-runs"])).code).toBe(0);
    const options = ["--run-id", "r", "--inputs", "inputs.json", "--no-hooks", "--json"];
    const { output } = (await project.under("000", ["run", "p.mjs", ...options])).json();
    const { results } = output as { results: Record<string, { stdout: string; stderr: string }> };
    expect(results["shell-ok"]).toMatchObject({ stdout: expect.stringContaining("<***>") as string });
    expect(results["shell-ok"]?.stderr).toContain("***yes");
    expect(results["written.cjs"]).toContain("***");
    const message = expect.stringContaining("it needs NOT_SET, which") as string;
    expect(results["missing"]).toMatchObject({ code: "TASK_INVALID", message });
    expect(fs.existsSync(project.path("started"))).toBe(false);
    expect(project.leaks()).toEqual([]);
    expect(project.looseFiles()).toEqual([]);
  });

  it("named by a task are kept out of what its run's hooks and criteria print and answer", async () => {
    const project = new LeakyProject();
    project.write({
      "q.mjs": `export async function process(inputs, ctx) {
  const task = { kind: "shell", id: "a", shell: { command: "true # ${"x".repeat(70_000)}", secretEnv: ["X", "CERTIFICATE", "LONGER", "SHORTER"] } };
  await ctx.task(task, {});
  const hook = await ctx.hook("custom", {});
  return ctx.task({ kind: "agent", id: "b", agent: { prompt: "Go" } }, { hook });
}`,
    });
    const session = ["--session-id", "s", "--harness", "claude-code"];
    const goal = ["loop:start", "Make it work, so that `npm test` passes without errors", "--run-id", "r", ...session];
    expect((await project.under("022", [...goal, "--criteria", "leaks: test -e go && node leak.cjs 1"])).code).toBe(0);
    const create = ["run:create", "--process-id", "q", "--entry", "q.mjs", "--no-hooks", ...session];
    expect(await project.under("022", create)).toMatchObject({ code: 0 });
    let status = "executed";
    for (let count = 0; count < 9 && status === "executed"; count += 1)
      ({ status } = (await project.under("022", ["run:iterate", "r", "--json"])).json());
    const args = project.events("r", "EFFECT_REQUESTED").at(-1)?.payload["args"];
    const all = expect.arrayContaining(["***"]) as string[];
    expect(args).toMatchObject({ value: { hook: { success: true, output: { all } } } });
    project.write({ go: "" });
    const { stdout } = await project.under("022", ["loop:verify", "r", "--json"]);
    expect(stdout).toContain("<***>");
    expect(project.leaks()).toEqual([]);
  });

  it("are kept out of what is posted, and the same post again is the same", async () => {
    const project = new LeakyProject();
    project.write({
      "q.mjs": `export const process = (inputs, ctx) => ctx.task({ kind: "agent", id: "a", agent: { prompt: "Go", secretEnv: ["X", "CERTIFICATE", "LONGER", "SHORTER"] } });`,
      "value.json": JSON.stringify({
        all: [SECRETS.X, `key ${SECRETS.API_KEY}`, Buffer.from(SECRETS.X).toString("base64")],
      }),
      "out.txt": `it is ${SECRETS.X}\n`,
    });
    await project.create("q.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r", "--no-hooks"]);
    const options = ["--status", "ok", "--value", "value.json", "--stdout-file", "out.txt", "--json"];
    const post = (): Promise<Finished> =>
      project.under("000", ["task:post", "r", nextActions[0]?.effectId ?? "", ...options]);
    const [first, second] = [(await post()).json(), (await post()).json()];
    expect(first).toMatchObject({ status: "ok", outcome: "committed" });
    expect(second).toMatchObject({ outcome: "duplicate" });
    const { output } = await project.ask(["run:iterate", "r", "--no-hooks"]);
    expect(output).toEqual({ all: ["***", "key ***", expect.stringMatching(/^\*{3}.{0,2}=*$/u) as string] });
    project.write({ "value.json": "", "out.txt": "" });
    expect(project.leaks()).toEqual([]);
    expect(project.looseFiles()).toEqual([]);
  });
});
