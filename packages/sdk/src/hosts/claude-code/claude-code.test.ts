import { describe, expect, it } from "vitest";
import type { HookEvent } from "../host.js";
import { claudeCode } from "./claude-code.js";

const COMMON = { session_id: "0b0e7e3a-11", transcript_path: "/t/0b0e7e3a-11.jsonl", cwd: "/home/ann/sub/deep" };
const PROMPTED = { ...COMMON, prompt_id: "p-1", permission_mode: "default", effort: { level: "high" } };
const READ = { valid: true, sessionId: "0b0e7e3a-11", transcriptPath: COMMON.transcript_path, cwd: COMMON.cwd };
const STOP = { ...PROMPTED, hook_event_name: "Stop", stop_hook_active: true };

describe("what Claude Code says", () => {
  const shell = { id: "b1", type: "shell", status: "running", description: "tests", command: "npm test" };

  it.each<[string, HookEvent, object, object]>([
    [
      "Stop",
      "stop",
      { ...STOP, last_assistant_message: "done", background_tasks: [shell], session_crons: [] },
      { subagent: false, background: 1, promptId: "p-1", lastMessage: "done" },
    ],
    ["Stop without any text", "stop", STOP, { subagent: false, background: 0, promptId: "p-1" }],
    [
      "SubagentStop of the compaction",
      "subagent-stop",
      { ...PROMPTED, hook_event_name: "SubagentStop", agent_id: "a1", agent_type: "", agent_transcript_path: "/a" },
      { subagent: true, background: 0, promptId: "p-1" },
    ],
    [
      "SessionStart of 2.1.197",
      "session-start",
      { ...COMMON, hook_event_name: "SessionStart", source: "compact", model: "m" },
      { subagent: false, background: 0, source: "compact" },
    ],
    [
      "SessionStart of 2.1.325",
      "session-start",
      {
        ...COMMON,
        hook_event_name: "SessionStart",
        source: "resume",
        seconds_since_last_response: 12.5,
        context_tokens: 4,
        prompt_cache_likely_expired: true,
        estimated_cache_write_usd: 0.1,
      },
      { subagent: false, background: 0, source: "resume" },
    ],
    [
      "SessionEnd",
      "session-end",
      { ...COMMON, hook_event_name: "SessionEnd", reason: "clear" },
      { subagent: false, background: 0, reason: "clear" },
    ],
    [
      "UserPromptSubmit",
      "user-prompt-submit",
      { ...PROMPTED, hook_event_name: "UserPromptSubmit", prompt: "go on" },
      { subagent: false, background: 0, promptId: "p-1", prompt: "go on" },
    ],
  ])("A1: %s is read as recorded", (_, event, said, read) => {
    expect(claudeCode.parse(event, said)).toEqual({ ...READ, ...read });
  });

  it("A1: an event of a subagent is recognized under any name", () => {
    expect(claudeCode.parse("stop", { ...STOP, agent_id: "a1" })).toMatchObject({ valid: true, subagent: true });
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a list", [STOP]],
    ["a number", 7],
    ["a text", JSON.stringify(STOP)],
    ["another event", { ...STOP, hook_event_name: "SubagentStop" }],
    ["an event without a name that is a text", { ...STOP, hook_event_name: ["Stop"] }],
  ])("%s is no stop", (_, said) => {
    expect(claudeCode.parse("stop", said)).toEqual({ valid: false, subagent: false, background: 0 });
  });

  it.each([7, "", "../../x", ".hidden", "a/b", "a\\b", "a\0b", "a\n", "x".repeat(129), { toString: "x" }, null])(
    "%j is no session",
    (id) => {
      const input = claudeCode.parse("stop", { ...STOP, session_id: id });
      expect([input.valid, input.sessionId]).toEqual([true, undefined]);
    },
  );

  it("fields of a wrong type count as missing", () => {
    const wrong = {
      prompt_id: 7,
      last_assistant_message: ["x"],
      transcript_path: {},
      cwd: null,
      background_tasks: "x",
    };
    const read = { valid: true, sessionId: "0b0e7e3a-11", subagent: false, background: 0 };
    expect(claudeCode.parse("stop", { ...STOP, ...wrong, session_crons: 7, agent_id: 5 })).toEqual(read);
  });

  it.each([
    [
      0,
      {
        background_tasks: [
          { ...shell, status: "completed" },
          { ...shell, status: "failed" },
        ],
      },
    ],
    [0, { background_tasks: [{ ...shell, type: "monitor" }, null, "x", 7] }],
    [0, { session_crons: [{ id: "c", recurring: true }] }],
    [2, { background_tasks: [{ ...shell, status: undefined }], session_crons: [{ id: "c", recurring: false }] }],
    [2, { background_tasks: [shell, { ...shell, type: "subagent", status: "pending" }] }],
  ])("%i things will wake the session by themselves", (count, lists) => {
    expect(claudeCode.parse("stop", { ...STOP, ...lists }).background).toBe(count);
  });
});

describe("what Claude Code is told", () => {
  const continueWith = { reason: "the whole text", delta: "what is new" };
  const NEW = { AI_AGENT: "claude-code_2-1-197_harness" };
  const blocked = { decision: "block", reason: "the whole text", systemMessage: "🔄" };
  const told = {
    hookSpecificOutput: { hookEventName: "Stop", additionalContext: "what is new" },
    systemMessage: "🔄",
  };

  it.each([
    [blocked, undefined],
    [blocked, ""],
    [blocked, "claude-code_2-1-162_harness"],
    [blocked, "claude-code_2-0-999_harness"],
    [blocked, "claude-code_1-9-999"],
    [blocked, "claude-code_2-1"],
    [blocked, "claude-code"],
    [blocked, "other_claude-code_2-1-197"],
    [told, "claude-code_2-1-163_harness"],
    [told, "claude-code_2-1-197_harness"],
    [told, "claude-code_2-1-325_agent"],
    [told, "claude-code_2-2-0_harness"],
    [told, "claude-code_3-0-0"],
  ])("A1: goes on as %j when AI_AGENT is %s", (document, agent) => {
    expect(claudeCode.render("stop", { continueWith, message: "🔄" }, { AI_AGENT: agent })).toEqual(document);
  });

  it("A1: approve is an object without a decision", () => {
    expect(claudeCode.render("stop", {}, NEW)).toEqual({});
    expect(claudeCode.render("stop", { message: "✅" }, NEW)).toEqual({ systemMessage: "✅" });
    expect(claudeCode.render("stop", { message: "✅" }, {})).toEqual({ systemMessage: "✅" });
  });

  it.each([
    ["session-start", "SessionStart"],
    ["user-prompt-submit", "UserPromptSubmit"],
  ] as const)("A1: %s takes context in every version", (event, hookEventName) => {
    const document = { hookSpecificOutput: { hookEventName, additionalContext: "c" }, systemMessage: "m" };
    expect(claudeCode.render(event, { context: "c", message: "m" }, {})).toEqual(document);
  });

  it("A1: an answer that an event cannot take is not given", () => {
    for (const event of ["session-end", "subagent-stop"] as const)
      expect(claudeCode.render(event, { continueWith, context: "c" }, NEW)).toEqual({});
    expect(claudeCode.render("session-start", { continueWith }, NEW)).toEqual({});
    expect(claudeCode.render("stop", { context: "c" }, NEW)).toEqual({});
  });

  it.each([
    [8, {}],
    [30, { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "30" }],
    [0, { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "0" }],
    [8, { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "many" }],
    [8, { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "-1" }],
    [8, { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "" }],
  ])("the host's own cap is %i with %j", (blockCap, env) => {
    expect(claudeCode.limits(env)).toMatchObject({ blockCap });
  });
});
