/** The hook scripts of the package, edited in a plugin and called by hand. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, execute, type Finished } from "../fixtures/command-line.js";
import { momentsIn, RECORDER, SHIPPED, twoTasks, withHook } from "../fixtures/hooks/recorded-hooks.js";
import { Project } from "../fixtures/project.js";
import { eventsOf } from "../fixtures/stored-events.js";

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

  it("H6: native-orchestrator.sh works by hand with the ID of a run or its folder", async () => {
    const project = new Project({ "p.mjs": twoTasks("echo one", "echo two") });
    const runs = ["by-id", "by-folder", "another"];
    await Promise.all(
      runs.map(async (run) => {
        await project.create("p.mjs", run);
        await project.ask(["run:iterate", run, "--no-hooks"]);
      }),
    );
    const script = path.join(SHIPPED, "on-iteration-start/native-orchestrator.sh");
    for (const payload of [{ runId: "by-id" }, { runDir: ".a5c/runs/by-folder" }]) {
      const done = await byHand(project, script, [], payload);
      const runId = payload.runId ?? "by-folder";
      expect([done.code, done.json()]).toMatchObject([0, { action: "executed-tasks", count: 2, runId }]);
    }
    expect(await project.ask(["run:status", "another"])).toMatchObject({ state: "waiting" });
  });

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
    const project = new Project();
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
