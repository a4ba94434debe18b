import { describe, expect, test } from "vitest";
import { queuedPrompts, wantsToStop } from "./queued-prompts.js";
import type { TranscriptRow } from "./transcript-rows.js";

const queue = (operation: string, content?: string): TranscriptRow => ({
  type: "queue-operation",
  operation,
  ...(content === undefined ? {} : { content }),
});
const at = (second: number, row: TranscriptRow): TranscriptRow => ({
  timestamp: `2026-01-01T10:00:0${second}.000Z`,
  ...row,
});
const typed = (content: string): TranscriptRow => queue("enqueue", content);
const prompt: TranscriptRow = { type: "user", message: { role: "user", content: "Go on." } };
const result: TranscriptRow = {
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] },
};

describe("what waits in the queue of the host", () => {
  test.each<[string, TranscriptRow[], string[]]>([
    ["nothing", [prompt, result], []],
    ["what was typed", [prompt, typed("/a"), result, typed("b")], ["/a", "b"]],
    ["the rest, first in, first out", [typed("/a"), typed("/b"), queue("dequeue")], ["/b"]],
    ["the rest, where the host says what it took", [typed("/a"), typed("b"), queue("remove", "b")], ["/a"]],
    ["the command, where it does not say it", [typed("/a"), typed("b"), queue("remove")], ["/a"]],
    ["nothing that was fetched back", [typed("/a"), typed("b"), queue("popAll")], []],
    ["nothing of before the last prompt", [at(1, typed("/a")), at(2, prompt), at(3, typed("/b"))], ["/b"]],
    ["what was typed behind a prompt and written before it", [at(2, typed("/a")), at(1, prompt)], ["/a"]],
    ["nothing more than there was", [queue("dequeue"), queue("remove", "x"), typed("/a")], ["/a"]],
    ["nothing that is no text", [{ type: "queue-operation", operation: "enqueue", content: 7 }], []],
  ])("%s", (_, rows, waiting) => {
    expect(queuedPrompts(rows)).toEqual(waiting);
  });

  test.each([
    ["/babysitter:pause", true],
    [" /babysitter:cancel run-1", true],
    ["/babysitter:status", false],
    ["/babysitter:pauses", false],
    ["Type /babysitter:pause", false],
    ["/clear", false],
  ])("%j is a command to stop: %s", (text, stops) => {
    expect(wantsToStop([prompt, typed(text)])).toBe(stops);
  });
});
