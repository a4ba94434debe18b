/** A run that has a process and no loop yet is taken into a session by every way that resumes runs. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CLI, execute, type Finished } from "../fixtures/command-line.js";
import { LoopProject, SESSION, told } from "../fixtures/loop-runs/loop-project.js";

const SCRIPTS = fileURLToPath(new URL("../../plugins/babysitter/scripts", import.meta.url));
const AGENT = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };
const PROCESS = `export const process = async (inputs, ctx) => ctx.task({ kind: "agent", title: "work" });\n`;
const FLAGS = ["--max-iterations", "15", "--completion-promise", "Implementation complete"];

/** The plugin's script, which calls the command line beside it. */
async function script(project: LoopProject, args: string[], env: Record<string, string> = AGENT): Promise<Finished> {
  const plugin = path.join(project.root, "plugin");
  fs.cpSync(SCRIPTS, path.join(plugin, "scripts"), { recursive: true });
  fs.mkdirSync(path.join(plugin, "bin"), { recursive: true });
  fs.writeFileSync(path.join(plugin, "bin", "babysitter"), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, {
    mode: 0o755,
  });
  const where = { cwd: project.dir, home: project.home, env };
  return execute(path.join(plugin, "scripts", "setup-babysitter-run-resume.sh"), args, where);
}

async function waiting(): Promise<LoopProject> {
  const project = new LoopProject({ "p.mjs": PROCESS });
  await project.create("p.mjs", "first");
  await project.ask(["run:iterate", "first"]);
  return project;
}

describe("resuming a run that has a process and no loop", () => {
  it.each([
    ["loop:resume", (project: LoopProject) => project.run(["loop:resume", "first", ...FLAGS], { env: AGENT })],
    ["setup-babysitter-run-resume.sh", (project: LoopProject) => script(project, ["first", ...FLAGS])],
  ])("L2: %s with all documented flags binds it to the session and holds the agent", async (_, resume) => {
    const project = await waiting();
    const done = await resume(project);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("run:iterate first");
    const file = fs.readFileSync(project.sessionFile(), "utf8");
    for (const line of [
      "active: true",
      "iteration: 1",
      "max_iterations: 15",
      'completion_promise: "Implementation complete"',
      'run_id: "first"',
    ])
      expect(file.split("\n")).toContain(line);
    expect(file).toContain(
      "\n---\n\nResume Babysitter run: first\n\nProcess: test/p\nCurrent state: waiting\n\nContinue orchestration using run:iterate loop.\n",
    );
    const stop = await project.stop("hm");
    expect([stop.decision, stop.reason]).toEqual(["block", expect.stringContaining("Waiting on: agent. ")]);
  });

  it("L13: without a name it takes the only open run; 256 turns are the default", async () => {
    const project = await waiting();
    expect(await project.doc(["loop:resume"], { env: AGENT })).toMatchObject({ resumed: true, session: SESSION });
    expect(await project.status("first")).toMatchObject({ mode: "run", limits: { iterations: 256 } });
    expect((await project.doc(["loop:resume"], { env: AGENT })).resumed).toBe(false);
  });

  it("L13: without a session it says where to do it, and changes nothing", async () => {
    const project = await waiting();
    const before = project.journal("first");
    for (const done of [await project.run(["loop:resume", "first"]), await script(project, ["first"], {})]) {
      expect(done.code).toBe(2);
      expect(done.stderr).toContain("has no loop yet");
      expect(done.stderr).toContain("In an agent's session, run: babysitter loop:resume first.");
    }
    expect(project.journal("first")).toEqual(before);
  });

  it("L2: a completed run is not resumed", async () => {
    const project = new LoopProject({ "p.mjs": "export const process = async () => 1;\n" });
    await project.create("p.mjs", "first");
    await project.ask(["run:iterate", "first"]);
    expect(told(await project.refuse(["loop:resume", "first"], { env: AGENT }))).toEqual([
      7,
      "RUN_FINISHED",
      "Run first is completed; there is nothing to resume.",
    ]);
  });
});

describe("the promise of a loop that is resumed", () => {
  it.each(["loop:resume", "session:resume"])("L13: %s changes it for a person, not for an agent", async (command) => {
    const project = new LoopProject();
    await project.start(["Tidy", "--run-id", "shed", "--completion-promise", "TIDY"]);
    const change = [command, "shed", "--session-id", SESSION, "--completion-promise", "VERY TIDY"];
    const before = project.journal("shed");
    expect(told(await project.refuse(change, { env: AGENT }))).toEqual([
      7,
      "ONLY_FOR_PEOPLE",
      "Changing the promise of a loop is for people, but an agent ran this command.",
    ]);
    expect(project.journal("shed")).toEqual(before);
    await project.doc(change, { as: "person" });
    expect(fs.readFileSync(project.sessionFile(), "utf8")).toContain('completion_promise: "VERY TIDY"');
    expect((await project.stop("<promise>TIDY</promise>")).decision).toBe("block");
    expect((await project.stop("<promise>VERY TIDY</promise>")).code).toBe("promise_matched");
  });
});
