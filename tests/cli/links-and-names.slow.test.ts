import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Project } from "../fixtures/project.js";

const ASKS_WITH_PATH = `import path from "node:path";
import { fileURLToPath } from "node:url";
const here = path.dirname(fileURLToPath(import.meta.url));
export async function process(inputs, ctx) {
  return ctx.task({ kind: "agent", id: "plan" }, { file: path.join(here, "plan.md") });
}
`;

describe("runs by other names", () => {
  it("C12 C18: a run opened through a symbolic link is the same run", async () => {
    const project = new Project({ "p.mjs": ASKS_WITH_PATH });
    await project.create("p.mjs", "r");
    const first = await project.ask(["run:iterate", "r"]);
    const link = path.join(path.dirname(project.dir), `${path.basename(project.dir)}-link`);
    fs.symlinkSync(project.dir, link);
    try {
      await project.post("r", first.nextActions[0]?.effectId ?? "", "done");
      expect(await project.ask(["run:iterate", path.join(link, ".a5c/runs/r")])).toMatchObject({ status: "completed" });
    } finally {
      fs.rmSync(link);
    }
  });

  it("C14 C18: the next command names a run by its location; without an open run, the last one is shown", async () => {
    const project = new Project({ "p.mjs": "export const process = () => 1;\n" });
    const create = ["run:create", "--process-id", "p", "--entry", "p.mjs", "--run-id", "r", "--runs-dir", "elsewhere"];
    const created = await project.run(create);
    expect(created.stdout).toContain("next: babysitter run:iterate elsewhere/r");
    await project.ask(["run:iterate", "elsewhere/r"]);
    const status = await project.ask(["run:status", "--runs-dir", "elsewhere"]);
    expect(status).toMatchObject({ runId: "r", state: "completed", pendingEffects: [] });
  });

  it("C1: a # in a folder name does not mark an export", async () => {
    const project = new Project({ "a#b/p.mjs": "export const process = () => 1;\n" });
    const created = await project.ask(["run:create", "--process-id", "p", "--entry", "a#b/p.mjs", "--run-id", "r"]);
    expect(created.entry).toBe("a#b/p.mjs#process");
  });
});

describe("what people are shown", () => {
  it("C7 C14 C16: the question is shown, and no name can move the cursor", async () => {
    const evil = "\\u001b[2J\\u001b]0;gone\\u0007Approve?";
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) { return (await ctx.breakpoint({ question: "${evil}" })).approved; }\n`,
    });
    await project.create("p.mjs", "r");
    for (const command of ["run:iterate", "run:status", "task:list"]) {
      const { stdout } = await project.run([command, "r"]);
      expect(stdout).toContain("Approve?");
      expect(stdout).not.toContain("\u001b");
      expect(stdout).not.toContain("\u0007");
    }
  });

  it("C17: an error posted as value is refused, and nothing of an error is lost", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) { try { return await ctx.task({ kind: "agent", id: "a" }); } catch (error) { return { message: error.message, code: error.code, exitCode: error.exitCode, stdout: error.stdout, isError: error instanceof Error }; } }\n`,
    });
    await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const post = ["task:post", "r", nextActions[0]?.effectId ?? "", "--status", "error"];
    const error = '{"message":"disk full","code":28,"exitCode":3,"data":{"stdout":"x","__proto__":{"a":1}}}';
    expect(await project.refuse([...post, "--value", "-"], { stdin: error })).toMatchObject({ code: "USAGE", exit: 2 });
    await project.ask([...post, "--error", "-"], { stdin: error });
    expect((await project.ask(["run:iterate", "r"])).output).toEqual({
      message: "disk full",
      code: "28",
      exitCode: 3,
      stdout: "x",
      isError: true,
    });
  });

  it("C6: a large failure is stored by reference and delivered whole", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) { try { return await ctx.task({ kind: "agent", id: "a" }); } catch (error) { return error.stdout.length; } }\n`,
    });
    await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    const effect = nextActions[0]?.effectId ?? "";
    const error = JSON.stringify({ message: "too much", data: { stdout: "x".repeat(200_000) } });
    const post = ["task:post", "r", effect, "--status", "error", "--error", "-"];
    await project.ask(post, { stdin: error });
    expect(await project.ask(post, { stdin: error })).toMatchObject({ outcome: "duplicate" });
    expect((await project.ask(["run:iterate", "r"])).output).toBe(200_000);
    expect(await project.ask(["run:check", "r"])).toMatchObject({ ok: true });
    const { events } = await project.ask(["run:events", "r"]);
    expect(JSON.stringify(events).length).toBeLessThan(20_000);
  });

  it("C2: run.json, inputs.json and tasks/ are made again", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) { return ctx.task({ kind: "agent", id: "a" }, inputs); }\n`,
    });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    const run = path.join(project.dir, ".a5c/runs/r");
    const copies = ["run.json", "inputs.json"].map((name) => fs.readFileSync(path.join(run, name), "utf8"));
    for (const name of ["run.json", "inputs.json", "tasks"]) fs.rmSync(path.join(run, name), { recursive: true });
    await project.ask(["run:iterate", "r"]);
    expect(["run.json", "inputs.json"].map((name) => fs.readFileSync(path.join(run, name), "utf8"))).toEqual(copies);
    expect(fs.readdirSync(path.join(run, "tasks"))).toHaveLength(1);
  });

  it("C14: what the last iteration failed with, and what the process said before, is kept", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) { ctx.log("about to wait"); await new Promise(() => {}); }\n`,
    });
    await project.create("p.mjs", "r");
    await project.run(["run:iterate", "r"]);
    expect((await project.ask(["run:status", "r"])).why).toContain("PROCESS_STALLED");
    const { events } = await project.ask(["run:events", "r", "--filter-type", "PROCESS_LOGGED"]);
    expect(events).toHaveLength(1);
  });
});
