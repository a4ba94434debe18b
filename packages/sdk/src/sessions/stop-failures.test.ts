import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { claudeCode } from "../hosts/claude-code/claude-code.js";
import { stopFailures as failuresOf, forgetStopFailure } from "./stop-failures.js";

const stopFailures = (dir: string, sessionId: string) =>
  failuresOf(dir, sessionId, (said) => claudeCode.parse("stop-failure-watch", said));

let home = "";
beforeEach(() => {
  home = tempDir();
});

function spooled(name: string, content: string, minute = 0): void {
  const file = path.join(home, "spool", name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { flag: "wx" });
  const at = new Date(Date.UTC(2026, 2, 1, 10, minute));
  fs.utimesSync(file, at, at);
}

const said = (fields: object): string => `${JSON.stringify({ session_id: "s1", ...fields })}\n`;

describe("what was written down about failed turns", () => {
  it("is nothing when nothing was", () => {
    expect(stopFailures(home, "s1")).toEqual([]);
  });

  it("is told for the session, the oldest first", () => {
    spooled("s1.20.stop-failure.json", said({ error: "rate_limit", last_assistant_message: "later" }), 2);
    spooled("s1.30.stop-failure.json", said({ prompt_id: "p1", last_assistant_message: "API Error: 529" }), 1);
    spooled("s2.1.stop-failure.json", said({ error: "unknown" }));
    spooled("s1.1.other.json", said({ error: "unknown" }));
    expect(stopFailures(home, "s1")).toEqual([
      {
        report: "s1.30.stop-failure.json",
        at: new Date("2026-03-01T10:01:00Z"),
        promptId: "p1",
        error: "unknown",
        message: "API Error: 529",
      },
      {
        report: "s1.20.stop-failure.json",
        at: new Date("2026-03-01T10:02:00Z"),
        error: "rate_limit",
        message: "later",
      },
    ]);
  });

  it("does not mistake a session whose id begins with that of another", () => {
    spooled("s1x.1.stop-failure.json", said({ error: "unknown" }));
    expect(stopFailures(home, "s1")).toEqual([]);
  });

  it.each(["", "{", "[]", '"text"', '{"error":7}', said({ error: "rate_limit", pad: "x".repeat(2 * 1024 * 1024) })])(
    "is an unknown error when it cannot be read",
    (content) => {
      spooled("s1.1.stop-failure.json", content);
      expect(stopFailures(home, "s1")).toMatchObject([{ error: "unknown", message: "" }]);
    },
  );

  it.each(["", '{"session_id":"s1","error":"rate_'])("is left alone while it is being written: %j", (content) => {
    const file = path.join(home, "spool/s1.1.stop-failure.json");
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, content);
    expect(stopFailures(home, "s1")).toEqual([]);
    fs.writeFileSync(file, said({ error: "rate_limit" }));
    expect(stopFailures(home, "s1")).toMatchObject([{ error: "rate_limit" }]);
  });

  it("is cut when a whole page was repeated", () => {
    spooled("s1.1.stop-failure.json", said({ last_assistant_message: "é".repeat(9_000) }));
    expect(stopFailures(home, "s1")[0]?.message).toHaveLength(2_000);
  });

  it("is forgotten once it is recorded, also twice", () => {
    spooled("s1.1.stop-failure.json", said({}));
    const [failure] = stopFailures(home, "s1");
    expect(failure).toBeDefined();
    for (let time = 0; time < 2; time += 1) if (failure !== undefined) forgetStopFailure(home, failure);
    expect(stopFailures(home, "s1")).toEqual([]);
  });

  it("passes over a folder, a pipe and a link of that name: none of them is waited for, or followed", () => {
    const named = (number: number): string => path.join(home, "spool", `s1.${number}.stop-failure.json`);
    fs.mkdirSync(named(1), { recursive: true });
    execFileSync("mkfifo", [named(2)]);
    fs.writeFileSync(path.join(home, "elsewhere"), said({ error: "rate_limit" }));
    fs.symlinkSync(path.join(home, "elsewhere"), named(3));
    expect(stopFailures(home, "s1")).toEqual([]);
  });
});
