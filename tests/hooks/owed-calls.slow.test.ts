/** Hooks that a program owed when it was killed are called by whoever comes next. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { linesOf } from "../fixtures/drive/driven-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";

/** Says that it was called, and goes on only when it may. */
const GATE = `#!/bin/sh
cat > payload
echo $$ >> calls
while [ ! -e go ]; do sleep 0.02; done
echo x >> told
echo '{"ok": true}'
`;

const ASKS = `export const process = (inputs, ctx) => ctx.breakpoint({ question: "Ship it?" });\n`;
const AGENT = `export const process = (inputs, ctx) => ctx.task({ kind: "agent", id: "a" });\n`;
const ONCE = `export const process = (inputs, ctx) => ctx
  .task({ kind: "shell", shell: { command: "touch running; exec sleep 1000" }, retry: { interrupted: false } })
  .catch(() => "caught");
`;

function withHook(type: string, text: string, script = GATE): Project {
  const project = new Project({ "p.mjs": text, [`.a5c/hooks/${type}/h.sh`]: script });
  fs.chmodSync(project.path(".a5c", "hooks", type, "h.sh"), 0o755);
  return project;
}

/** Starts a command and kills it as soon as something is true. */
async function killed(project: Project, args: string[], when: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: project.dir,
    env: cleanEnvironment(project.home),
    stdio: "ignore",
  });
  const over = new Promise((resolve) => child.on("close", resolve));
  await until(when);
  child.kill("SIGKILL");
  await over;
  // Its hook ends with it.
  await until(() => !linesOf(project, "calls").some((pid) => isRunning(Number(pid))));
}

const isCalled = (project: Project) => () => linesOf(project, "calls").length > 0;
const told = (project: Project): number => linesOf(project, "told").length;
const notes = (project: Project): string[] =>
  fs.readdirSync(path.join(project.runDir("r"), "state")).filter((name) => name.startsWith("telling-"));

describe("a command that is killed before its hooks have been called", () => {
  it("H2 C22: run:iterate has opened a question: the next one tells people of it, once", async () => {
    const project = withHook("on-breakpoint", ASKS);
    await project.create("p.mjs", "r");
    await killed(project, ["run:iterate", "r"], isCalled(project));
    project.write({ go: "" });
    expect(project.events("r", "BREAKPOINT_OPENED")).toHaveLength(1);
    await project.ask(["run:iterate", "r"]);
    expect(told(project)).toBe(1);
    expect(JSON.parse(project.read("payload"))).toMatchObject({ question: "Ship it?", runId: "r" });
    await project.ask(["run:iterate", "r"]);
    expect([told(project), notes(project)]).toEqual([1, []]);
  });

  it("H2 C22: a driver has opened a question: the next one tells people of it", async () => {
    const project = withHook("on-breakpoint", ASKS);
    await killed(project, ["run", "p.mjs", "--run-id", "r"], isCalled(project));
    project.write({ go: "" });
    expect((await project.run(["run", "r", "--json"])).code).toBe(3);
    expect(told(project)).toBe(1);
  });

  it("C22: a question that was answered in the meantime is told to nobody", async () => {
    const project = withHook("on-breakpoint", ASKS);
    await project.create("p.mjs", "r");
    await killed(project, ["run:iterate", "r"], isCalled(project));
    project.write({ go: "" });
    await project.ask(["breakpoint:approve", project.events("r", "BREAKPOINT_OPENED")[0]?.effectId as string]);
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed" });
    expect(told(project)).toBe(0);
  });

  it("H2: task:post has recorded a result: the next run:iterate tells of it", async () => {
    const project = withHook("on-task-complete", AGENT);
    await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    await killed(project, ["task:post", "r", nextActions[0]?.effectId as string, "--status", "ok"], isCalled(project));
    project.write({ go: "" });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed" });
    expect(told(project)).toBe(1);
    expect(JSON.parse(project.read("payload"))).toMatchObject({ kind: "agent", status: "ok" });
  });

  it.each(["run", "run:iterate"])(
    "H2: %s has recorded the end of the run: whoever looks next tells of it",
    async (command) => {
      const project = withHook("on-run-complete", "export const process = () => 42;\n");
      await project.create("p.mjs", "r");
      await killed(project, [command, "r"], isCalled(project));
      project.write({ go: "" });
      await project.ask(["run:iterate", "r"]);
      expect(told(project)).toBe(1);
      expect(JSON.parse(project.read("payload"))).toMatchObject({ status: "completed", output: 42 });
    },
  );

  it("H2: breakpoint:create has asked: the hook is called by whoever iterates its run", async () => {
    const project = withHook("on-breakpoint", "");
    await killed(project, ["breakpoint:create", "--question", "Deploy now?"], isCalled(project));
    project.write({ go: "" });
    const [run] = (await project.ask(["run:list"])).runs;
    await project.ask(["run:iterate", run?.runId as string]);
    expect(told(project)).toBe(1);
  });
});

describe("a takeover", () => {
  it.each([
    ["a driver", ["run", "r", "--json"]],
    ["a task runner", ["run:iterate", "r", "--json"]],
  ])("H2: by %s calls on-task-complete for the tasks that nobody finishes", async (_who, next) => {
    const project = withHook("on-task-complete", ONCE);
    project.write({ go: "" });
    await killed(project, ["run", "p.mjs", "--run-id", "r"], () => hasStarted(project));
    expect((await project.run(next)).code).toBe(0);
    expect(told(project)).toBe(1);
    expect(JSON.parse(project.read("payload"))).toMatchObject({ kind: "shell", status: "error" });
  });
});

function hasStarted(project: Project): boolean {
  return fs.existsSync(project.path("running")) && project.events("r", "EFFECT_STARTED").length > 0;
}

describe("hooks that nobody owed", () => {
  it("are not called for what was recorded while they were switched off", async () => {
    const project = withHook("on-breakpoint", ASKS);
    project.write({ go: "" });
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r", "--no-hooks"]);
    await project.ask(["run:iterate", "r"]);
    expect(told(project)).toBe(0);
  });

  it("are not called for the original of a copy", async () => {
    const project = withHook("on-breakpoint", ASKS);
    await project.create("p.mjs", "r");
    await killed(project, ["run:iterate", "r"], isCalled(project));
    const copy = new Project({ go: "" }, "copy", path.join(project.root, "more"));
    fs.cpSync(project.dir, copy.dir, { recursive: true });
    await copy.ask(["run:iterate", "r"]);
    expect([told(copy), notes(copy)]).toEqual([0, []]);
    expect(notes(project)).toHaveLength(1);
  });
});
