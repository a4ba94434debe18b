import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type HostText, readHostInput } from "./read-host-input.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is read from a stdin that gets these pieces, each after so many milliseconds, and is never closed. */
async function readFrom(...pieces: [afterMs: number, text: string][]): Promise<HostText | "nothing yet"> {
  const stdin = new PassThrough();
  let read: HostText | "nothing yet" = "nothing yet";
  void readHostInput(stdin as unknown as NodeJS.ReadStream).then((text) => (read = text));
  for (const [afterMs, text] of pieces) {
    await vi.advanceTimersByTimeAsync(afterMs);
    stdin.write(text);
  }
  await vi.advanceTimersByTimeAsync(1_500);
  return read;
}

it("a whole object is taken although stdin was not closed", async () => {
  expect(await readFrom([0, '{"a":'], [10, "1}"])).toEqual({ ok: true, value: { a: 1 } });
});

it("a host that is slow to say anything, or to say the rest, is waited for", async () => {
  expect(await readFrom([8_000, '{"a":1}'])).toEqual({ ok: true, value: { a: 1 } });
  expect(await readFrom([0, '{"a":'], [8_000, "1}"])).toEqual({ ok: true, value: { a: 1 } });
});

it("one that says nothing, or no object, is not waited for without end", async () => {
  expect(await readFrom([9_000, ""])).toEqual({ ok: false, problem: "stdin is empty" });
  expect(await readFrom([0, '{"a":'], [9_000, ""])).toEqual({ ok: false, problem: "stdin is not valid JSON" });
});
