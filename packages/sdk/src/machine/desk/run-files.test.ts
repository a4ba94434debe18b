import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { AskedRun, codedError } from "../../../../../tests/fixtures/runs/asked-run.js";
import { decideBreakpoint } from "../../runs/decide-breakpoint.js";
import { RunFiles } from "./run-files.js";

const MEBIBYTE = 1024 * 1024;

let asked: AskedRun;
let files: RunFiles;
let home: string;
beforeEach(async () => {
  asked = await AskedRun.begin({ session: "session-1" });
  home = path.join(asked.root, "home");
  files = new RunFiles({ env: { HOME: home } }, await asked.journal());
});

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(asked.runDir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

describe("files of a run", () => {
  it("logs, artifacts and evidence are listed and read in parts; nothing else of the run is", async () => {
    const effectId = await asked.effectId();
    write(`tasks/${effectId}/stdout.log`, "0123456789");
    write(`tasks/${effectId}/stderr.attempt-1.log`, "old");
    write(`tasks/${effectId}/task.secret`, "no log");
    write("artifacts/deep/er/plan.md", "# Plan");
    write("evidence/tests/1.log", "ok");
    const { files: listed, more } = files.list();
    expect(more).toBe(false);
    expect(listed.map(({ kind, path: name, bytes }) => [kind, name, bytes])).toEqual([
      ["artifact", "artifacts/deep/er/plan.md", 6],
      ["evidence", "evidence/tests/1.log", 2],
      ["log", `tasks/${effectId}/stderr.attempt-1.log`, 3],
      ["log", `tasks/${effectId}/stdout.log`, 10],
    ]);
    expect(files.list({ effectId }).files).toHaveLength(2);
    expect(files.list({ kind: "evidence" }).files).toHaveLength(1);
    const first = files.read(`tasks/${effectId}/stdout.log`, { most: 4 });
    expect([textOf(first.bytes), first.from, first.next, first.size]).toEqual(["0123", 0, 4, 10]);
    const last = files.read(`tasks/${effectId}/stdout.log`, { from: 4 });
    expect([textOf(last.bytes), last.next]).toEqual(["456789", null]);
    expect(textOf(files.read(`tasks/${effectId}/stdout.log`, { from: -3 }).bytes)).toBe("789");
    expect(textOf(files.read(`tasks/${effectId}/stdout.log`, { from: -300 }).bytes)).toBe("0123456789");
  });

  it.each([
    "run.json",
    "journal",
    "state/head.json",
    "artifacts",
    "artifacts/",
    "artifacts/../run.json",
    "artifacts/./x",
    "artifacts//x",
    "/etc/passwd",
    "artifacts/a\0b",
    "tasks/x/task.json",
    "tasks/../../asked/run.json",
    "__proto__/x",
    "",
  ])("%j is not one of them", async (name) => {
    write("artifacts/x", "");
    write("tasks/x/task.json", "");
    expect((await codedError((async () => files.read(name))())).code).toBe("FILE_NOT_SHOWN");
  });

  it("links, pipes and folders are neither listed nor read, and nothing waits for them", async () => {
    fs.writeFileSync(path.join(asked.root, "secret"), "secret");
    fs.mkdirSync(path.join(asked.root, "secrets"));
    fs.writeFileSync(path.join(asked.root, "secrets", "key"), "secret");
    write("artifacts/plain", "plain");
    const at = (name: string): string => path.join(asked.runDir, "artifacts", name);
    fs.symlinkSync(path.join(asked.root, "secret"), at("link"));
    fs.symlinkSync(path.join(asked.root, "secrets"), at("folder-link"));
    fs.symlinkSync("plain", at("link-inside"));
    fs.mkdirSync(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    expect(files.list().files.map((file) => file.path)).toEqual(["artifacts/plain"]);
    for (const name of ["link", "folder-link/key", "link-inside", "folder", "pipe", "nothing", "nothing/at/all"]) {
      const error = await codedError((async () => files.read(`artifacts/${name}`))());
      expect([name, error.code]).toEqual([name, "FILE_NOT_SHOWN"]);
      expect(error.message).not.toContain("secrets");
    }
    fs.renameSync(path.join(asked.runDir, "artifacts"), path.join(asked.runDir, "elsewhere"));
    fs.symlinkSync(path.join(asked.root, "secrets"), path.join(asked.runDir, "artifacts"));
    expect(files.list().files).toEqual([]);
    expect(() => files.read("artifacts/key")).toThrow("outside the run");
  });

  it("of a huge file one part is read, and of too many files some are listed", () => {
    const file = write("artifacts/huge", "");
    fs.truncateSync(file, 8 * 1024 * MEBIBYTE);
    const { bytes, next, size } = files.read("artifacts/huge", { from: 5 * 1024 * MEBIBYTE, most: 1e12 });
    expect([bytes.length, next, size]).toEqual([MEBIBYTE, 5 * 1024 * MEBIBYTE + MEBIBYTE, 8 * 1024 * MEBIBYTE]);
    for (let n = 0; n < 2_100; n += 1) write(`artifacts/many/${n}`, "");
    const listed = files.list();
    expect([listed.files.length, listed.more]).toEqual([2_000, true]);
    for (const from of [0.5, Number.NaN]) expect(() => files.read("artifacts/huge", { from })).toThrow("whole number");
  });

  it("a log is followed while its task works: it begins later, goes on, is replaced, and ends", async () => {
    const effectId = await asked.effectId();
    const name = `tasks/${effectId}/stdout.log`;
    const parts = files.follow(name);
    const first = parts.next();
    write(name, "one ");
    expect(textOf((await first).value?.bytes)).toBe("one ");
    const second = parts.next();
    fs.appendFileSync(path.join(asked.runDir, name), "two");
    expect((await second).value).toMatchObject({ from: 4, size: 7 });
    const third = parts.next();
    fs.renameSync(path.join(asked.runDir, name), path.join(asked.runDir, `tasks/${effectId}/stdout.attempt-1.log`));
    write(name, "again, and longer");
    const { value } = await third;
    expect([textOf(value?.bytes), value?.from]).toEqual(["again, and longer", 0]);
    const end = parts.next();
    const decision = { effectId, decision: "approve", by: "mia", source: { via: "cli", terminal: true } } as const;
    await decideBreakpoint(await asked.journal(), decision);
    expect((await end).done).toBe(true);
  });

  it("whoever follows a file can stop", async () => {
    const stop = new AbortController();
    const parts = files.follow("artifacts/coming", { signal: stop.signal });
    const first = parts.next();
    stop.abort();
    expect((await first).done).toBe(true);
  });
});

describe("transcripts of a run", () => {
  const folder = (): string => path.join(home, ".claude", "projects", "-project");
  const row = (fields: object): string => `${JSON.stringify(fields)}\n`;
  const said = (text: string): string =>
    row({ type: "assistant", timestamp: "2026-01-20T08:00:00.000Z", message: { content: [{ type: "text", text }] } });

  function transcript(name: string, text: string): string {
    const file = path.join(folder(), name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  it("of the agent and its subagents: what was said, which tools were called, and what they answered", () => {
    transcript(
      "session-1.jsonl",
      [
        row({ type: "summary", summary: "for the host itself" }),
        row({ type: "user", message: { content: "Fix it." } }),
        row({ type: "user", isMeta: true, message: { content: "a caveat of the host" } }),
        row({
          type: "assistant",
          message: {
            content: [
              { type: "thinking", thinking: "hm" },
              { type: "tool_use", name: "Bash", input: { command: "npm test" } },
            ],
          },
        }),
        row({
          type: "user",
          message: {
            content: [{ type: "tool_result", is_error: true, content: [{ type: "text", text: "1 failed" }] }],
          },
        }),
        "half a li",
      ].join(""),
    );
    transcript("session-1/subagents/agent-7.jsonl", said("I am the subagent."));
    transcript("session-2.jsonl", said("of another run"));
    expect(files.transcripts().map(({ id, session, subagent }) => [id, session, subagent])).toEqual([
      ["session-1", "session-1", undefined],
      ["session-1/agent-7", "session-1", "agent-7"],
    ]);
    const { entries, next, size } = files.readTranscript("session-1");
    expect(entries).toEqual([
      { who: "user", text: "Fix it." },
      { who: "agent", tool: "Bash", text: '{"command":"npm test"}' },
      { who: "tool", text: "1 failed", failed: true },
    ]);
    expect(next).toBe(size - "half a li".length);
    expect(files.readTranscript("session-1", { from: next as number })).toMatchObject({ entries: [], next: null });
    expect(files.readTranscript("session-1/agent-7").entries).toMatchObject([
      { who: "agent", text: "I am the subagent." },
    ]);
    for (const id of ["session-2", "../session-1", "session-1/../session-2", ""])
      expect(() => files.readTranscript(id)).toThrow("no transcript");
  });

  it("a long one comes in parts, with every entry once; a line that is far too long is passed over", () => {
    const long = "x".repeat(20 * MEBIBYTE);
    const texts = Array.from({ length: 40 }, (_, n) => `${n} ${"y".repeat(100_000)}`);
    transcript(
      "session-1.jsonl",
      [...texts.map(said), row({ type: "user", message: { content: long } }), said("end")].join(""),
    );
    const seen: string[] = [];
    let parts = 0;
    for (let from: number | null = 0; from !== null; parts += 1) {
      const part = files.readTranscript("session-1", { from });
      seen.push(...part.entries.map(({ text, cut }) => `${text.split(" ")[0]}${cut === true ? " cut" : ""}`));
      from = part.next;
    }
    expect(seen).toEqual([...texts.map((_, n) => `${n} cut`), "end"]);
    expect(parts).toBeGreaterThan(4);
  });

  it("links and pipes in place of a transcript are not read, and the names of sessions lead nowhere else", async () => {
    const file = transcript("session-1.jsonl", "");
    fs.rmSync(file);
    fs.symlinkSync(transcript("other.jsonl", said("secret")), file);
    expect(files.transcripts()).toEqual([]);
    fs.rmSync(file);
    execFileSync("mkfifo", [file]);
    expect(files.transcripts()).toEqual([]);
    const forged = await AskedRun.begin({ session: "../-project/other" });
    expect(new RunFiles({ env: { HOME: home } }, await forged.journal()).transcripts()).toEqual([]);
  });
});
