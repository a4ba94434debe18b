import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { execute } from "../fixtures/cli/command-line.js";
import { newPluginProject, PLUGIN, REPOSITORY } from "../fixtures/plugin/plugin-copy.js";

const PROCESS = `
import { defineTask } from "@a5c-ai/babysitter-sdk";
const ask = defineTask("ask", ({ n }: { n: number }) => ({ kind: "agent", title: "Ask", agent: { prompt: \`Say \${n}\` } }));
export async function process(inputs: { n: number }, ctx: any): Promise<object> {
  const built = await ctx.task({ id: "build", kind: "shell", shell: { command: "echo built" } });
  const said = await ctx.task(ask, inputs);
  return { built: built.stdout.trim(), said };
}
`;

interface Step {
  status: string;
  nextActions: { kind: string; effectId: string }[];
}

describe("the bundle of the plugin", () => {
  it("P6: runs a TypeScript process to its end with nothing but node, away from this repository", async () => {
    const project = newPluginProject({ "p.ts": PROCESS, "in.json": '{"n": 7}' });
    const node = `exec ${process.execPath} "$@"`;
    const env = { PATH: project.pathWith({ node }) };
    const ask = async (args: string[], stdin?: string): Promise<Step> => {
      const done = await project.bundled([...args, "--json"], { env, stdin });
      expect([args, done.code, done.stderr]).toEqual([args, 0, ""]);
      return JSON.parse(done.stdout) as Step;
    };
    await ask(["run:create", "--process-id", "t/p", "--entry", "p.ts", "--inputs", "in.json", "--run-id", "r1"]);
    let step: Step;
    do step = await ask(["run:iterate", "r1"]);
    while (step.status === "executed");
    expect(step.nextActions.map(({ kind }) => kind)).toEqual(["agent"]);
    await ask(["task:post", "r1", step.nextActions[0]?.effectId ?? "", "--status", "ok", "--value", "-"], '"seven"');
    expect(await ask(["run:iterate", "r1"])).toMatchObject({
      status: "completed",
      output: { built: "built", said: "seven" },
    });
  });

  it("answers under the seeds' names of scripts", async () => {
    const project = newPluginProject();
    const setup = path.join(project.plugin, "scripts/setup-babysitter-run.sh");
    const where = { cwd: project.dir, home: project.home, env: { CLAUDE_CODE_SESSION_ID: "me", CLAUDECODE: "1" } };
    const begun = await execute(setup, ["Write", "x", "--max-iterations", "9", "--completion-promise", "DONE"], where);
    expect([begun.code, begun.stderr]).toEqual([0, ""]);
    expect(begun.stdout).toContain("<promise>DONE</promise>");
    const stop = await project.hook(
      'sh "${CLAUDE_PLUGIN_ROOT}/hooks/babysitter-stop-hook.sh"',
      { session_id: "me", hook_event_name: "Stop", cwd: project.dir, last_assistant_message: "Half done." },
      { env: { AI_AGENT: "claude-code_2-1-197_harness" } },
    );
    expect(stop.stdout).toContain("additionalContext");
    const start = await project.hook('sh "${CLAUDE_PLUGIN_ROOT}/hooks/babysitter-session-start-hook.sh"', {
      session_id: "me",
      hook_event_name: "SessionStart",
      source: "compact",
      cwd: project.dir,
    });
    expect(start.stdout).toContain("Write x");
    const runId = fs.readdirSync(project.runsDir).find((name) => !name.startsWith(".")) ?? "";
    const resume = path.join(project.plugin, "scripts/setup-babysitter-run-resume.sh");
    const resumed = await execute(resume, [runId, "--take"], { ...where, env: { CLAUDE_CODE_SESSION_ID: "you" } });
    expect([resumed.code, resumed.stderr]).toEqual([0, ""]);
  });

  it("is found by hooks of runs under the name that people type, also through a link", async () => {
    const project = newPluginProject();
    const hook = path.join(project.dir, ".a5c/hooks/my-type/say.sh");
    fs.mkdirSync(path.dirname(hook), { recursive: true });
    fs.writeFileSync(hook, '#!/bin/sh\nprintf \'{"ok":true,"version":"%s"}\' "$(babysitter --version)"\n', {
      mode: 0o755,
    });
    const link = path.join(project.root, "linked");
    fs.symlinkSync(path.join(project.plugin, "bin/babysitter"), link);
    const done = await execute(link, ["hook:dispatch", "my-type", "--json"], {
      cwd: project.dir,
      home: project.home,
      stdin: "{}",
    });
    expect(done.stdout).toContain(`"version": "${(await project.bundled(["--version"])).stdout.trim()}"`);
  });

  it("is what the sources make, on any machine, and a stale one is refused", () => {
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), "babysitter-plugin-"));
    onTestFinished(() => fs.rmSync(copy, { recursive: true, force: true }));
    for (const name of ["packages/sdk/dist/cli", "packages/sdk/hooks", "plugins/babysitter"])
      fs.cpSync(path.join(REPOSITORY, name), path.join(copy, name), { recursive: true });
    for (const name of ["package.json", "LICENSE", "dist/third-party-licenses.txt"])
      fs.cpSync(path.join(REPOSITORY, "packages/sdk", name), path.join(copy, "packages/sdk", name));
    const tool = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(REPOSITORY, "tools/plugin.mjs"), ...args, copy], { encoding: "utf8" });
    fs.rmSync(path.join(copy, "plugins/babysitter/dist"), { recursive: true });
    expect(tool().status).toBe(0);
    expect(tool("--check")).toMatchObject({ status: 0, stderr: "" });
    const made = path.join(copy, "plugins/babysitter/dist");
    const files = fs.readdirSync(made, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), "utf8"));
    expect(texts.filter((text) => text.includes(copy) || text.includes(path.resolve(REPOSITORY)))).toEqual([]);
    fs.appendFileSync(path.join(made, "shared.cjs"), "\n");
    fs.writeFileSync(path.join(made, "left-over.cjs"), "");
    fs.chmodSync(path.join(copy, "plugins/babysitter/hooks/hook-dispatcher.sh"), 0o644);
    const manifest = path.join(copy, "plugins/babysitter/.claude-plugin/plugin.json");
    fs.writeFileSync(manifest, fs.readFileSync(manifest, "utf8").replace(/"version": "[^"]*"/u, '"version": "0.0.1"'));
    const { status, stderr } = tool("--check");
    expect([status, stderr.match(/[\w.-]+(?= —)/gu)]).toEqual([
      1,
      ["shared.cjs", "hook-dispatcher.sh", "plugin.json", "left-over.cjs"],
    ]);
    fs.writeFileSync(path.join(copy, "plugins/babysitter/package.json"), "{}");
    expect(tool()).toMatchObject({ status: 1, stderr: expect.stringContaining("must not have a package.json") });
    expect(fs.existsSync(path.join(made, "left-over.cjs"))).toBe(false);
  });

  it("has the licences of what is inside", () => {
    expect(fs.readFileSync(path.join(PLUGIN, "dist/third-party-licenses.txt"), "utf8")).toMatch(/sucrase[\s\S]*MIT/u);
  });
});
