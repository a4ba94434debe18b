import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../packages/sdk/src/hosts/finding.js";
import type { Finished } from "../fixtures/command-line.js";
import { PluginProject, REPOSITORY } from "../fixtures/plugin/plugin-copy.js";

const NODE = `exec ${process.execPath} "$@"`;
/** A host as far as the doctor asks it. */
const claude = (version: string, exitCode = 0): string =>
  `[ "$1" = --version ] && { echo '${version} (Claude Code)'; exit; }\necho "$@" > "$HOME/asked"; echo 'said the validator'; exit ${exitCode}`;

async function doctor(
  project: PluginProject,
  programs: Record<string, string>,
): Promise<Finished & { wrong: Finding[] }> {
  const done = await project.bundled(["doctor", "--json"], {
    env: { PATH: project.pathWith({ node: NODE, ...programs }) },
  });
  const { findings } = JSON.parse(done.stdout) as { findings: Finding[] };
  return { ...done, wrong: findings.filter(({ level }) => level !== "ok") };
}

describe("babysitter doctor", () => {
  it("proves the chain after a session has started", async () => {
    const project = new PluginProject();
    const programs = { claude: claude("2.1.325") };
    const before = await doctor(project, programs);
    expect([before.code, before.wrong.map(({ check }) => check)]).toEqual([0, ["sessions"]]);
    const asked = fs.readFileSync(path.join(project.home, "asked"), "utf8");
    expect(asked.trim()).toBe(`plugin validate ${project.plugin}`);
    const input = { session_id: "me", hook_event_name: "SessionStart", source: "startup", cwd: project.dir };
    const env = { AI_AGENT: "claude-code_2-1-325_harness", CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "20" };
    expect((await project.guard("session-start", input, { env })).code).toBe(0);
    const after = await project.bundled(["doctor"], { env: { PATH: path.join(project.root, "bin-node-claude") } });
    expect([after.code, after.stdout.split("\n").at(-2)]).toEqual([0, "No problems found."]);
    expect(after.stdout).toMatch(
      /sessions: last one at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(started, Claude Code 2\.1\.325, session me\)/u,
    );
    expect(after.stdout).toContain("block cap: 20 turns");
    expect(fs.readdirSync(path.join(project.home, ".a5c/log"))).toEqual(["hosts", "last-session.json"]);
    expect(fs.existsSync(project.path(".a5c"))).toBe(false);
  });

  it("finds what is wrong on this machine", async () => {
    const project = new PluginProject({ ".claude/settings.local.json": '{ "disableAllHooks": true }' });
    const own = path.join(project.home, ".claude");
    fs.mkdirSync(own);
    fs.writeFileSync(path.join(own, "settings.json"), '{ "enabledPlugins": { "babysitter@a5c": false } }');
    project.write({ ".claude/settings.json": "{ not json" });
    fs.mkdirSync(path.join(project.home, ".a5c/log"), { recursive: true });
    fs.writeFileSync(path.join(project.home, ".a5c/log/last-session.json"), '{ "at": 3 }');
    const problem = { at: new Date().toISOString(), hookType: "stop", code: "INTERNAL", message: "it\u001b[2J broke" };
    fs.writeFileSync(path.join(project.home, ".a5c/log/hooks.jsonl"), `${JSON.stringify(problem)}\n`);
    const found = await doctor(project, { claude: claude("2.1.100", 1), babysitter: "exit 0" });
    expect(found.code).toBe(1);
    expect(found.wrong.map(({ check, level }) => `${check} ${level}`)).toEqual([
      "babysitter warning",
      "host problem",
      "plugin problem",
      "sessions warning",
      "settings problem",
      "settings problem",
      "settings warning",
      "hooks warning",
    ]);
    expect(found.wrong.every(({ fix }) => fix !== undefined)).toBe(true);
    const shown = await project.bundled(["doctor"], {
      env: { PATH: path.join(project.root, "bin-node-claude-babysitter") },
    });
    expect(shown.stdout).toContain(`${path.join(project.dir, ".claude/settings.local.json")} turns off all hooks`);
    expect(shown.stdout).not.toContain("\u001b");
  });

  it("waits for nothing that is in the place of a file", async () => {
    const project = new PluginProject();
    const log = path.join(project.home, ".a5c/log");
    fs.mkdirSync(log, { recursive: true });
    fs.mkdirSync(path.join(project.home, ".claude"));
    for (const pipe of [path.join(log, "last-session.json"), path.join(project.home, ".claude/settings.json")])
      expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const { code, stdout } = await project.run(["doctor", "--json"], {
      env: { PATH: project.pathWith({ node: NODE }) },
    });
    expect(code).toBe(0);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    // Without the host, that is all there is to say of it.
    expect(findings.filter(({ check }) => ["host", "plugin", "sessions"].includes(check))).toMatchObject([
      { check: "host", level: "warning", text: expect.stringContaining("Claude Code was not found") as string },
    ]);
    expect(findings.find(({ check }) => check === "settings")?.text).toContain("not a settings file");
  });

  it("does not take its own launchers for another babysitter", async () => {
    const project = new PluginProject();
    const env = { PATH: [path.join(project.plugin, "bin"), project.pathWith({ node: NODE })].join(":") };
    const { stdout } = await project.bundled(["doctor", "--json"], { env });
    expect(
      (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ check }) => check === "babysitter"),
    ).toHaveLength(1);
  });

  it("finds the plugin that the host has installed, before any session", async () => {
    const project = new PluginProject();
    const installed = path.join(project.home, ".claude/plugins/installed_plugins.json");
    fs.mkdirSync(path.dirname(installed), { recursive: true });
    const plugins = { "babysitter@a5c": [{ scope: "user", installPath: project.plugin }, { installPath: 3 }, null] };
    fs.writeFileSync(installed, JSON.stringify({ version: 2, plugins }));
    const env = { PATH: project.pathWith({ node: NODE, claude: claude("2.1.325") }) };
    const { stdout, code } = await project.run(["doctor", "--json"], { env });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const levels = Object.fromEntries(findings.map(({ check, level }) => [check, level]));
    expect([code, levels]).toEqual([0, expect.objectContaining({ plugin: "ok", sessions: "warning" })]);
  });

  it("names the folder that the host loads the plugin from, where the marketplace is a clone", async () => {
    const project = new PluginProject();
    const folder = path.join(project.home, ".claude/plugins");
    const copy = path.join(folder, "cache/a5c/babysitter/0.0.1");
    const write = (file: string, content: object): void => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify(content));
    };
    write(path.join(copy, ".claude-plugin/plugin.json"), { name: "babysitter", version: "0.0.1" });
    write(path.join(folder, "installed_plugins.json"), { plugins: { "babysitter@a5c": [{ installPath: copy }] } });
    const source = { source: "directory", path: REPOSITORY };
    write(path.join(folder, "known_marketplaces.json"), { a5c: { source, installLocation: REPOSITORY } });
    const env = { PATH: project.pathWith({ node: NODE, claude: claude("2.1.325") }) };
    const { stdout } = await project.run(["doctor", "--json"], { env });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(findings.filter(({ check }) => check === "plugin")).toMatchObject([
      { level: "ok", text: expect.stringContaining(`in ${path.join(REPOSITORY, "plugins/babysitter")}`) as string },
    ]);
  });

  it("says that the plugin was removed, although the last session had it", async () => {
    const project = new PluginProject();
    const input = { session_id: "me", hook_event_name: "SessionStart", source: "startup", cwd: project.dir };
    expect((await project.guard("session-start", input)).code).toBe(0);
    const env = { PATH: project.pathWith({ node: NODE, claude: claude("2.1.325") }) };
    const plugin = async (): Promise<Finding[]> => {
      const { stdout } = await project.run(["doctor", "--json"], { env });
      return (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ check }) => check === "plugin");
    };
    expect(await plugin()).toMatchObject([
      { level: "warning", text: expect.stringContaining("not installed in Claude Code") as string },
    ]);
    const installed = path.join(project.home, ".claude/plugins/installed_plugins.json");
    fs.mkdirSync(path.dirname(installed), { recursive: true });
    fs.writeFileSync(installed, '{ "version": 2, "plugins": { "babysitter@a5c": [] } }');
    expect(await plugin()).toMatchObject([{ level: "ok" }]);
  });
});
