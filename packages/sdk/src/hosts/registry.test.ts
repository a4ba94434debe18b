import { describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "./host.js";
import { detectHost, HOSTS, hostNamed } from "./registry.js";

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
    ["the variables of the seed", { AGENT_SESSION_ID: "s" }],
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
    expect([adapter?.limits(HOOK), adapter?.sessionVariables]).toEqual([{}, []]);
  });
});
