/** Hooks at their moments in real runs: called once, with what the reference page says, whoever drives the run. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { HOOK_TYPES, type KnownHookType } from "../../packages/sdk/src/model/hook-types.js";
import { CLI, cleanEnvironment, execute, type Finished } from "../fixtures/command-line.js";
import { until } from "../fixtures/processes.js";
import { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

const SHIPPED = fileURLToPath(new URL("../../packages/sdk/hooks", import.meta.url));

/** A hook that writes down its type and payload, and answers. */
const RECORDER = `#!/bin/sh
printf '%s %s\\n' "$HOOK_TYPE" "$(cat)" >> "$REPO_ROOT/moments.log"
echo '{"ok": true}'
`;

const PROCESS = `export async function process(inputs, ctx) {
  const plan = await ctx.hook("post-planning", { steps: 2 });
  for (const type of ["pre-branch", "pre-commit"]) await ctx.hook(type, { by: "process" });
  await ctx.task({ kind: "shell", title: "build", shell: { command: "echo built" } });
  const scored = await ctx.task({ kind: "node", labels: ["score"], node: { entry: "score.mjs" } });
  const answer = await ctx.breakpoint({ question: "Ship it?", title: "Release" });
  if (inputs.fail) throw new Error("as asked");
  return { scored, approved: answer.approved, planned: plan.executedHooks };
}
`;

const FILES = { "p.mjs": PROCESS, "score.mjs": "export default () => ({ score: 85 });", "fail.json": '{"fail":true}' };

const twoTasks = (one: string, other: string): string =>
  `const run = (ctx) => (command) => ctx.task({ kind: "shell", shell: { command } });
export const process = (inputs, ctx) => ctx.parallel.map(${JSON.stringify([one, other])}, run(ctx));
`;

function withHook(project: Project, type: string, text: string, name = "hook.sh"): void {
  project.write({ [`.a5c/hooks/${type}/${name}`]: text });
  fs.chmodSync(project.path(".a5c", "hooks", type, name), 0o755);
}

/** A plugin's own orchestrator: the shipped script with a line more. */
function withOrchestrator(project: Project): void {
  const name = "on-iteration-start/native-orchestrator.sh";
  const file = `plugins/babysitter/hooks/${name}`;
  project.write({ [file]: `${fs.readFileSync(path.join(SHIPPED, name), "utf8")}# edited\n` });
  fs.chmodSync(project.path(file), 0o755);
}

function recordedProject(): Project {
  const project = new Project(FILES);
  for (const type of Object.keys(HOOK_TYPES)) withHook(project, type, RECORDER);
  return project;
}

interface Moment {
  type: KnownHookType;
  payload: Record<string, unknown>;
}

function momentsIn(project: Project): Moment[] {
  const lines = project.read("moments.log").trim().split("\n");
  return lines.map((line) => {
    const at = line.indexOf(" ");
    const payload = JSON.parse(line.slice(at + 1)) as Moment["payload"];
    return { type: line.slice(0, at) as KnownHookType, payload };
  });
}

const countOf = (moments: Moment[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { type } of moments) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

/** Once per effect: three hooks, two tasks, one question. */
const ONCE = {
  "on-run-start": 1,
  "post-planning": 1,
  "pre-branch": 1,
  "pre-commit": 1,
  "on-step-dispatch": 6,
  "on-task-start": 2,
  "on-task-complete": 6,
  "on-score": 1,
  "on-breakpoint": 1,
};

describe("lifecycle hooks in a run", () => {
  it("H2 C10 C13: step by step, every type fires at its moment, once, with its documented fields", async () => {
    const project = recordedProject();
    await project.create("p.mjs", "r");
    let step = await project.ask(["run:iterate", "r"]);
    while (step.status === "executed") step = await project.ask(["run:iterate", "r"]);
    expect(step).toMatchObject({
      status: "waiting",
      reason: "breakpoint-waiting",
      metadata: { hookStatus: "waiting" },
    });
    await project.ask(["breakpoint:approve", step.nextActions[0]?.effectId as string]);
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "completed",
      output: { scored: { score: 85 }, approved: true, planned: ["hook.sh"] },
    });
    const moments = momentsIn(project);
    expect(countOf(moments)).toMatchObject({ ...ONCE, "on-run-complete": 1 });
    expect(countOf(moments)).not.toHaveProperty("on-run-fail");
    for (const { type, payload } of moments) {
      expect(payload).toMatchObject({ runId: "r", runDir: path.join(project.runsDir, "r") });
      const known = ["runId", "runDir", ...Object.keys(HOOK_TYPES[type].fields)];
      const unknown = Object.keys(payload).filter((field) => !known.includes(field) && !known.includes("…"));
      expect(unknown).toEqual([]);
    }
    const of = (type: KnownHookType): Moment["payload"][] =>
      moments.filter((moment) => moment.type === type).map(({ payload }) => payload);
    expect(of("on-score")[0]).toMatchObject({ score: 85, kind: "node" });
    expect(of("on-breakpoint")[0]).toMatchObject({ question: "Ship it?", title: "Release" });
    expect(of("on-run-complete")[0]).toMatchObject({ status: "completed", durationMs: expect.any(Number) });
    expect(of("on-task-complete").filter(({ kind }) => kind === "shell")).toMatchObject([
      { status: "ok", exitCode: 0 },
    ]);
    const recorded = eventsOf(path.join(project.runsDir, "r")).filter(({ type }) => type === "HOOK_DISPATCHED");
    expect(recorded).toHaveLength(moments.length);
  });

  it("H2: driven by one command, the same hooks fire the same number of times", async () => {
    const project = recordedProject();
    const args = ["run", "p.mjs", "--run-id", "r", "--breakpoint-policy", "approve", "--json"];
    expect((await project.run(args)).code).toBe(0);
    expect(countOf(momentsIn(project))).toMatchObject({ ...ONCE, "on-run-complete": 1 });
  });

  it("H2: a run that fails calls on-run-fail", async () => {
    const project = recordedProject();
    const args = ["run", "p.mjs", "--inputs", "fail.json", "--breakpoint-policy", "approve", "--json"];
    expect((await project.run(args)).code).toBe(1);
    const failed = momentsIn(project).filter(({ type }) => type === "on-run-fail");
    expect(failed).toMatchObject([{ payload: { status: "failed", error: { message: "as asked" } } }]);
  });

  it("C10: ctx.hook runs its hooks once, however often the run is replayed", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
        const hook = await ctx.hook("gate", { n: 1 });
        await ctx.task({ kind: "agent", id: "a" });
        return hook;
      }`,
    });
    withHook(project, "gate", `#!/bin/sh\necho x >> "$REPO_ROOT/calls"\necho '{"ok": true, "level": 3}'\n`);
    await project.create("p.mjs", "r");
    const { nextActions } = await project.ask(["run:iterate", "r"]);
    await project.ask(["run:iterate", "r"]);
    await project.post("r", nextActions[0]?.effectId as string, "done");
    const { output } = await project.ask(["run:iterate", "r"]);
    expect(output).toMatchObject({ hookType: "gate", success: true, output: { level: 3 }, executedHooks: ["hook.sh"] });
    expect(project.read("calls")).toBe("x\n");
  });

  it("C10 H2: ctx.hook is no task: it is not counted, and raises no iteration number", async () => {
    const project = new Project({
      "p.mjs": `export async function process(inputs, ctx) {
        for (const n of [1, 2]) await ctx.hook("gate", { n });
        await ctx.task({ kind: "shell", shell: { command: "echo built" } });
        await ctx.hook("gate", { n: 3 });
        await ctx.task({ kind: "agent", id: "a" });
        await ctx.hook("gate", { n: 4 });
      }`,
    });
    withHook(project, "gate", RECORDER);
    await project.create("p.mjs", "r");
    const first = await project.ask(["run:iterate", "r"]);
    expect(first).toMatchObject({ iteration: 1, iterationCount: 1, status: "executed", count: 1 });
    const second = await project.ask(["run:iterate", "r"]);
    expect(second).toMatchObject({ iteration: 2, status: "waiting", reason: "agent-pending", count: 1 });
    await project.post("r", second.nextActions[0]?.effectId as string, "done");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ iteration: 3, status: "completed", count: 0 });
    expect(momentsIn(project)).toHaveLength(4);
  });

  it("--no-hooks executes nothing and calls only what the process itself calls", async () => {
    const project = recordedProject();
    await project.create("p.mjs", "r", ["--no-hooks"]);
    await project.ask(["run:iterate", "r", "--no-hooks"]);
    expect(fs.existsSync(project.path("moments.log"))).toBe(true);
    expect(momentsIn(project).map(({ type }) => type)).toEqual(["post-planning", "pre-branch", "pre-commit"]);
  });
});

describe("questions", () => {
  it("H2 C22: people are told about a standalone question too", async () => {
    const project = new Project();
    withHook(project, "on-breakpoint", RECORDER);
    await project.ask(["breakpoint:create", "--question", "Deploy now?"]);
    expect(momentsIn(project)).toMatchObject([{ type: "on-breakpoint", payload: { question: "Deploy now?" } }]);
  });

  it("C22: what was shown is recorded even if no hooks are called", async () => {
    const project = new Project(FILES);
    const driven = await project.run(["run", "p.mjs", "--run-id", "r", "--no-hooks", "--json"]);
    expect(driven.code).toBe(3);
    expect(eventsOf(path.join(project.runsDir, "r")).map(({ type }) => type)).toContain("BREAKPOINT_OPENED");
  });
});

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

describe("the scripts that come with the package", () => {
  const environment = (project: Project): Record<string, string> => ({
    BABYSITTER_CLI: CLI,
    RUN_ID: "r",
    RUN_DIR: path.join(project.runsDir, "r"),
  });

  it("H4 H6: edited in a plugin, they run as its hooks and do the same as the command line itself", async () => {
    const project = new Project({
      "p.mjs": `export const process = (inputs, ctx) => ctx.task({ kind: "shell", shell: { command: "echo fine" } });`,
    });
    const copied = project.path("plugins", "babysitter", "hooks");
    fs.cpSync(SHIPPED, copied, { recursive: true });
    for (const type of ["on-iteration-start", "on-iteration-end"])
      for (const name of fs.readdirSync(path.join(copied, type)))
        fs.appendFileSync(path.join(copied, type, name), "# edited\n");
    await project.create("p.mjs", "r");
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({
      status: "executed",
      reason: "auto-runnable-tasks",
      count: 1,
      metadata: { hookStatus: "executed" },
    });
    expect(await project.ask(["run:iterate", "r"])).toMatchObject({ status: "completed" });
    const names = eventsOf(path.join(project.runsDir, "r")).flatMap(({ type, payload }) =>
      type === "HOOK_DISPATCHED" ? (payload["hooks"] as { name: string }[]).map(({ name }) => name) : [],
    );
    expect(new Set(names)).toEqual(new Set(["logger.sh", "native-orchestrator.sh", "native-finalization.sh"]));
  });

  /** With nothing of ours in the environment, as people have it. */
  const byHand = async (project: Project, script: string, args: string[], payload: unknown): Promise<Finished> =>
    execute(script, args, { cwd: project.dir, home: project.home, stdin: JSON.stringify(payload) });

  it("H6: hook-dispatcher.sh on-iteration-start works by hand with the documented payload", async () => {
    const metadata = { processId: "dev/build", stateVersion: 42 };
    const payload = { runId: "r", runDir: ".a5c/runs/r", iteration: 1, metadata };
    const project = new Project({ "p.mjs": twoTasks("echo one", "echo two") });
    await project.create("p.mjs", "r");
    await project.create("p.mjs", "another");
    for (const run of ["r", "another"]) await project.ask(["run:iterate", run, "--no-hooks"]);
    const done = await byHand(project, path.join(SHIPPED, "hook-dispatcher.sh"), ["on-iteration-start"], payload);
    expect([done.code, done.json()]).toMatchObject([0, { ok: true, action: "executed-tasks", count: 2 }]);
    const ran = (done.json() as unknown as { hooks: { name: string }[] }).hooks.map(({ name }) => name);
    expect(ran.filter((name) => name.startsWith("native-orchestrator"))).toHaveLength(1);
    expect(await project.ask(["run:status", "another"])).toMatchObject({ state: "waiting" });
  });

  it.each([[{ runId: "r" }], [{ runDir: ".a5c/runs/r" }]])(
    "H6: native-orchestrator.sh works by hand with %j",
    async (payload) => {
      const project = new Project({ "p.mjs": twoTasks("echo one", "echo two") });
      await project.create("p.mjs", "r");
      await project.create("p.mjs", "another");
      for (const run of ["r", "another"]) await project.ask(["run:iterate", run, "--no-hooks"]);
      const script = path.join(SHIPPED, "on-iteration-start/native-orchestrator.sh");
      const done = await byHand(project, script, [], payload);
      expect([done.code, done.json()]).toMatchObject([0, { action: "executed-tasks", count: 2, runId: "r" }]);
    },
  );

  it("H6: by hand, a run that does not exist is named, and no run at all is said", async () => {
    const project = new Project();
    const dispatcher = path.join(SHIPPED, "hook-dispatcher.sh");
    const orchestrator = path.join(SHIPPED, "on-iteration-start/native-orchestrator.sh");
    const unknown = await byHand(project, dispatcher, ["on-iteration-start"], { runId: "test" });
    expect(unknown.json()).toMatchObject({ ok: false, error: expect.stringContaining("test") as string });
    expect((await byHand(project, orchestrator, [], { runId: "test" })).json().error.code).toBe("RUN_NOT_FOUND");
    const nothing = await byHand(project, dispatcher, ["on-iteration-start"], {});
    expect(nothing.json()).toMatchObject({ action: "none", reason: expect.stringMatching(/^no run: /u) as string });
  });

  it("H6: in a plugin, the scripts call the plugin's own command line", async () => {
    const project = new Project();
    const plugin = project.path("plugin");
    fs.cpSync(SHIPPED, path.join(plugin, "hooks"), { recursive: true });
    project.write({ "plugin/bin/babysitter": '#!/bin/sh\necho "ours $*"\n' });
    fs.chmodSync(path.join(plugin, "bin/babysitter"), 0o755);
    const [dispatcher, orchestrator] = await Promise.all([
      byHand(project, path.join(plugin, "hooks/hook-dispatcher.sh"), ["my-type"], {}),
      byHand(project, path.join(plugin, "hooks/on-iteration-start/native-orchestrator.sh"), [], {}),
    ]);
    expect(dispatcher.stdout).toBe("ours hook:dispatch my-type --json\n");
    expect(orchestrator.stdout).toBe("ours run:execute  --payload - --json\n");
  });

  it("H6: on-breakpoint-dispatcher.sh takes its payload from BREAKPOINT_PAYLOAD or from stdin", async () => {
    const project = new Project(FILES);
    withHook(project, "on-breakpoint", RECORDER);
    const script = path.join(SHIPPED, "on-breakpoint-dispatcher.sh");
    const call = (env: Record<string, string>, stdin: string): Promise<{ code: number | null; stdout: string }> =>
      execute("/bin/sh", [script], {
        cwd: project.dir,
        home: project.home,
        env: { ...environment(project), ...env },
        stdin,
      });
    const first = await call({ BREAKPOINT_PAYLOAD: '{"question": "from the environment"}' }, "");
    const second = await call({}, '{"question": "from stdin"}');
    for (const { code, stdout } of [first, second]) expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true }]);
    expect(momentsIn(project).map(({ payload }) => payload["question"])).toEqual([
      "from the environment",
      "from stdin",
    ]);
  });
});
