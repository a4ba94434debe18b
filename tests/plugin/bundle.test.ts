import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { babysitter, execute } from "../fixtures/command-line.js";
import { PLUGIN, PluginProject } from "../fixtures/plugin/plugin-copy.js";

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
    const project = new PluginProject({ "p.ts": PROCESS, "in.json": '{"n": 7}' });
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
    const project = new PluginProject();
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
    const other = { ...where, env: { CLAUDE_CODE_SESSION_ID: "you" } };
    const refused = await execute(resume, [runId, "--take"], other);
    expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining("Taking a loop from its session")]);
    expect((await babysitter(["loop:pause", runId], { ...other, env: {}, as: "person" })).code).toBe(0);
    expect((await execute(resume, [runId], other)).code).toBe(7);
    const mine = { ...where, env: { CLAUDE_CODE_SESSION_ID: "me" } };
    expect((await babysitter(["loop:resume", runId], { ...mine, env: {}, as: "person" })).code).toBe(0);
    const resumed = await execute(resume, [runId], mine);
    expect([resumed.code, resumed.stderr]).toEqual([0, ""]);
  });

  it("is found by hooks of runs under the name that people type, also through a link", async () => {
    const project = new PluginProject();
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

  it("has the licences of what is inside", () => {
    expect(fs.readFileSync(path.join(PLUGIN, "dist/third-party-licenses.txt"), "utf8")).toMatch(/sucrase[\s\S]*MIT/u);
  });
});
