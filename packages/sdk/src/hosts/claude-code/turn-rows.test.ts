import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/json.js";
import { parseRows } from "./transcript-rows.js";
import { readTurn } from "./turn-rows.js";

const prompt = (text: string, uuid = "p1"): JsonObject => ({
  type: "user",
  uuid,
  message: { role: "user", content: text },
});
const says = (text: string, id = "msg_1"): JsonObject => ({
  type: "assistant",
  isSidechain: false,
  message: { id, role: "assistant", content: [{ type: "text", text }] },
});
const calls = (id: string): JsonObject => ({
  type: "assistant",
  message: {
    id: "msg_1",
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "tool_use", id, name: "Bash", input: {} },
    ],
  },
});
const result = (content: JsonObject[string], more: JsonObject = {}): JsonObject => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content }] },
  ...more,
});
const attachment = (fields: JsonObject): JsonObject => ({ type: "attachment", uuid: "a1", attachment: fields });

test("L4: promise matching across text blocks: every text block of the turn is found, also before a tool call", () => {
  const rows = [
    prompt("go"),
    says("part one <promise>X</promise>"),
    calls("t1"),
    result("ok"),
    says("part two", "msg_2"),
  ];
  expect(readTurn(rows, { lastMessage: "part two" })).toEqual({
    blocks: ["part one <promise>X</promise>", "part two"],
    lastWords: ["part two"],
    tools: 1,
    denied: [],
    lastText: "part two",
    key: "p1",
    complete: true,
    commandWaiting: false,
    hasLastMessage: true,
  });
});

test("L4: promise matching across text blocks in the plain format, whose rows have the type message", () => {
  const { rows, skipped } = parseRows(
    [
      '{"type":"message","role":"user","message":{"type":"message","content":[{"type":"text","text":"Build it"}]}}',
      '{"type":"message","role":"assistant","message":{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}}',
      '{"type":"message","message":{"role":"assistant","content":"three"}}',
    ].join("\n"),
  );
  expect(skipped).toBe(0);
  expect(readTurn(rows)).toMatchObject({ blocks: ["one", "two", "three"], complete: true, hasLastMessage: true });
});

describe("a turn is opened by", () => {
  const opened = (row: JsonObject) => readTurn([prompt("first", "p0"), says("old"), row, says("new", "msg_2")]);
  test.each<[string, JsonObject]>([
    ["a prompt", prompt("next", "a1")],
    [
      "a prompt of blocks",
      { type: "user", uuid: "a1", message: { content: [{ type: "image" }, { type: "text", text: "x" }] } },
    ],
    ["a notification", prompt("<task-notification>done</task-notification>", "a1")],
    ["feedback of a Stop hook", { ...prompt("Stop hook feedback:\ngo on", "a1"), isMeta: true }],
    ["context of a Stop hook", attachment({ type: "hook_additional_context", hookName: "Stop", content: ["go on"] })],
    ["a block of a Stop hook", attachment({ type: "hook_blocking_error", hookEvent: "Stop", hookName: "Stop" })],
    ["context of a hook without a name", attachment({ type: "hook_additional_context" })],
  ])("%s", (_, row) => {
    expect(opened(row)).toMatchObject({ blocks: ["new"], key: "a1" });
  });
  test.each<[string, JsonObject]>([
    ["the result of a tool", result("fine")],
    ["a skill that the host puts in", { ...prompt("Base directory for this skill: …", "a1"), isMeta: true }],
    ["the summary of a compaction", { ...prompt("This session is being continued", "a1"), isCompactSummary: true }],
    ["context of another hook", attachment({ type: "hook_additional_context", hookName: "PostToolUse:Bash" })],
    ["another attachment", attachment({ type: "hook_success", hookName: "Stop" })],
    ["a prompt of a subagent", { ...prompt("look", "a1"), isSidechain: true }],
    ["what the host notes for itself", { type: "system", uuid: "a1", message: { role: "user", content: "x" } }],
  ])("but not by %s", (_, row) => {
    expect(opened(row)).toMatchObject({ blocks: ["old", "new"], key: "p0" });
  });
});

test("subagents, errors of the API and stand-ins of the host say nothing in the agent's name", () => {
  const error = { ...says("API Error: 400"), isApiErrorMessage: true };
  const standIn = {
    type: "assistant",
    message: { model: "<synthetic>", content: [{ type: "text", text: "No response" }] },
  };
  const rows = [
    prompt("go"),
    { ...says("inside"), isSidechain: true },
    { ...calls("t9"), isSidechain: true },
    error,
    standIn,
  ];
  expect(readTurn([...rows, says("mine")])).toMatchObject({ blocks: ["mine"], tools: 0 });
});

test("without an opening all rows are taken for the end of the turn, and it says so", () => {
  const turn = readTurn([says("end of it")]);
  expect(turn).toMatchObject({ blocks: ["end of it"], complete: false });
  expect(turn).not.toHaveProperty("key");
});

describe("L4: the last words", () => {
  const last = (...rows: JsonObject[]): string[] => readTurn([prompt("go"), ...rows]).lastWords;
  const server = (type: string): JsonObject => ({ type: "assistant", message: { id: "msg_1", content: [{ type }] } });
  const spoken = says("a");
  test.each<[string, JsonObject[], string[]]>([
    ["all of a turn without tools", [says("a"), says("b", "msg_2")], ["a", "b"]],
    ["what follows the last result", [says("a"), calls("t1"), result("x"), says("b"), says("c")], ["b", "c"]],
    ["what follows a call without a result", [says("a"), calls("t1"), says("b", "msg_2")], ["b"]],
    ["nothing after a call or result", [says("a"), calls("t1"), result("x")], []],
    [
      "nothing after what was said with a call that is not there yet",
      [{ ...spoken, message: { ...(spoken["message"] as JsonObject), stop_reason: "tool_use" } }],
      [],
    ],
    [
      "what follows a tool of the server",
      [says("a"), server("server_tool_use"), server("web_search_tool_result"), says("b")],
      ["b"],
    ],
    ["not cut off by tools of subagents", [says("a"), { ...calls("t1"), isSidechain: true }], ["a"]],
    [
      "not cut off by what the host notes for itself",
      [says("a"), { type: "note", message: { content: [{ type: "tool_result" }] } }],
      ["a"],
    ],
    ["without what the host says", [says("a"), { ...says("API Error"), isApiErrorMessage: true }], ["a"]],
  ])("are %s", (_, rows, words) => {
    expect(last(...rows)).toEqual(words);
  });
  test("hold the last message only when it was said there", () => {
    const rows = [prompt("go"), says("ok"), calls("t1"), result("x")];
    expect(readTurn(rows, { lastMessage: "ok" }).hasLastMessage).toBe(false);
    expect(readTurn([...rows, says("ok", "msg_2")], { lastMessage: "ok" }).hasLastMessage).toBe(true);
  });
});

describe("the last message", () => {
  const rows = [prompt("go"), says("one", "msg_2"), says("two", "msg_2")];
  test.each([
    ["is the last block", "two", true],
    ["is an earlier block, with other space around it", " one\n", true],
    ["is the whole last message", "one\ntwo", true],
    ["is not there yet", "three", false],
    ["is empty", "", true],
  ])("%s", (_, lastMessage, found) => {
    expect(readTurn(rows, { lastMessage }).hasLastMessage).toBe(found);
  });
  test("of the turn before does not count", () => {
    expect(readTurn([...rows, prompt("again")], { lastMessage: "two" }).hasLastMessage).toBe(false);
  });
});

describe("permission was denied", () => {
  const denied = (row: JsonObject): number => readTurn([prompt("go"), row]).denied.length;
  test.each<[string, JsonObject, number]>([
    ["by a rule", result("Permission to use Bash with command rm x\ny has been denied."), 1],
    [
      "by a mode",
      result("Permission to use Bash has been denied because Claude Code is running in don't ask mode."),
      1,
    ],
    ["by the classifier", result("Permission for this action was denied by the Claude Code auto mode classifier."), 1],
    [
      "for want of anybody to ask",
      result("Claude requested permissions to use Bash, but you haven't granted it yet."),
      1,
    ],
    ["in a block of text", result([{ type: "text", text: "This command requires approval" }]), 1],
    [
      "for a file that a command would write",
      result(
        "touch in '/p/x' was blocked. For security, Claude Code may only create or modify files in the allowed working directories for this session: '/p'.",
      ),
      1,
    ],
    [
      "in the name of the user, who was not asked",
      result("touch in '/p/x' needs approval. The path is inside the working directories for this session ('/p').", {
        toolDenialKind: "user-rejected",
      }),
      1,
    ],
    [
      "in whatever words, where the host says that it has decided by itself",
      result("Not now.", {
        toolDenialKind: "user-rejected",
        permissionDecision: { decision: "reject", source: "config", reasonCode: "unknown" },
      }),
      1,
    ],
    ["as the host's own field says", result("git-guard: refused", { toolDenialKind: "permission-rule" }), 1],
    [
      "by a person: no",
      result("The user doesn't want to proceed with this tool use.", { toolDenialKind: "user-rejected" }),
      0,
    ],
    ["says the output of a program: no", result("Exit code 1\nPermission to use Bash has been denied"), 0],
    ["by the file system: no", result("bash: ./x: Permission denied"), 0],
    [
      "but not as an error: no",
      {
        type: "user",
        message: { content: [{ type: "tool_result", content: "Permission to use Bash has been denied" }] },
      },
      0,
    ],
    ["says the agent: no", says("Permission to use Bash has been denied"), 0],
  ])("%s", (_, row, expected) => {
    expect(denied(row)).toBe(expected);
  });

  test.each<[string, JsonObject, string]>([
    ["a command", { name: "Bash", input: { command: "npm test", description: "Test" } }, "Bash(npm test)"],
    ["a file", { name: "Write", input: { file_path: "/p/x", content: "x" } }, "Write(/p/x)"],
    ["an address", { name: "WebFetch", input: { url: "https://x.test/", prompt: "?" } }, "WebFetch(https://x.test/)"],
    ["another tool", { name: "mcp__db__query", input: { sql: "select 1" } }, "mcp__db__query"],
    ["one without input", { name: "Bash" }, "Bash"],
    ["one of another call", { name: "Bash", id: "other" }, "a tool"],
  ])("and is told as a rule of the settings: %s", (_, call, told) => {
    const use = { type: "tool_use", id: "t1", ...call };
    const row = {
      type: "user",
      message: {
        content: [
          { type: "tool_result", tool_use_id: "t1", is_error: true, content: "This command requires approval" },
        ],
      },
    };
    const turn = [prompt("go"), { type: "assistant", message: { role: "assistant", content: [use] } }, row];
    expect(readTurn(turn).denied).toEqual([told]);
  });
});

test("garbage, wrong types and a torn last line are skipped and counted", () => {
  const text = [
    JSON.stringify(prompt("go")),
    "not json",
    "",
    "[1]",
    "null",
    '"text"',
    '{"type":"assistant","message":"text"}',
    '{"type":"assistant","message":{"content":[null,7,"x",{"type":"text"},{"type":"text","text":3}]}}',
    '{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":[null]}]}}',
    '{"type":"attachment","attachment":null}',
    `${JSON.stringify(says("said"))}\r`,
    '{"type":"assistant","message":{"content":[{"type":"text","text":"to',
  ].join("\n");
  const { rows, skipped } = parseRows(text);
  expect(skipped).toBe(5);
  expect(readTurn(rows)).toMatchObject({ blocks: ["said"], tools: 0, denied: [], complete: true });
  expect(readTurn([])).toEqual({
    blocks: [],
    lastWords: [],
    tools: 0,
    denied: [],
    complete: false,
    commandWaiting: false,
    hasLastMessage: true,
  });
});
