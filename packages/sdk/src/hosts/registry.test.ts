import { describe, expect, it, test } from "vitest";
import { ENVIRONMENTS, projectDirIn, withoutAgents, withoutSession } from "./environments.js";
import { HOOK_EVENTS } from "./host.js";
import { drivenHosts, launcherOf, partsOf } from "./host-parts.js";
import { detectHost, HOSTS, hostNamed, sessionIdIn } from "./registry.js";

/** As measured: what the host gives to its hooks, and to the commands of its agent. */
const HOOK = {
  CLAUDE_PLUGIN_ROOT: "/plugin",
  CLAUDE_PLUGIN_DATA: "/data",
  CLAUDE_PROJECT_DIR: "/project",
  CLAUDE_CODE_SESSION_ID: "s",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDECODE: "1",
  CLAUDE_CODE_CHILD_SESSION: "1",
  CLAUDE_EFFORT: "high",
  AI_AGENT: "claude-code_2-1-197_harness",
};
const AGENT = { CLAUDE_CODE_SESSION_ID: "s", AI_AGENT: "claude-code_2-1-197_agent", PATH: "/bin" };

describe("finding the host", () => {
  it.each([
    ["a hook", HOOK],
    ["a hook of 2.1.325", { ...HOOK, AI_AGENT: "claude-code_2-1-325_harness", CLAUDE_CODE_SESSION_ATTENDED: "0" }],
    ["a command of the agent", AGENT],
    ["a session's id alone", { AGENT_SESSION_ID: "s" }],
    ["the other name of it", { CLAUDE_SESSION_ID: "s" }],
    ["the file of exports alone", { CLAUDE_ENV_FILE: "/env.sh" }],
  ])("A1: the registry finds claude-code by the environment of %s", (_, env) => {
    expect(detectHost(env).name).toBe("claude-code");
  });

  it.each([
    ["nothing", {}],
    ["another host", { AI_AGENT: "codex_1-0-0", GEMINI_CLI: "1", CODEX_SESSION_ID: "s" }],
    ["variables that say nothing", { CLAUDECODE: "", CLAUDE_CODE_SESSION_ID: "", AGENT_SESSION_ID: undefined }],
    ["a plugin's variables, which any shell may have", { CLAUDE_PLUGIN_ROOT: "/plugin", CLAUDE_PROJECT_DIR: "/p" }],
  ])("A1: the registry falls back to the null adapter for %s", (_, env) => {
    expect(detectHost(env).name).toBe("null");
  });

  it("every host is in all lists that it belongs in", () => {
    expect(HOSTS.slice(0, -1).map(({ environment }) => environment)).toEqual(ENVIRONMENTS);
    const names = HOSTS.map(({ name }) => name);
    expect(drivenHosts().filter((name) => !names.includes(name))).toEqual([]);
    expect([launcherOf("toString"), partsOf({ name: "toString" })]).toEqual([undefined, {}]);
  });

  it("A1: adapters are found by name, exactly", () => {
    expect(HOSTS.map(({ name }) => hostNamed(name)?.name)).toEqual(["claude-code", "null"]);
    for (const name of ["", "Claude-Code", "claude", "__proto__", "toString"]) expect(hostNamed(name)).toBeUndefined();
  });
});

describe("the null adapter", () => {
  const adapter = hostNamed("null");

  it.each(HOOK_EVENTS)("A1: approves and says nothing, whatever %s brings", (event) => {
    const input = adapter?.parse(event, { session_id: "s", hook_event_name: "Stop", last_assistant_message: "x" });
    expect(input).toEqual({ valid: false, subagent: false, background: 0 });
    const answer = { continueWith: { reason: "r", delta: "d" }, message: "m", context: "c" };
    expect(adapter?.render(event, answer, HOOK)).toEqual({});
    expect([adapter?.limits(HOOK), adapter?.environment.sessionVariables]).toEqual([{}, []]);
  });
});

test("the host's own variable counts before those that a hook exports and those of other hosts", () => {
  const order = [
    "CLAUDE_CODE_SESSION_ID",
    "AGENT_SESSION_ID",
    "CLAUDE_SESSION_ID",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "GEMINI_SESSION_ID",
    "COPILOT_AGENT_SESSION_ID",
  ];
  const env: Record<string, string> = Object.fromEntries(order.map((name) => [name, `id-of-${name}`]));
  for (const name of order) {
    expect(sessionIdIn(env)).toBe(`id-of-${name}`);
    env[name] = "";
  }
  expect(sessionIdIn(env)).toBeUndefined();
});

test("a variable that holds no id is not made up for by one that may be another session's", () => {
  expect(sessionIdIn({ CLAUDE_CODE_SESSION_ID: "../evil", AGENT_SESSION_ID: "other" })).toBeUndefined();
});

test("a variable that says nothing names no project", () => {
  expect([projectDirIn(HOOK), projectDirIn({ CLAUDE_PROJECT_DIR: "" }), projectDirIn({})]).toEqual([
    "/project",
    undefined,
    undefined,
  ]);
});

test("tools do not see the agent, and another host does not see the session", () => {
  const own = { PATH: "/bin", CLAUDE: "1", CODEX: "1", ANTHROPIC_API_KEY: "key" };
  const others = {
    CODEX_HOME: "/c",
    CURSOR_TRACE_ID: "t",
    GEMINI_CLI_X: "1",
    OPENCODE: "1",
    CLINE_X: "1",
    AIDER_X: "1",
  };
  const config = { CLAUDE_CONFIG_DIR: "/config", CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "0" };
  expect(withoutAgents({ ...own, ...HOOK, ...others, ...config })).toEqual(own);
  const session = { ...HOOK, AGENT_SESSION_ID: "s", CLAUDE_SESSION_ID: "s", CLAUDE_ENV_FILE: "/e", CLAUDE_PID: "1" };
  expect(withoutSession({ ...own, ...session, ...others, ...config })).toEqual({ ...own, ...others, ...config });
});
