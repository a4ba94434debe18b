import { expect, test } from "vitest";
import { LiveText, retryAfter } from "./live-text.js";

const STREAM = ': still here\n\nid: 7\nevent: hello\ndata: {"a":\ndata: 1}\n\nevent: questions\r\ndata:2\r\n\r\n\n';

test("messages are the same in whichever pieces they arrive", () => {
  const whole = new LiveText().push(STREAM);
  expect(whole).toEqual([
    { id: "7", event: "hello", data: '{"a":\n1}' },
    { event: "questions", data: "2" },
  ]);
  for (let size = 1; size < 12; size += 1) {
    const text = new LiveText();
    const pieces = STREAM.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
    expect(pieces.flatMap((piece) => text.push(piece))).toEqual(whole);
  }
});

test("half a message is kept back", () => {
  const text = new LiveText();
  expect(text.push("id: 1\ndata: x\n")).toEqual([]);
  expect(text.push("\n")).toEqual([{ id: "1", event: "message", data: "x" }]);
});

test("tries are further and further apart, up to a limit, and never at the same moment everywhere", () => {
  const waits = [0, 1, 2, 20].map((failures) => retryAfter(failures, 1));
  expect(waits).toEqual([500, 1000, 2000, 30_000]);
  expect(retryAfter(3, 0)).toBe(retryAfter(3, 1) / 2);
});
