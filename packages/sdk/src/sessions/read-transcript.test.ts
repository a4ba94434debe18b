import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { transcripts as format } from "../hosts/claude-code/transcripts.js";
import { readTurnFromFile as readWith, type TranscriptRequest } from "./read-transcript.js";

let dir: string;
let file: string;
beforeEach(() => {
  dir = tempDir();
  file = path.join(dir, "session.jsonl");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const readTurnFromFile = (request: Omit<TranscriptRequest, "format">) => readWith({ ...request, format });

/** Long enough that only a reader who never finds what it waits for would get there. */
const LONG_MS = 30_000;
const line = (row: object): string => `${JSON.stringify(row)}\n`;
const prompt = (text: string, uuid = "p1"): string =>
  line({ type: "user", uuid, message: { role: "user", content: text } });
const says = (text: string): string =>
  line({ type: "assistant", message: { id: "m", role: "assistant", content: [{ type: "text", text }] } });

test("L4: promise matching across text blocks: the last block is waited for when the transcript is late", async () => {
  fs.writeFileSync(file, prompt("go"));
  const reading = readTurnFromFile({ path: file, lastMessage: "second", deadlineMs: LONG_MS });
  const late = says("first <promise>X</promise>") + says("second");
  fs.appendFileSync(file, late.slice(0, -20));
  fs.appendFileSync(file, late.slice(-20));
  expect(await reading).toMatchObject({
    missing: false,
    blocks: ["first <promise>X</promise>", "second"],
    hasLastMessage: true,
  });
});

test("L8: bad JSON: without a last message, a broken line of the agent's is waited for and then reported", async () => {
  const half = says("done").slice(0, 60);
  const read = async (text: string, lastMessage?: string): Promise<unknown> => {
    fs.writeFileSync(file, text);
    const turn = await readTurnFromFile({ path: file, lastMessage, deadlineMs: 30 });
    return turn.missing ? turn.why : turn.broken;
  };
  for (const text of [
    "{broken",
    "not JSON at all\n",
    `${prompt("go")}${half}`,
    `${prompt("go")}${half}\n${prompt("x")}`,
  ])
    expect([text, await read(text)]).toEqual([text, expect.stringContaining("JSON")]);
  expect(await read("42\n")).toBe("it is not an object");
  // Rows of the host itself, lines before a whole message, and what the host reports are enough to go on.
  for (const text of [
    "",
    prompt("go"),
    `${prompt("go")}{"type":"attach`,
    `${half}\n${says("whole")}`,
    `oops\n${prompt("go")}`,
  ])
    expect([text, await read(text)]).toEqual([text, undefined]);
  expect(await read(`${prompt("go")}${half}`, "done")).toBeUndefined();
  fs.writeFileSync(file, prompt("go") + half);
  const reading = readTurnFromFile({ path: file, deadlineMs: LONG_MS });
  fs.appendFileSync(file, says("done").slice(60));
  expect(await reading).toMatchObject({ blocks: ["done"], current: true });
});

const calls = line({ type: "assistant", message: { id: "m", role: "assistant", content: [{ type: "tool_use" }] } });

test("a turn that is not the one before and has called a tool is not waited for, where that is enough", async () => {
  fs.writeFileSync(file, prompt("go", "p1") + calls + says("first") + prompt("go on", "p2") + calls);
  const request = { path: file, lastMessage: "late", deadlineMs: LONG_MS };
  expect(await readTurnFromFile({ ...request, after: "p1" })).toMatchObject({
    key: "p2",
    tools: 1,
    hasLastMessage: false,
    current: true,
  });
});

test.each([
  ["it may be the turn before", "p2", prompt("go on", "p2") + calls],
  ["no turn before is known", undefined, prompt("go on", "p2") + calls],
  ["no tool was called", "p1", prompt("go on", "p2")],
])("the last message is waited for when %s", async (_, after, rows) => {
  fs.writeFileSync(file, prompt("go", "p1") + calls + says("first") + rows);
  const reading = readTurnFromFile({ path: file, lastMessage: "late", deadlineMs: LONG_MS, after });
  fs.appendFileSync(file, says("late"));
  expect(await reading).toMatchObject({ hasLastMessage: true, current: true });
});

test("nobody waits longer than allowed, and what is there is the answer", async () => {
  fs.writeFileSync(file, prompt("go") + says("first") + '{"torn');
  for (const deadlineMs of [0, 30, -1, Number.NaN])
    expect(await readTurnFromFile({ path: file, lastMessage: "second", deadlineMs })).toMatchObject({
      blocks: ["first"],
      hasLastMessage: false,
      skipped: 1,
    });
});

test("a last row without a newline is read", async () => {
  fs.writeFileSync(file, prompt("go") + says("end").trimEnd());
  expect(await readTurnFromFile({ path: file, deadlineMs: 0 })).toMatchObject({ blocks: ["end"], skipped: 0 });
});

test("only the end of a large file is read, back to the opening of the turn, and no character is cut", async () => {
  // Three bytes each, so that a border of a chunk falls into one of them whatever its place.
  const text = "€".repeat(10_000);
  const rows = Array.from({ length: 40 }, (_, n) => says(`${n}${text}`)).join("");
  for (let shift = 0; shift < 3; shift += 1) {
    fs.writeFileSync(file, prompt("old", "p0") + rows + prompt("x".repeat(shift), "p1") + rows);
    const turn = await readTurnFromFile({ path: file, lastMessage: `39${text}`, deadlineMs: 0 });
    expect(turn).toMatchObject({ key: "p1", complete: true, hasLastMessage: true, skipped: 0 });
    expect(turn).toHaveProperty(
      "blocks",
      Array.from({ length: 40 }, (_, n) => `${n}${text}`),
    );
  }
});

test("a turn that is longer than what is read at most is answered with its end", async () => {
  const rows = Array.from({ length: 10 }, (_, n) => says(`${n}${"x".repeat(1024 * 1024)}`)).join("");
  fs.writeFileSync(file, prompt("go") + rows);
  const turn = await readTurnFromFile({ path: file, deadlineMs: 0 });
  expect(turn).toMatchObject({ complete: false, skipped: 0 });
  expect(turn).toHaveProperty("blocks.length", 7);
  expect(turn).not.toHaveProperty("key");
});

test("one line that is larger than what is read at most hides nothing that follows", async () => {
  fs.writeFileSync(file, prompt("x".repeat(9 * 1024 * 1024)) + says("after"));
  expect(await readTurnFromFile({ path: file, deadlineMs: 0 })).toMatchObject({ blocks: ["after"], complete: false });
});

test("L8: missing transcript: no file, a folder, a pipe, no rights are answers, and none of them blocks", async () => {
  const pipe = path.join(dir, "pipe");
  execFileSync("mkfifo", [pipe]);
  const answers: unknown[] = [];
  for (const given of [file, dir, pipe, path.join(dir, "session.jsonl", "x"), "", "\0", "/dev/zero"])
    answers.push(await readTurnFromFile({ path: given, lastMessage: "x", deadlineMs: LONG_MS }));
  const none = { missing: true, why: "there is no such file" };
  const noFile = { missing: true, why: "it is not a file" };
  const odd = { missing: true, why: "it cannot be read (ERR_INVALID_ARG_VALUE)" };
  expect(answers).toEqual([none, noFile, noFile, none, none, odd, noFile]);
});

test("a path may begin with the home folder", async () => {
  vi.stubEnv("HOME", dir);
  fs.writeFileSync(file, prompt("go") + says("at home"));
  expect(await readTurnFromFile({ path: "~/session.jsonl", deadlineMs: 0 })).toMatchObject({ blocks: ["at home"] });
  expect(await readTurnFromFile({ path: "~session.jsonl", deadlineMs: 0 })).toMatchObject({ missing: true });
});

test("a file that is empty or holds no row at all is an empty turn", async () => {
  fs.writeFileSync(file, "");
  expect(await readTurnFromFile({ path: file, deadlineMs: 0 })).toMatchObject({
    missing: false,
    blocks: [],
    skipped: 0,
  });
  fs.writeFileSync(file, Buffer.alloc(300_000));
  expect(await readTurnFromFile({ path: file, deadlineMs: 0 })).toMatchObject({
    missing: false,
    blocks: [],
    skipped: 1,
  });
});
