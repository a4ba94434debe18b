import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { transcripts as source } from "../hosts/claude-code/transcripts.js";
import { readSpend, type SpendRequest } from "./read-spend.js";

const SINCE = "2026-10-20T10:00:00.000Z";
const DURING = "2026-10-20T10:30:00.000Z";
const EARLIER = "2026-10-20T09:00:00.000Z";

let dir: string;
let session: string;
let cacheFile: string;
beforeEach(() => {
  dir = tempDir();
  session = path.join(dir, "s1.jsonl");
  cacheFile = path.join(dir, "state", "spend.json");
});

const spend = (more: Partial<SpendRequest> = {}) =>
  readSpend({ source, transcripts: [session], since: SINCE, cacheFile, ...more });
const call = (id: string, { output = 100, at = DURING, model = "claude-opus-5" } = {}): string =>
  `${JSON.stringify({ type: "assistant", timestamp: at, message: { id, model, role: "assistant", content: [], usage: { input_tokens: 10, output_tokens: output } } })}\n`;
const cachedAs = (): string => fs.readFileSync(cacheFile, "utf8");

test("L12: budget in money and tokens from transcripts: sessions with their subagents and workflows, each call once", () => {
  const agents = path.join(dir, "s1", "subagents");
  fs.mkdirSync(path.join(agents, "workflows", "wf_1"), { recursive: true });
  fs.writeFileSync(session, call("a") + call("a") + call("b"));
  fs.writeFileSync(path.join(agents, "agent-1.jsonl"), call("c"));
  fs.writeFileSync(path.join(agents, "agent-1.meta.json"), call("x"));
  fs.writeFileSync(path.join(agents, "notes.jsonl"), call("y"));
  fs.writeFileSync(path.join(agents, "workflows", "wf_1", "agent-2.jsonl"), call("d"));
  const resumed = path.join(dir, "s2.jsonl");
  fs.writeFileSync(resumed, call("a") + call("b") + call("e"));
  const found = spend({ transcripts: [session, resumed, session] });
  expect(found).toMatchObject({ calls: 5, usd: 0.01275, tokens: { input: 50, output: 500 }, unpriced: [] });
});

/** Longer than the beginning by which a file is known. */
const preface = `${JSON.stringify({ type: "system", content: "x".repeat(2000) })}\n`;

test("L12: budget in money and tokens from transcripts: read from where the last reading ended, while the file grows", () => {
  fs.writeFileSync(session, preface + call("old", { at: EARLIER }) + call("a", { output: 1 }));
  expect(spend()).toMatchObject({ calls: 1, tokens: { output: 1 } });
  const torn = call("a", { output: 70 });
  fs.appendFileSync(session, torn.slice(0, 30));
  expect(spend()).toMatchObject({ calls: 1, tokens: { output: 1 } });
  // What was read is not read again: changed in place, it changes nothing.
  fs.writeFileSync(session, fs.readFileSync(session, "utf8").replace('"id":"a"', '"id":"z"'));
  fs.appendFileSync(session, torn.slice(30) + call("b").slice(0, -1));
  expect(spend()).toMatchObject({ calls: 1, tokens: { output: 70 } });
  fs.appendFileSync(session, `\ngarbage "usage"\n${call("old", { at: EARLIER })}`);
  expect(spend()).toMatchObject({ calls: 2, tokens: { output: 170 } });
});

test("the border of a chunk may cut a row and a character", () => {
  const rows = Array.from({ length: 30_000 }, (_, n) => call(`msg_${"€".repeat(n % 7)}${n}`, { output: 1 })).join("");
  expect(Buffer.byteLength(rows)).toBeGreaterThan(4 * 1024 * 1024);
  fs.writeFileSync(session, rows);
  expect(spend()).toMatchObject({ calls: 30_000, tokens: { output: 30_000 } });
});

test("a line that is very long is passed over, and what stands before and after it counts", () => {
  fs.writeFileSync(session, call("a"));
  const long = Buffer.alloc(9 * 1024 * 1024, "x");
  for (let n = 0; n < 3; n += 1) fs.appendFileSync(session, long);
  fs.appendFileSync(session, `"usage"\n${call("b")}`);
  expect(spend()).toMatchObject({ calls: 2 });
});

test("nothing new: the calls are not even looked at, and the cache stays as it is", () => {
  fs.writeFileSync(session, call("a"));
  const first = spend();
  const [head] = cachedAs().split("\n");
  fs.writeFileSync(cacheFile, `${head}\nno calls`);
  expect(spend()).toEqual(first);
  expect(cachedAs()).toBe(`${head}\nno calls`);
  // With something new they are needed, found damaged, and all is read again.
  fs.appendFileSync(session, call("b"));
  expect(spend()).toMatchObject({ calls: 2 });
});

function resealed(text: string): string {
  const [head = "", ...calls] = text.split("\n");
  const hash = createHash("sha256").update(head.slice(65)).digest("hex");
  return [`${hash} ${head.slice(65)}`, ...calls].join("\n");
}

describe("the cache is built again", () => {
  test.each([
    ["torn", (text: string) => text.slice(0, 100)],
    ["empty", () => ""],
    ["edited", (text: string) => text.replace('"claude-opus-5",1,10,100', '"claude-opus-5",1,10,1')],
    ["of another version", (text: string) => resealed(text.replace('"version":1', '"version":0'))],
    [
      "made with another price list",
      (text: string) => resealed(text.replace(/"prices":"[^"]*"/u, '"prices":"1999-01-01"')),
    ],
    ["not text", () => "\0\0\0"],
  ])("when it is %s", (_, damage) => {
    fs.writeFileSync(session, call("a"));
    const right = spend();
    const text = cachedAs();
    fs.writeFileSync(cacheFile, damage(text));
    expect(cachedAs()).not.toBe(text);
    expect(spend()).toEqual(right);
    expect(cachedAs()).toBe(text);
  });
  test("when it is a pipe, a folder, or in a folder that cannot be made, it is done without", () => {
    fs.writeFileSync(session, call("a"));
    const pipe = path.join(dir, "pipe");
    execFileSync("mkfifo", [pipe]);
    fs.mkdirSync(path.join(dir, "folder", "x"), { recursive: true });
    for (const odd of [pipe, path.join(dir, "folder"), path.join(session, "cache")])
      expect(spend({ cacheFile: odd })).toMatchObject({ calls: 1 });
    expect(fs.readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
  test("for another beginning, and for a list that lacks a session", () => {
    fs.writeFileSync(session, call("a", { at: EARLIER }) + call("b"));
    const other = path.join(dir, "s2.jsonl");
    fs.writeFileSync(other, call("c"));
    expect(spend({ transcripts: [session, other] })).toMatchObject({ calls: 2 });
    expect(spend()).toMatchObject({ calls: 1 });
    expect(spend({ since: EARLIER })).toMatchObject({ calls: 2 });
  });
});

test("a session that joins later is read from its beginning", () => {
  fs.writeFileSync(session, call("a"));
  spend();
  const other = path.join(dir, "s2.jsonl");
  fs.writeFileSync(other, call("a") + call("b"));
  expect(spend({ transcripts: [session, other] })).toMatchObject({ calls: 2 });
});

test("a file that was replaced or cut is read again, and what was spent stays spent", () => {
  fs.writeFileSync(session, preface + call("a") + call("b"));
  spend();
  // Replaced by one that is longer and begins the same: another inode.
  const other = path.join(dir, "other");
  fs.writeFileSync(other, preface + call("b") + call("c") + call("d"));
  fs.renameSync(other, session);
  expect(spend()).toMatchObject({ calls: 4 });
  // Written over in place: another beginning.
  fs.writeFileSync(session, call("e") + call("f") + call("g") + call("h"));
  expect(spend()).toMatchObject({ calls: 8 });
  // Cut.
  fs.writeFileSync(session, call("i"));
  expect(spend()).toMatchObject({ calls: 9 });
  fs.rmSync(session);
  expect(spend()).toMatchObject({ calls: 9 });
});

test("without any transcript nothing is known", () => {
  expect(spend()).toBeUndefined();
  expect(spend({ transcripts: [] })).toBeUndefined();
  expect(spend({ transcripts: ["", dir, "\0", path.join("/dev/null", "x"), "/dev/zero"] })).toBeUndefined();
  expect(fs.existsSync(cacheFile)).toBe(false);
});

test.each([
  ["an empty one", ""],
  ["another format", `${JSON.stringify({ kind: "answer", cost: { tokens: 5 } })}\n`],
  ["no JSON", "tokens: 5\n"],
])("L12: in a transcript without a model call the cost is unknown, not 0: %s", (_, text) => {
  fs.writeFileSync(session, text);
  expect(spend()).toMatchObject({ usd: null, calls: 0 });
});

test("prices are those of the moment, not of the cache", () => {
  fs.writeFileSync(session, call("a", { model: "my-model", output: 1_000_000 }));
  expect(spend()).toMatchObject({ usd: null, unpriced: ["my-model"] });
  const price = { input: 0, output: 7, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  expect(spend({ overrides: { "my-": price } })).toMatchObject({ usd: 7, unpriced: [] });
});

test("a clock that is set back hides nothing, also over several readings", () => {
  fs.writeFileSync(session, call("old", { at: EARLIER }) + call("a"));
  spend();
  fs.appendFileSync(session, call("b", { at: EARLIER }) + call("old", { at: EARLIER }));
  expect(spend()).toMatchObject({ calls: 2 });
});

test("many readings leave a small cache that still knows every call", () => {
  for (let n = 0; n < 12; n += 1) {
    fs.appendFileSync(session, call(`msg_${n}`));
    spend();
  }
  const fork = path.join(dir, "fork.jsonl");
  fs.copyFileSync(session, fork);
  expect(spend({ transcripts: [session, fork] })).toMatchObject({ calls: 12, tokens: { output: 1200 } });
  const { open, settled } = JSON.parse(cachedAs().split("\n")[1] ?? "") as { open: unknown[]; settled: unknown[] };
  expect(open.length + settled.length).toBe(12);
  expect(open.length).toBeLessThan(6);
});

test("the cache is for the user's eyes only, and nothing is left beside it", () => {
  fs.writeFileSync(session, call("a"));
  spend();
  expect(fs.statSync(cacheFile).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(path.dirname(cacheFile))).toEqual(["spend.json"]);
});
