/** A host that runs no hooks cannot hold an agent: a loop in its session is refused, on proof only. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, execute } from "../fixtures/command-line.js";
import { agentEnvironment, HostSession } from "../fixtures/hosts/host-session.js";
import { Project } from "../fixtures/project.js";

const ON = JSON.stringify({ disableAllHooks: false });
const OFF = JSON.stringify({ disableAllHooks: true });
const START = ["loop:start", "Write x"];
const PROCESS = "export const process = async () => 1;\n";

interface Setup {
  project?: string;
  local?: string;
  user?: string;
  /** Arguments of the host. */
  host?: string[];
  env?: Record<string, string>;
}

/** Runs one of our commands as the agent of a host that was started with these arguments. */
async function asAgent({ project, local, user, host = [], env = {} }: Setup, command: string[]) {
  const files = {
    "p.mjs": PROCESS,
    "off.json": OFF,
    ...(project === undefined ? {} : { ".claude/settings.json": project }),
    ...(local === undefined ? {} : { ".claude/settings.local.json": local }),
  };
  const at = new Project(files);
  if (user !== undefined) {
    fs.mkdirSync(path.join(at.home, ".claude"), { recursive: true });
    fs.writeFileSync(path.join(at.home, ".claude/settings.json"), user);
  }
  const program = path.join(at.root, "node_modules/@anthropic-ai/claude-code/cli.sh");
  fs.mkdirSync(path.dirname(program), { recursive: true });
  // It waits for the command, as hosts do; a shell that did not would become the command.
  const words = [process.execPath, CLI, ...command, "--json"].map((word) => `'${word}'`).join(" ");
  fs.writeFileSync(program, `#!/bin/sh\n${words}\nexit $?\n`, { mode: 0o755 });
  const session = agentEnvironment("s-1");
  const done = await execute(program, host, { cwd: at.dir, home: at.home, env: { ...session, ...env } });
  return { ...done, at, doc: JSON.parse(done.stdout) as { error?: { code: string; message: string; hint: string } } };
}

describe("hooks are off, and that is certain", () => {
  test.each<[string, Setup, string]>([
    ["the project's settings", { project: OFF }, ".claude/settings.json turns off all hooks"],
    ["the person's settings", { user: OFF }, ".claude/settings.json turns off all hooks"],
    ["local settings over the project's", { project: ON, local: OFF }, "settings.local.json turns off all hooks"],
    ["--settings with JSON", { host: ["--settings", OFF] }, "--settings on the host's command line turns off"],
    ["--settings with a file", { host: ["--settings=off.json", "-p", "Go."] }, "off.json turns off all hooks"],
    ["--bare", { env: { CLAUDE_CODE_SIMPLE: "1" } }, "was started with --bare"],
    ["--safe-mode", { env: { CLAUDE_CODE_SAFE_MODE: "1" } }, "was started with --safe-mode"],
  ])("L14: %s: loop:start by the agent is refused", async (_, setup, text) => {
    const { code, doc, at } = await asAgent(setup, START);
    expect([code, doc.error?.code, doc.error?.message]).toEqual([7, "HOOKS_DISABLED", expect.stringContaining(text)]);
    expect(fs.existsSync(at.runsDir) ? fs.readdirSync(at.runsDir) : []).toEqual([]);
  });

  test("L14: no other command binds the session either", async () => {
    for (const command of [
      ["run:create", "--process-id", "p", "--entry", "p.mjs", "--harness", "claude-code"],
      ["loop:import", "off.json"],
      ["loop:resume"],
    ]) {
      const { doc } = await asAgent({ project: OFF }, command);
      expect([command[0], doc.error?.code]).toEqual([command[0], "HOOKS_DISABLED"]);
    }
  });

  test("L14: doctor sees --settings", async () => {
    const { doc } = await asAgent({ host: ["--settings", OFF] }, ["doctor"]);
    const { findings } = doc as unknown as { findings: { check: string; level: string; text: string }[] };
    expect(findings.filter(({ check }) => check === "settings")).toEqual([
      expect.objectContaining({ level: "problem", text: "--settings on the host's command line turns off all hooks" }),
    ]);
  });
});

describe("settings that change while a loop holds the session", () => {
  const PLUGIN = { CLAUDE_PLUGIN_ROOT: "/h/.claude/plugins/cache/a5c/babysitter/1.0.0" };

  async function changed(settings: object): Promise<{ session: HostSession; runId: string; answer: object }> {
    const session = new HostSession(new Project({ ".claude/settings.local.json": JSON.stringify(settings) }));
    const runId = await session.startLoop("Build the shed.");
    const env = { ...PLUGIN, BABYSITTER_HOME: path.join(session.project.home, ".a5c") };
    const answer = await session.hook("config-change", { source: "local_settings" }, { env });
    return { session, runId, answer };
  }

  test.each<[string, object, string]>([
    ["all hooks off", { disableAllHooks: true }, "settings.local.json turns off all hooks"],
    ["our plugin off", { enabledPlugins: { "babysitter@a5c": false } }, "settings.local.json disables babysitter@a5c"],
    ["another place of sessions", { env: { BABYSITTER_HOME: "/tmp/x" } }, "settings.local.json sets BABYSITTER_HOME"],
    ["another home", { env: { HOME: "/tmp/x" } }, "settings.local.json sets HOME"],
    [
      "fewer blocks",
      { env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: 1 } },
      "settings.local.json sets CLAUDE_CODE_STOP_HOOK_BLOCK_CAP",
    ],
  ])("L14: %s: refused, logged, and the person reads it at the end of the turn", async (_, settings, text) => {
    const { session, answer } = await changed(settings);
    expect(answer).toEqual({ decision: "block", reason: expect.stringContaining(text) });
    const log = fs.readFileSync(path.join(session.project.home, ".a5c/log/hooks.jsonl"), "utf8");
    expect(log).toContain('"settings_refused"');
    const stop = await session.hook("stop", { last_assistant_message: "Some work is done." }, { env: PLUGIN });
    expect(JSON.stringify(stop)).toContain(`${text}. This session ignores`);
    expect(JSON.stringify(stop)).toContain("To stop the loop: /babysitter:pause");
  });

  test.each<[string, object]>([
    ["something else", { model: "opus", hooks: {}, enabledPlugins: { "other@a5c": false } }],
    ["a copy of our plugin that is not in use", { enabledPlugins: { "babysitter@elsewhere": false } }],
    ["no object", []],
  ])("%s: nothing is refused", async (_, settings) => {
    const { session, answer } = await changed(settings);
    expect(answer).toEqual({});
    expect(JSON.stringify(await session.stop())).not.toContain("ignores");
  });

  test("once the loop is paused, settings are the person's own business", async () => {
    const { session, runId } = await changed({});
    await session.project.ask(["loop:pause", runId], { as: "person" });
    fs.writeFileSync(path.join(session.project.dir, ".claude/settings.local.json"), OFF);
    expect(await session.hook("config-change", { source: "local_settings" })).toEqual({});
  });
});

describe("nothing proves that hooks are off", () => {
  test.each<[string, Setup]>([
    ["no hook was ever seen", {}],
    ["--settings overrides the project", { project: OFF, host: ["--settings", ON] }],
    ["the local settings override the project's", { project: OFF, local: ON }],
    ["the host does not read the project's", { project: OFF, host: ["--setting-sources", "user"] }],
    ["settings that nobody can read", { project: "{", host: ["--settings", "no-such.json"] }],
    ["the words are a prompt", { host: ["-p", "--", "--settings", OFF] }],
    ["settings about other things", { user: JSON.stringify({ env: { X: "1" } }) }],
  ])("L14: %s: the loop starts", async (_, setup) => {
    const { code, doc } = await asAgent(setup, START);
    expect([code, doc.error]).toEqual([0, undefined]);
  });

  test("a person at another place starts a loop for a session whatever the settings here", async () => {
    const at = new Project({ ".claude/settings.json": OFF });
    const { runId } = await at.ask([...START, "--session-id", "s-1", "--harness", "claude-code"]);
    expect(runId).toContain("loop");
  });
});
