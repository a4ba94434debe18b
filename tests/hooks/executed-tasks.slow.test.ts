/** Tasks that run:iterate has executed between two replays, by itself and by hooks. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { momentsIn, RECORDER, SHIPPED, twoTasks, withHook } from "../fixtures/hooks/recorded-hooks.js";
import { until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

/** A plugin's own orchestrator: the shipped script with a line more. */
function withOrchestrator(project: Project): void {
  const name = "on-iteration-start/native-orchestrator.sh";
  const file = `plugins/babysitter/hooks/${name}`;
  project.write({ [file]: `${fs.readFileSync(path.join(SHIPPED, name), "utf8")}# edited\n` });
  fs.chmodSync(project.path(file), 0o755);
}

describe("tasks executed between two replays", () => {
  it("H4 C13: node and shell tasks are executed and posted, with their environment and timeout", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
        const deploy = await ctx.task({ kind: "node", node: { entry: "./deploy.js", env: { DEPLOY_ENV: "production" } } }, { n: 2 });
        const slow = await ctx.task({ kind: "shell", shell: { command: "sleep 60", timeout: 200 } }).catch((e) => e.code);
        return { deploy, slow };
      }`,
      "package.json": "{}",
      "deploy.js": "module.exports = ({ n }) => `${process.env.DEPLOY_ENV} ${n}`;",
    });
    await project.create("p.mjs", "r");
    expect(await project.ask(["run:iterate", "r", "--iteration", "1"])).toMatchObject({
      iteration: 1,
      status: "executed",
      action: "executed-tasks",
      reason: "auto-runnable-tasks",
      count: 1,
      metadata: { runId: "r", hookStatus: "executed" },
    });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "executed", count: 1 });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "completed",
      output: { deploy: "production 2", slow: "TASK_TIMEOUT" },
    });
  });

  it("C13: the caller of run:iterate may be killed while a task runs: the work continues and is collected once", async () => {
    const project = new Project({
      "p.mjs": `export const process = (inputs, ctx) => ctx.task({ kind: "shell", shell: { command: "echo x >> starts; while [ ! -e go ]; do sleep 0.02; done; echo done" } });`,
    });
    await project.create("p.mjs", "r");
    const caller = spawn(process.execPath, [CLI, "run:iterate", "r", "--json"], {
      cwd: project.dir,
      env: cleanEnvironment(project.home),
      stdio: "ignore",
      detached: true,
    });
    onTestFinished(() => void caller.kill("SIGKILL"));
    await until(() => fs.existsSync(project.path("starts")));
    // As a host does: the whole group at once.
    process.kill(-(caller.pid as number), "SIGKILL");
    const running = await project.ask(["run:iterate", "r"], { env: { BABYSITTER_ITERATE_WAIT_MS: "50" } });
    expect(running).toMatchObject({ status: "waiting", reason: "tasks-running" });
    project.write({ go: "" });
    await until(() => eventsOf(path.join(project.runsDir, "r")).some(({ type }) => type === "EFFECT_RESOLVED"));
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "completed",
      output: { stdout: "done\n" },
    });
    expect(project.read("starts")).toBe("x\n");
  });

  it("H4: run:iterate returns when every task has ended, and counts their results", async () => {
    const project = new Project({
      "p.mjs": twoTasks(
        "echo fast",
        "until grep -q EFFECT_RESOLVED .a5c/runs/r/journal/*; do sleep 0.02; done; sleep 0.5",
      ),
    });
    await project.create("p.mjs", "r");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "executed",
      reason: "auto-runnable-tasks",
      count: 2,
    });
  });

  it("H4: tasks that an earlier call began are waited for too", async () => {
    const project = new Project({ "p.mjs": twoTasks("echo fast", "while [ ! -e go ]; do sleep 0.02; done") });
    // Called when the process has been replayed, before the tasks are waited for.
    withHook(project, "on-iteration-start", "#!/bin/sh\n[ ! -e late ] || touch go\necho '{}'\n");
    await project.create("p.mjs", "r");
    const early = await project.ask(["run:iterate", "r", "--wait", "0s"]);
    expect(early).toMatchObject({ status: "waiting", reason: "tasks-running" });
    const runDir = path.join(project.runsDir, "r");
    await until(() => eventsOf(runDir).some(({ type }) => type === "EFFECT_RESOLVED"));
    project.write({ late: "" });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "executed", count: 1 });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed" });
    expect(await project.refuse(["run:iterate", "r", "--wait", "soon"])).toMatchObject({ code: "USAGE", exit: 2 });
  });

  it.each(["by itself", "as a plugin's script"])(
    "H4: the time limit of hooks does not end the wait for tasks, done %s; other hooks keep theirs",
    async (how) => {
      const project = new Project({
        // Longer than a hook may take: until one has been stopped for that.
        "p.mjs": twoTasks("echo fast", "until grep -q timed-out .a5c/runs/r/journal/*; do sleep 0.02; done"),
      });
      withHook(project, "on-task-start", "#!/bin/sh\nexec sleep 1000\n");
      if (how !== "by itself") withOrchestrator(project);
      await project.create("p.mjs", "r");
      const env = { BABYSITTER_HOOK_TIMEOUT_MS: "500", BABYSITTER_CLI: CLI };
      const step = await project.ask(["run:iterate", "r"], { env });
      expect(step).toMatchObject({ status: "executed", count: 2, metadata: { hookStatus: "executed" } });
    },
  );

  it("H2: on-task-complete comes before its iteration ends, and run:iterate answers after it", async () => {
    const project = new Project({ "p.mjs": twoTasks("echo one", "echo two") });
    withHook(project, "on-task-complete", RECORDER.replace("printf", "sleep 0.3\nprintf"));
    withHook(project, "on-iteration-end", RECORDER);
    await project.create("p.mjs", "r");
    await project.ask(["run:iterate", "r"]);
    const told = momentsIn(project).map(({ type }) => type);
    expect(told).toEqual(["on-task-complete", "on-task-complete", "on-iteration-end"]);
  });

  it("H2: a plugin's orchestrator does not hold up the hooks of a run that is driven", async () => {
    const project = new Project({
      "p.mjs": twoTasks("echo fast", "until grep -q on-task-complete moments.log; do sleep 0.02; done"),
    });
    withHook(project, "on-task-complete", RECORDER);
    withOrchestrator(project);
    expect((await project.run(["run", "p.mjs", "--json"], { env: { BABYSITTER_CLI: CLI } })).code).toBe(0);
  });

  it("H5: a hook of the user's executes and posts tasks of another kind; its words are in the answer", async () => {
    const project = new Project({
      "p.mjs": `export const process = (inputs, ctx) => ctx.task({ kind: "dance", title: "waltz" });`,
    });
    withHook(
      project,
      "on-iteration-start",
      `#!/bin/sh
effect=$("$BABYSITTER_CLI" task:list "$RUN_ID" --pending --kind dance --json | "${process.execPath}" -p 'JSON.parse(require("fs").readFileSync(0)).tasks[0]?.effectId ?? ""')
[ -n "$effect" ] || { echo '{"action": "none"}'; exit 0; }
echo '"danced"' | "$BABYSITTER_CLI" task:post "$RUN_ID" "$effect" --status ok --value - > /dev/null
"$BABYSITTER_CLI" run:status "$RUN_ID" >&2
echo '{"action": "executed-tasks", "count": 1, "reason": "danced-tasks"}'
`,
    );
    await project.create("p.mjs", "r");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "executed",
      action: "executed-tasks",
      reason: "danced-tasks",
      count: 1,
    });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed", output: "danced" });
    const driven = await project.run(["run", "p.mjs", "--json"]);
    expect([driven.code, driven.json().output]).toEqual([0, "danced"]);
  });

  it("H5: a hook that lies about what it executed cannot spin the loop", async () => {
    const project = new Project({
      "p.mjs": `export const process = (inputs, ctx) => ctx.task({ kind: "agent", id: "a" });`,
    });
    withHook(
      project,
      "on-iteration-start",
      `#!/bin/sh\necho '{"action": "executed-tasks", "count": 7, "reason": "lies"}'\n`,
    );
    await project.create("p.mjs", "r");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "waiting", reason: "agent-pending" });
  });

  it("a hook that fails is told in hookStatus and breaks nothing", async () => {
    const project = new Project({
      "p.mjs": `export const process = (inputs, ctx) => ctx.task({ kind: "shell", shell: { command: "echo fine" } });`,
    });
    withHook(project, "on-iteration-start", "#!/bin/sh\nexit 137\n");
    await project.create("p.mjs", "r");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "executed",
      metadata: { hookStatus: "failed" },
    });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed" });
  });
});
