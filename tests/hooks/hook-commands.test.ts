/** `hook:list` and `hook:dispatch` as a user meets them, and hooks that call the command line themselves. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HookOutcome } from "../../packages/sdk/src/model/hook-types.js";
import { CLI, cleanEnvironment } from "../fixtures/command-line.js";
import { HookProject } from "../fixtures/hooks/hook-project.js";
import { isRunning, until } from "../fixtures/processes.js";
import type { Project } from "../fixtures/project.js";

interface Dispatched {
  ok: boolean;
  action: string;
  count: number;
  error?: string;
  hookType: string;
  runId?: string;
  hooks: HookOutcome[];
  skipped: { name: string; reason: string; fix?: string }[];
}

async function dispatch(project: Project, args: string[], options = {}): Promise<Dispatched> {
  return (await project.ask(["hook:dispatch", ...args], options)) as unknown as Dispatched;
}

const PROCESS = `export const process = async (_, ctx) => ctx.task({ kind: "agent", title: "work" });`;

describe("hook:list", () => {
  it("H1: shows what runs in which order, and what does not and why", async () => {
    const world = new HookProject();
    world.hook("on-score/b.sh", "");
    world.hook("on-score/a.sh", "", { tier: "user" });
    const off = world.hook("on-score/off.sh", "", { mode: 0o644 });
    world.hook("my-own/x", "");
    const { types } = (await world.project.ask(["hook:list"])) as unknown as {
      types: { hookType: string; known: boolean; hooks: { name: string }[]; skipped: { fix: string }[] }[];
    };
    expect(types.map(({ hookType, known }) => [hookType, known])).toEqual([
      ["my-own", false],
      ["on-score", true],
    ]);
    expect(types[1]?.hooks.map(({ name }) => name)).toEqual(["b.sh", "a.sh"]);
    expect(types[1]?.skipped).toMatchObject([{ name: "off.sh", fix: `chmod +x ${off}` }]);
    const { stdout, code } = await world.project.run(["hook", "list", "on-score"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^on-score\n {2}1 +project +\.a5c\/hooks\/on-score\/b\.sh\n {2}2 +user .*a\.sh\n {2}- .*not executable\n/,
    );
    expect(stdout).toContain(`to make it run: chmod +x ${off}`);
  });

  it("says where to put hooks when there are none", async () => {
    const { project } = new HookProject();
    expect((await project.run(["hook:list"])).stdout).toContain(".a5c/hooks/<type>/");
    const { stdout } = await project.run(["hook:list", "on-score"]);
    expect(stdout).toContain("No hooks for on-score. Looked in:\n");
    expect(stdout).toContain(path.join(project.home, ".config/babysitter/hooks/on-score"));
    expect(await project.refuse(["hook:list", "../x"])).toMatchObject({ code: "USAGE", exit: 2 });
  });
});

describe("hook:dispatch", () => {
  it("H3: calls the hooks with stdin as the payload and prints one document, also when they fail", async () => {
    const world = new HookProject();
    world.hook("my-own/a", `echo log >&2; echo '{"count": 2, "action": "executed-tasks"}'; cat > got.json`);
    world.hook("my-own/b", "exit 1");
    world.hook("my-own/c", "", { mode: 0o644 });
    const doc = await dispatch(world.project, ["my-own"], { stdin: '{"x": 1}' });
    expect(doc).toMatchObject({ ok: false, action: "executed-tasks", count: 2, hookType: "my-own" });
    expect(doc.hooks.map(({ name, status }) => [name, status])).toEqual([
      ["a", "ok"],
      ["b", "failed"],
    ]);
    expect(doc.skipped).toMatchObject([{ name: "c", reason: "not executable" }]);
    expect(world.project.readJson("got.json")).toEqual({ x: 1 });
    const people = await world.project.run(["hook:dispatch", "my-own"], { stdin: "" });
    expect(people).toMatchObject({ code: 0, stderr: "a: log\n" });
    expect(people.stdout).toMatch(/^my-own: failed, action executed-tasks, count 2\n/);
    expect(world.project.readJson("got.json")).toEqual({});
    expect(fs.existsSync(world.project.runsDir)).toBe(false);
  });

  it("takes the payload from a file, and refuses what is no JSON or no type", async () => {
    const world = new HookProject();
    world.hook("my-own/a", `cat > got.json; echo '{}'`);
    world.project.write({ "p.json": '{"y": 2}', "bad.json": "{" });
    await dispatch(world.project, ["my-own", "--payload", "p.json"]);
    expect(world.project.readJson("got.json")).toEqual({ y: 2 });
    const refused = async (args: string[], stdin = ""): Promise<unknown> => {
      const { code, exit } = await world.project.refuse(["hook:dispatch", ...args], { stdin });
      return [code, exit];
    };
    expect(await refused(["my-own"], "{oops")).toEqual(["INPUT_NOT_JSON", 2]);
    expect(await refused(["my-own", "--payload", "-"])).toEqual(["INPUT_NOT_JSON", 2]);
    expect(await refused(["my-own", "--payload", "bad.json"])).toEqual(["INPUT_NOT_JSON", 2]);
    expect(await refused(["my-own", "--payload", "none.json"])).toEqual(["INPUT_NOT_FOUND", 2]);
    expect(await refused(["My Own"])).toEqual(["USAGE", 2]);
    expect(await refused([])).toEqual(["USAGE", 2]);
    expect(await refused(["my-own", "--run", "no-such-run"])).toEqual(["RUN_NOT_FOUND", 2]);
    expect(await refused(["my-own", "--timeout-ms", "soon"])).toEqual(["USAGE", 2]);
  });

  it("with --run tells the hooks, logs beside the run and records the call", async () => {
    const world = new HookProject();
    const { project } = world;
    project.write({ "p.mjs": PROCESS });
    await project.create("p.mjs", "run-7");
    world.hook("my-own/a", `echo log >&2; echo "{\\"run\\": \\"$RUN_ID\\", \\"payload\\": $(cat)}"`);
    const runDir = path.join(project.runsDir, "run-7");
    const doc = await dispatch(project, ["my-own", "--run", "run-7"], { stdin: '{"x": 1}' });
    expect(doc).toMatchObject({ ok: true, runId: "run-7" });
    expect(doc.hooks[0]?.result).toEqual({ run: "run-7", payload: { x: 1, runId: "run-7", runDir } });
    expect(fs.readFileSync(path.join(runDir, doc.hooks[0]?.stderrRef as string), "utf8")).toBe("log\n");
    const { events } = await project.ask(["run:events", "run-7", "--filter-type", "HOOK_DISPATCHED"]);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { hookType: "my-own", hooks: doc.hooks, merged: { ok: true, action: "none", count: 0 } },
    ]);
    await dispatch(project, ["nobody-listens", "--run", "run-7"], { stdin: "" });
    expect(Object.keys(project.journal("run-7"))).toHaveLength(2);
    expect((await project.ask(["run:check", "run-7"])).ok).toBe(true);
  });

  it("H3: ends a hook at the limit given, and all of them at an interruption", async () => {
    const world = new HookProject();
    world.hook("my-own/slow", "echo $$ > slow.pid; exec sleep 1000");
    const doc = await dispatch(world.project, ["my-own", "--timeout-ms", "1000"], { stdin: "" });
    expect(doc.hooks).toMatchObject([{ status: "timed-out" }]);
    expect(isRunning(world.pidIn("slow.pid"))).toBe(false);
    world.project.write({ ".a5c/config.json": '{"hooks":{"timeoutMs":900}}' });
    const set = await dispatch(world.project, ["my-own"], { stdin: "" });
    expect(set.hooks).toMatchObject([{ status: "timed-out", problem: expect.stringContaining("900") }]);
    fs.rmSync(world.project.path(".a5c/config.json"));
    fs.rmSync(world.project.path("slow.pid"));
    const command = spawn(process.execPath, [CLI, "hook:dispatch", "my-own", "--json"], {
      cwd: world.dir,
      env: cleanEnvironment(world.project.home),
      stdio: ["ignore", "ignore", "ignore"],
    });
    onTestFinished(() => void command.kill("SIGKILL"));
    await until(() => fs.existsSync(world.project.path("slow.pid")) && world.read("slow.pid") !== "");
    const pid = world.pidIn("slow.pid");
    const exited = new Promise((resolve) => command.once("exit", resolve));
    command.kill("SIGTERM");
    expect(await exited).toBe(130);
    expect(isRunning(pid)).toBe(false);
  });
});

describe("a hook that calls the command line", () => {
  it("H3: finds it in BABYSITTER_CLI, looks at its run and posts a result", async () => {
    const world = new HookProject();
    const { project } = world;
    project.write({ "p.mjs": PROCESS });
    await project.create("p.mjs", "run-7");
    await project.ask(["run:iterate", "run-7"]);
    world.hook(
      "work/all.sh",
      `set -euo pipefail
"$BABYSITTER_CLI" run:status "$RUN_ID" --json > status.json
effect=$("$BABYSITTER_CLI" task:list "$RUN_ID" --pending --json | sed -n 's/.*"effectId": "\\([^"]*\\)".*/\\1/p')
echo '{"done": true}' | "$BABYSITTER_CLI" task:post "$RUN_ID" "$effect" --status ok --value - --json
echo '{"action": "executed-tasks", "count": 1, "reason": "auto-runnable-tasks"}'`,
    );
    const doc = await dispatch(project, ["work", "--run", "run-7"], { stdin: "{}" });
    expect(doc).toMatchObject({ ok: true, action: "executed-tasks", count: 1 });
    expect(project.readJson("status.json")).toMatchObject({ state: "waiting" });
    expect(await project.ask(["run:iterate", "run-7"])).toMatchObject({ status: "completed", output: { done: true } });
    const { events } = await project.ask(["run:events", "run-7"]);
    const posted = events.findIndex(({ type }) => type === "EFFECT_RESOLVED");
    const recorded = events.findIndex(({ payload }) => payload["hookType"] === "work");
    expect(posted).toBeGreaterThan(0);
    expect(recorded).toBeGreaterThan(posted);
  });
});
