/** Every way in which a task, a hook or a check can give secrets away, driven in every way. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { lifeHere } from "../../packages/sdk/src/spawn/life-here.js";
import type { ProcessRecord } from "../../packages/sdk/src/spawn/liveness.js";
import { LeakyProject, SECRETS } from "../fixtures/effects/planted-secrets.js";

const MASKED = expect.stringContaining("<***>") as string;
const LIST = expect.arrayContaining(["***"]) as unknown[];

/** What is left of the tasks' results when all secrets are masked. */
const RESULTS = {
  "shell-ok": { success: true, stdout: MASKED, stderr: expect.stringContaining("***yes") as string },
  "shell-failed": { code: "TASK_FAILED", data: { exitCode: 3, stdout: MASKED, stderr: MASKED } },
  "shell-allowed": { success: false, stdout: MASKED },
  "shell-late": { code: "TASK_TIMEOUT" },
  missing: { code: "TASK_INVALID" },
  "returned.mjs": { list: LIST },
  "written.cjs": LIST,
  "garbled.cjs": { code: "INPUT_NOT_JSON" },
  "line.cjs": LIST,
  "thrown.mjs": { code: "***", message: expect.stringContaining("bad *** | ") as string },
  "hanging.mjs": { code: "TASK_TIMEOUT" },
  "seen.cjs": { inArguments: false },
};

/** They tidy up after what they have found was told, and files come and go meanwhile. */
async function verifiersGone(project: LeakyProject): Promise<void> {
  const started = project.events("r").filter(({ type }) => type === "VERIFICATION_STARTED");
  const groups = started.map(({ payload }) => (payload as { group: ProcessRecord }).group);
  expect(groups.length).toBeGreaterThan(0);
  while (groups.some((group) => lifeHere(group) === "alive")) await nextTurn();
}

describe("secrets", () => {
  it("are in no file of a run that is driven, whatever its tasks, agents and hooks do with them", async () => {
    const project = new LeakyProject();
    expect((await project.under("022", ["init", "--track-runs"])).code).toBe(0);
    const agent = `${process.execPath} ${project.path("agent.mjs")}`;
    const done = await project.under("000", ["run", "p.mjs", "--json", "--run-id", "r", "--agent-command", agent]);
    const { output } = done.json() as { output: { results: unknown; echoed: unknown; hook: unknown } };
    expect(output.results).toMatchObject({ ...RESULTS, agent: { n: LIST }, skill: { n: LIST } });
    expect(output.echoed).toEqual({ results: output.results });
    expect(output.hook).toMatchObject({ success: true, output: { all: LIST } });
    expect(`${done.stdout}${done.stderr}`).not.toContain(SECRETS.API_KEY);
    expect(project.leaks().join("\n")).toBe("");
    expect(project.looseFiles().join("\n")).toBe("");
  });

  it("are in no file of a run that is iterated, and whatever the umask takes away, its owner can go on", async () => {
    const project = new LeakyProject();
    project.write({ "inputs.json": JSON.stringify({ tasks: Object.keys(RESULTS) }) });
    expect((await project.under("022", ["init", "--track-runs"])).code).toBe(0);
    const create = ["run:create", "--process-id", "p", "--entry", "p.mjs", "--run-id", "r", "--inputs", "inputs.json"];
    expect((await project.under("0777", create)).code).toBe(0);
    let status = "executed";
    let output: unknown;
    for (let count = 0; count < 20 && status === "executed"; count += 1)
      ({ status, output } = (await project.under("0777", ["run:iterate", "r", "--json"])).json());
    expect(status).toBe("completed");
    expect(output).toMatchObject({ results: RESULTS });
    expect(project.leaks().join("\n")).toBe("");
    expect(project.looseFiles().join("\n")).toBe("");
    for (const args of [["run:archive", "r"], ["run:archive", "r", "--restore"], ["doctor"]])
      await project.under("000", args);
    expect(project.looseFiles().join("\n")).toBe("");
  });

  it("are in no evidence of a loop, where no task can name them", async () => {
    const project = new LeakyProject();
    project.git("init", "-q");
    const mask = { BABYSITTER_MASK: "X, CERTIFICATE LONGER,SHORTER,NOT_SET" };
    const loop = ["loop:start", "Make it work, so that `npm test` passes without errors", "--run-id", "r", "--json"];
    const started = await project.under("000", [...loop, "--criteria", "leaks: node leak.cjs 1"], mask);
    expect(started.code).toBe(0);
    const verified = await project.under("000", ["loop:verify", "r", "--json"], mask);
    expect(verified.stdout).toContain("***");
    await verifiersGone(project);
    expect(project.leaks().join("\n")).toBe("");
    expect(project.looseFiles().join("\n")).toBe("");
  });
});
