import { describe, expect, it } from "vitest";
import { findingsOfHost, type HostFacts } from "../../hosts/claude-code/setup-findings.js";
import type { Finding } from "../../hosts/finding.js";
import { findingsOf } from "./findings.js";
import type { SetupFacts } from "./setup-facts.js";

type Facts = Omit<SetupFacts, "hosts" | "hostFindings"> & HostFacts;

const FACTS: Facts = {
  platform: "linux",
  cli: { path: "/p/dist/babysitter.cjs", version: "1.2.3", from: { kind: "plugin", dir: "/p" } },
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
  now: "2026-01-01T12:00:00.000Z",
  newest: { runId: "run-1", at: "2026-01-01T12:00:59.000Z" },
  unreadable: [],
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
    ["no session", without("lastSession"), "sessions", "warning"],
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
    [
      "a clock that was put back",
      { ...FACTS, newest: { runId: "run-1", at: "2026-01-03T12:00:00.000Z" } },
      "clock",
      "warning",
    ],
    ["runs that cannot be read", { ...FACTS, unreadable: [{ runId: "bad", why: "w" }] }, "runs", "warning"],
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

  it.each<[Facts["cli"]["from"], string, string]>([
    [
      { kind: "clone", dir: "/my clones/b" },
      "1.2.3, from the clone /my clones/b (/p/dist/babysitter.cjs)",
      "claude plugin marketplace add '/my clones/b' && claude plugin install babysitter@a5c",
    ],
    [
      { kind: "package", dir: "/usr/lib/node_modules/x" },
      "1.2.3, from the package /usr/lib/node_modules/x (/p/dist/babysitter.cjs)",
      'In a clone of Babysitter: claude plugin marketplace add "$PWD" && claude plugin install babysitter@a5c',
    ],
  ])("names what it runs from, and installs the plugin from a clone: %j", (from, text, fix) => {
    const found = allOf({ ...without("plugin"), cli: { ...FACTS.cli, from } });
    expect(found.find(({ check }) => check === "babysitter")?.text).toBe(text);
    expect(found.find(({ check }) => check === "plugin")?.fix).toBe(fix);
  });

  it("counts the problems that hooks had", () => {
    const problems = [{ at: "2026-01-01", hookType: "stop", code: "INTERNAL", message: "m" }];
    expect(wrong({ ...FACTS, hookProblems: problems })[0]?.text).toMatch(/^1 problem in the last day/u);
    expect(wrong({ ...FACTS, hookProblems: [...problems, ...problems] })[0]?.text).toMatch(/^2 problems /u);
  });

  it("takes the command line alone for enough where there is no host", () => {
    const { host: _host, plugin: _plugin, lastSession: _last, ...alone } = FACTS;
    expect(wrong(alone).map(({ check, level }) => [check, level])).toEqual([["host", "warning"]]);
  });

  it("takes a cap that is switched off, and a host without one, for fine", () => {
    for (const blockCap of [0, 3, 100, null])
      expect(wrong({ ...FACTS, lastSession: { ...SESSION, blockCap } })).toEqual([]);
  });

  const RUNNING = { url: "http://localhost:3184", apiUrl: "http://localhost:3185", pid: 7 };

  it.each<[string, SetupFacts["inbox"], string, string]>([
    ["nothing is installed", { program: { is: "missing" }, onDemand: false }, "ok", "not installed (not running)"],
    [
      "it runs",
      { program: { is: "installed", path: "/i" }, onDemand: false, running: RUNNING },
      "ok",
      "running at http://localhost:3184 (process 7); to open it: babysitter ui; to let questions start it: babysitter ui --enable",
    ],
    [
      "questions start it",
      { program: { is: "recorded", path: "/i" }, onDemand: true },
      "ok",
      "not running, started by questions: /i",
    ],
    ["it is gone", { program: { is: "gone", path: "/i" }, onDemand: true }, "warning", "so no question starts it: /i"],
    ["it is foreign", { program: { is: "foreign", path: "/i" }, onDemand: false }, "warning", "/i is not the inbox"],
  ])("B1: says of the inbox that %s", (_, inbox, level, text) => {
    const [row] = allOf({ ...FACTS, ...(inbox === undefined ? {} : { inbox }) }).filter(
      ({ check }) => check === "inbox",
    );
    expect(row).toMatchObject({ level, text: expect.stringContaining(text) as string });
  });
});
