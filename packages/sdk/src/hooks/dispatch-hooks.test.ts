import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HookProject } from "../../../../tests/fixtures/hooks/hook-project.js";
import type { HookDispatch } from "../model/hook-types.js";
import type { EffectId, RunId } from "../model/ids.js";
import type { Json, JsonObject } from "../model/json.js";
import type { HookResult } from "../model/ports.js";
import type { NativeHook } from "./dispatch-hooks.js";
import { createHookRunner } from "./hook-runner.js";

const native = (run: NativeHook["run"]): NativeHook => ({ name: "native-orchestrator", run });

describe("calling all hooks of a type", () => {
  it("H1 H3: runs them in order, one after the other; none keeps the others from running", async () => {
    const world = new HookProject();
    const mark = (name: string, rest: string): string =>
      `echo "begin ${name}" >> order; ${rest}; echo "end ${name}" >> order`;
    world.hook("try/1-answers", mark("1", `echo '{"action": "waiting", "count": 1, "reason": "sleep-waiting"}'`));
    world.hook("try/2-fails", `echo "begin 2" >> order; exit 9`);
    world.hook("try/3-hangs", `echo "begin 3" >> order; sleep 1000`);
    world.hook("try/4-not-executable", "", { mode: 0o644 });
    world.hook("try/5-says-no", mark("5", `echo '{"ok": false, "error": "too low"}'`), { tier: "user" });
    world.hook("try/6-garbage", Buffer.from("\0\0\0"), { tier: "user" });
    world.hook("try/7-works", mark("7", `echo '{"action": "executed-tasks", "count": 3, "reason": "mine"}'`), {
      tier: "plugin",
    });
    const { hooks, merged } = await world.dispatch("try", {}, { timeoutMs: 1_000 });
    expect(hooks.map(({ name, tier, status }) => `${tier} ${name} ${status}`)).toEqual([
      "project 1-answers ok",
      "project 2-fails failed",
      "project 3-hangs timed-out",
      "user 5-says-no failed",
      "user 6-garbage not-started",
      "plugin 7-works ok",
    ]);
    expect(world.read("order").trim().split("\n")).toEqual([
      "begin 1",
      "end 1",
      "begin 2",
      "begin 3",
      "begin 5",
      "end 5",
      "begin 7",
      "end 7",
    ]);
    expect(merged).toMatchObject({ ok: false, action: "executed-tasks", count: 4, reason: "mine" });
    expect(merged.error).toMatch(/^2-fails: .*; 3-hangs: .*; 5-says-no: too low; 6-garbage: /);
    expect(world.progress.map(({ what }) => what)).toEqual([
      "skipped",
      ...Array.from({ length: 6 }, () => ["started", "ended"]).flat(),
    ]);
    expect(world.progress[0]).toMatchObject({ file: { name: "4-not-executable", reason: "not executable" } });
  });

  it("has nothing to say when there are no hooks, and leaves nothing behind", async () => {
    const world = new HookProject();
    expect(await world.dispatch("on-run-start")).toEqual({
      hookType: "on-run-start",
      hooks: [],
      merged: { ok: true, action: "none", count: 0 },
    });
    expect(fs.readdirSync(world.runDir())).toEqual([]);
    await expect(world.dispatch("../../etc")).rejects.toThrow(/not a valid hook type/);
  });

  it("does not store answers that are too large, but counts them", async () => {
    const world = new HookProject();
    const print = (bytes: number): string =>
      `printf '{"count": 1, "text": "%s"}' "$(head -c ${bytes} /dev/zero | tr '\\0' x)"`;
    world.hook("try/0-large", print(20_000));
    for (const n of [1, 2, 3, 4, 5]) world.hook(`try/${n}-medium`, print(15_000));
    const { hooks, merged } = await world.dispatch("try");
    expect(merged).toMatchObject({ ok: true, count: 6 });
    expect(hooks[0]?.result).toEqual({ leftOut: "20021 bytes" });
    expect(hooks.slice(1).map(({ result }) => "text" in (result as object))).toEqual([true, true, true, true, false]);
    const ended = world.progress.flatMap((event) => (event.what === "ended" ? [event.answer?.["text"] as string] : []));
    expect(ended.map((text) => text.length)).toEqual([20_000, 15_000, 15_000, 15_000, 15_000, 15_000]);
  });

  it("is ended by its signal: what runs is stopped, the rest is not begun", async () => {
    const world = new HookProject();
    world.hook("try/1-first", `echo '{"ok": true}'`);
    world.hook("try/2-long", "echo here; sleep 1000");
    world.hook("try/3-later", "touch later");
    const stop = new AbortController();
    const { hooks } = await world.dispatch(
      "try",
      {},
      {
        signal: stop.signal,
        onProgress: (event) => {
          if (event.what === "started" && event.hook.name === "2-long") setImmediate(() => stop.abort());
        },
      },
    );
    expect(hooks).toMatchObject([
      { status: "ok" },
      { status: "failed", problem: "it was stopped: interrupted" },
      { status: "not-started", problem: "not started: interrupted" },
    ]);
    expect(fs.existsSync(world.project.path("later"))).toBe(false);
  });

  it("ends when a hook calls for itself without end", async () => {
    const world = new HookProject();
    world.hook(
      "again/self",
      `echo x >> times; "$BABYSITTER_CLI" hook:dispatch again --payload /dev/fd/3 --json 3<<< '{}' | tail -c 2000 >&2; echo '{}'`,
    );
    const { merged } = await world.dispatch("again");
    expect(merged.ok).toBe(true);
    expect(world.read("times").trim().split("\n")).toHaveLength(8);
  });
});

describe("a hook of the SDK as a function", () => {
  it("runs last, with the same payload", async () => {
    const world = new HookProject();
    const seen: Json[] = [];
    world.hook("on-iteration-start/own", `echo '{"action": "waiting", "reason": "mine"}'`);
    const run = native(async (payload) => {
      seen.push(payload);
      return { action: "executed-tasks", count: 2, reason: "auto-runnable-tasks" };
    });
    const { hooks, merged } = await world.dispatch("on-iteration-start", { iteration: 1 }, { native: run });
    expect(hooks).toMatchObject([
      { name: "own", tier: "project" },
      { name: "native-orchestrator", tier: "native", status: "ok", result: { count: 2 } },
    ]);
    expect(seen).toEqual([{ iteration: 1, runId: "run-1", runDir: world.runDir() }]);
    expect(merged).toEqual({ ok: true, action: "executed-tasks", count: 2, reason: "auto-runnable-tasks" });
  });

  it("is replaced by the hooks of a plugin", async () => {
    const world = new HookProject();
    world.hook("on-iteration-start/theirs.sh", "echo '{}'", { tier: "plugin" });
    const { hooks } = await world.dispatch(
      "on-iteration-start",
      {},
      { native: native(() => Promise.reject(new Error("was called"))) },
    );
    expect(hooks.map(({ name }) => name)).toEqual(["theirs.sh"]);
  });

  it("H6: runs in place of its unedited script in a plugin, beside the plugin's own", async () => {
    const world = new HookProject();
    const shippedDir = path.join(world.project.root, "shipped");
    const names = async (): Promise<string[]> => {
      const run = { shippedDir, native: native(async () => ({})) };
      return (await world.dispatch("on-iteration-start", {}, run)).hooks.map(({ name }) => name);
    };
    for (const name of ["logger.sh", "native-orchestrator.sh"])
      world.hook(`on-iteration-start/${name}`, `echo '{"ok": false}'`, { tier: "plugin" });
    fs.cpSync(world.folder("plugin"), shippedDir, { recursive: true });
    expect(await names()).toEqual(["native-orchestrator"]);
    world.hook("on-iteration-start/theirs.sh", "echo '{}'", { tier: "plugin" });
    expect(await names()).toEqual(["theirs.sh", "native-orchestrator"]);
    world.hook("on-iteration-start/native-orchestrator.sh", "echo '{}'", { tier: "plugin" });
    expect(await names()).toEqual(["native-orchestrator.sh", "theirs.sh"]);
  });

  it("that throws, or answers no object, is a failed hook", async () => {
    const world = new HookProject();
    const outcome = async (run: NativeHook["run"]): Promise<unknown> =>
      (await world.dispatch("try", {}, { native: native(run) })).hooks;
    expect(await outcome(() => Promise.reject(new Error("broken")))).toMatchObject([
      { status: "failed", problem: "broken" },
    ]);
    expect(await outcome(async () => [] as unknown as JsonObject)).toMatchObject([
      { status: "failed", problem: "its answer is not an object" },
    ]);
    expect(await outcome(async () => ({ ok: false, error: "no" }))).toMatchObject([
      { status: "failed", problem: "no" },
    ]);
  });
});

describe("the hooks that a process calls", () => {
  const call = { runId: "run-1" as RunId, effectId: "effect-1" as EffectId, hookType: "pre-commit" };

  async function run(world: HookProject, recorded: HookDispatch[] = []): Promise<HookResult> {
    const runner = createHookRunner({
      contextOf: (runId) => world.context({ run: { runId, runDir: world.runDir(runId) } }),
      record: async (runId, dispatch, about) => {
        expect([runId, about]).toEqual(["run-1", "effect-1"]);
        recorded.push(dispatch);
      },
    });
    return runner.run({ ...call, payload: { files: 3 } });
  }

  it("succeed without an output when there are none", async () => {
    const recorded: HookDispatch[] = [];
    expect(await run(new HookProject(), recorded)).toEqual({
      hookType: "pre-commit",
      success: true,
      executedHooks: [],
    });
    expect(recorded).toEqual([]);
  });

  it("give one object, in which the project's hooks come before the person's", async () => {
    const world = new HookProject();
    const recorded: HookDispatch[] = [];
    world.hook(
      "pre-commit/lint.sh",
      `files=$(sed 's/.*"files":\\([0-9]*\\).*/\\1/'); echo "{\\"ok\\": true, \\"seen\\": $files}"`,
    );
    expect(await run(world, recorded)).toEqual({
      hookType: "pre-commit",
      success: true,
      output: { ok: true, seen: 3 },
      executedHooks: ["lint.sh"],
    });
    world.hook("pre-commit/own.sh", `echo '{"seen": 99, "mine": 1, "__proto__": {"x": 1}}'`, { tier: "user" });
    const { output } = await run(world, recorded);
    expect(JSON.parse(JSON.stringify(output))).toEqual(
      JSON.parse('{"ok": true, "seen": 3, "mine": 1, "__proto__": {"x": 1}}'),
    );
    expect(recorded.map(({ hooks }) => hooks.length)).toEqual([1, 2]);
  });

  it("fail together when one of them fails", async () => {
    const world = new HookProject();
    world.hook("pre-commit/a", `echo '{"ok": true}'`);
    world.hook("pre-commit/b", `echo '{"ok": false, "error": "no tests", "tests": 0}'`);
    world.hook("pre-commit/c", Buffer.from("\0"));
    expect(await run(world)).toEqual({
      hookType: "pre-commit",
      success: false,
      output: { ok: false, error: "no tests", tests: 0 },
      error: "b: no tests; c: it is neither a script nor a program for this machine",
      executedHooks: ["a", "b"],
    });
  });
});
