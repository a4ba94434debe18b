import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findingsOfHost, type HostFacts } from "../../packages/sdk/src/hosts/claude-code/setup-findings.js";
import type { Finding } from "../../packages/sdk/src/hosts/finding.js";
import { findingsOf } from "../../packages/sdk/src/machine/doctor/findings.js";
import type { SetupFacts } from "../../packages/sdk/src/machine/doctor/setup-facts.js";
import type { Finished } from "../fixtures/cli/command-line.js";
import { newPluginProject, type PluginProject } from "../fixtures/plugin/plugin-copy.js";

const NODE = `exec ${process.execPath} "$@"`;
/** A host as far as the doctor asks it. */
const claude = (version: string, exitCode = 0): string =>
  `[ "$1" = --version ] && { echo '${version} (Claude Code)'; exit; }\necho "$@" > "$HOME/asked"; echo 'said the validator'; exit ${exitCode}`;

type Facts = Omit<SetupFacts, "hosts" | "hostFindings"> & HostFacts;

const FACTS: Facts = {
  platform: "linux",
  cli: { path: "/p/dist/babysitter.cjs", version: "1.2.3" },
  node: { path: "/usr/bin/node", version: "20.19.0" },
  host: { path: "/usr/bin/claude", version: "2.1.197 (Claude Code)" },
  plugin: { root: "/p", version: "1.2.3", validation: { ok: true, text: "" } },
  lastSession: {
    at: "2026-01-01T00:00:00Z",
    sessionId: "s",
    source: "startup",
    cwd: "/w",
    version: "1.2.3",
    cli: "/p/dist/babysitter.cjs",
    host: "claude-code_2-1-197_harness",
    pluginRoot: "/p",
    blockCap: 8,
  },
  settings: [],
  others: [],
  links: { dir: "/w/.a5c/runs" },
  state: { dir: "/h/.a5c/state" },
  hookProblems: [],
  hookLog: "/h/.a5c/log/hooks.jsonl",
};
const SETTINGS = { path: "/s.json", disableAllHooks: false, managedHooksOnly: false };
const SESSION = FACTS.lastSession as NonNullable<Facts["lastSession"]>;

function allOf(facts: Facts): Finding[] {
  return findingsOf({ ...facts, hosts: ["Claude Code"], hostFindings: findingsOfHost(facts) });
}

/** Those that are not fine. */
function wrong(facts: Facts): Finding[] {
  return allOf(facts).filter(({ level }) => level !== "ok");
}

function without(name: keyof Facts): Facts {
  const { [name]: _, ...rest } = FACTS;
  return rest as Facts;
}

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

describe("what the doctor makes of the facts", () => {
  it("finds nothing wrong where nothing is", () => {
    expect(wrong(FACTS)).toEqual([]);
    expect(allOf(FACTS).map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        "node",
        "babysitter",
        "host",
        "plugin",
        "sessions",
        "block cap",
        "settings",
        "runs",
        "hooks",
      ]),
    );
  });

  it.each<[string, Facts, string, "problem" | "warning"]>([
    ["Windows", { ...FACTS, platform: "win32" }, "platform", "problem"],
    ["no node", without("node"), "node", "problem"],
    ["a node that does not run", { ...FACTS, node: { path: "/n" } }, "node", "problem"],
    ["an old node", { ...FACTS, node: { path: "/n", version: "20.18.9" } }, "node", "problem"],
    ["another babysitter", { ...FACTS, others: ["/usr/local/bin/babysitter"] }, "babysitter", "warning"],
    ["an old host", { ...FACTS, host: { path: "/c", version: "2.1.196" } }, "host", "problem"],
    ["a host that says nothing", { ...FACTS, host: { path: "/c" } }, "host", "problem"],
    ["no plugin", without("plugin"), "plugin", "problem"],
    ["a plugin of another version", { ...FACTS, plugin: { root: "/p", version: "1.0.0" } }, "plugin", "warning"],
    [
      "a plugin that the host refuses",
      { ...FACTS, plugin: { root: "/p", version: "1.2.3", validation: { ok: false, text: "no" } } },
      "plugin",
      "problem",
    ],
    ["no session", without("lastSession"), "sessions", "problem"],
    [
      "a session of another version",
      { ...FACTS, lastSession: { ...SESSION, version: "1.0.0" } },
      "sessions",
      "warning",
    ],
    ["a cap without room", { ...FACTS, lastSession: { ...SESSION, blockCap: 2 } }, "block cap", "problem"],
    ["hooks switched off", { ...FACTS, settings: [{ ...SETTINGS, disableAllHooks: true }] }, "settings", "problem"],
    [
      "hooks of others forbidden",
      { ...FACTS, settings: [{ ...SETTINGS, managedHooksOnly: true }] },
      "settings",
      "problem",
    ],
    [
      "the plugin switched off",
      { ...FACTS, settings: [{ ...SETTINGS, switchedOff: "babysitter@a5c" }] },
      "settings",
      "problem",
    ],
    ["settings that are broken", { ...FACTS, settings: [{ ...SETTINGS, problem: "no JSON" }] }, "settings", "warning"],
    ["a disk without links", { ...FACTS, links: { dir: "/w", problem: "EPERM" } }, "runs", "problem"],
    ["a home that cannot be written", { ...FACTS, state: { dir: "/h", problem: "EROFS" } }, "state", "problem"],
    [
      "hooks that had problems",
      { ...FACTS, hookProblems: [{ at: "2026-01-01", hookType: "stop", code: "INTERNAL", message: "m" }] },
      "hooks",
      "warning",
    ],
  ])("names %s, and how to mend it", (_, facts, check, level) => {
    expect(wrong(facts)).toEqual([{ check, level, text: expect.any(String), fix: expect.stringMatching(/\S/u) }]);
  });

  it("takes the command line alone for enough where there is no host", () => {
    const { host: _host, plugin: _plugin, lastSession: _last, ...alone } = FACTS;
    expect(wrong(alone).map(({ check, level }) => [check, level])).toEqual([
      ["host", "warning"],
      ["plugin", "warning"],
      ["sessions", "warning"],
    ]);
  });

  it("takes a cap that is switched off, and a host without one, for fine", () => {
    for (const blockCap of [0, 3, 100, null])
      expect(wrong({ ...FACTS, lastSession: { ...SESSION, blockCap } })).toEqual([]);
  });
});

describe("babysitter doctor", () => {
  it("proves the chain after a session has started", async () => {
    const project = newPluginProject();
    const programs = { claude: claude("2.1.325") };
    const before = await doctor(project, programs);
    expect([before.code, before.wrong.map(({ check }) => check)]).toEqual([1, ["sessions"]]);
    const asked = fs.readFileSync(path.join(project.home, "asked"), "utf8");
    expect(asked.trim()).toBe(`plugin validate ${project.plugin}`);
    const input = { session_id: "me", hook_event_name: "SessionStart", source: "startup", cwd: project.dir };
    const env = { AI_AGENT: "claude-code_2-1-325_harness", CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "20" };
    expect((await project.guard("session-start", input, { env })).code).toBe(0);
    const after = await project.bundled(["doctor"], { env: { PATH: path.join(project.root, "bin-node-claude") } });
    expect([after.code, after.stdout.split("\n").at(-2)]).toEqual([0, "Everything is in order."]);
    expect(after.stdout).toMatch(/sessions: last one at \S+ \(startup, me, claude-code_2-1-325_harness\)/u);
    expect(after.stdout).toContain("block cap: 20 turns");
    expect(fs.readdirSync(path.join(project.home, ".a5c/log"))).toEqual(["last-session.json"]);
    expect(fs.existsSync(project.path(".a5c"))).toBe(false);
  });

  it("finds what is wrong on this machine", async () => {
    const project = newPluginProject({ ".claude/settings.local.json": '{ "disableAllHooks": true }' });
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
      "sessions problem",
      "settings problem",
      "settings warning",
      "settings problem",
      "hooks warning",
    ]);
    expect(found.wrong.every(({ fix }) => fix !== undefined)).toBe(true);
    const shown = await project.bundled(["doctor"], {
      env: { PATH: path.join(project.root, "bin-node-claude-babysitter") },
    });
    expect(shown.stdout).toContain(`${path.join(project.dir, ".claude/settings.local.json")} switches all hooks off`);
    expect(shown.stdout).not.toContain("\u001b");
  });

  it("waits for nothing that is in the place of a file", async () => {
    const project = newPluginProject();
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
    expect(findings.find(({ check }) => check === "sessions")?.text).toContain("no session has called our hooks");
    expect(findings.find(({ check }) => check === "settings")?.text).toContain("no file of settings");
  });

  it("does not take its own launchers for another babysitter", async () => {
    const project = newPluginProject();
    const env = { PATH: [path.join(project.plugin, "bin"), project.pathWith({ node: NODE })].join(":") };
    const { stdout } = await project.bundled(["doctor", "--json"], { env });
    expect(
      (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ check }) => check === "babysitter"),
    ).toHaveLength(1);
  });
});
