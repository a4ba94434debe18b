import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { exportSessionId, startingSession } from "./env-file.js";

let dir: string;
let file: string;
beforeEach(() => {
  dir = tempDir();
  file = path.join(dir, "hook-0.sh");
});

const exportTo = (id: string): unknown => exportSessionId({ CLAUDE_ENV_FILE: file }, id);
const ours = (id: string): string => `export AGENT_SESSION_ID="${id}"\nexport CLAUDE_SESSION_ID="${id}"\n`;
const content = (): string => fs.readFileSync(file, "latin1");

test("a shell that reads the file knows the session by both names", () => {
  expect(exportTo("abc-123")).toBe("written");
  const script = `. "$0"; printf '%s %s' "$AGENT_SESSION_ID" "$CLAUDE_SESSION_ID"`;
  const shown = execFileSync("/bin/sh", ["-c", script, file], { encoding: "utf8", env: {} });
  expect(shown).toBe("abc-123 abc-123");
});

test("the same session is exported once, however often it starts", () => {
  const answers = [exportTo("s1"), exportTo("s1"), exportTo("s1")];
  expect(answers).toEqual(["written", "already there", "already there"]);
  expect(content()).toBe(ours("s1"));
});

test("another session replaces the lines; all others stay, byte for byte", () => {
  const others = 'export FOO="bar\r\nexport CLAUDE_SESSION_ID=$OTHER\n\xff\xfe\n\nunfinished';
  fs.writeFileSync(file, others, { encoding: "latin1", mode: 0o640 });
  expect(exportTo("s1")).toBe("written");
  expect(content()).toBe(`${others}\n${ours("s1")}`);
  expect(exportTo("s2")).toBe("written");
  expect(content()).toBe(`${others}\n${ours("s2")}`);
  expect(fs.statSync(file).mode & 0o777).toBe(0o640);
  expect(fs.readdirSync(dir)).toEqual(["hook-0.sh"]);
});

test("copies that two hooks have left at once become one", () => {
  fs.writeFileSync(file, `${ours("s1")}export FOO=1\n${ours("s1")}`);
  exportTo("s1");
  expect(content()).toBe(`export FOO=1\n${ours("s1")}`);
});

test.each([
  ["a path", "../out/evil"],
  ["shell syntax", 'x"; touch /tmp/evil; "'],
  ["a line end", "x\nexport PATH=/evil"],
  ["nothing", ""],
])("an id of %s is not written", (_, id) => {
  fs.writeFileSync(file, "export FOO=1\n");
  expect(exportTo(id)).toEqual({ problem: "not a session id" });
  expect(content()).toBe("export FOO=1\n");
});

test("without a file there is nothing to do", () => {
  expect([exportSessionId({}, "s1"), exportSessionId({ CLAUDE_ENV_FILE: "" }, "s1")]).toEqual(["no file", "no file"]);
});

test.each([
  ["in a folder that is not there", () => path.join(dir, "no", "where")],
  ["that is a folder", () => dir],
  ["that is a device", () => "/dev/full"],
  ["whose name is none", () => "a\0b"],
  [
    "that is a pipe",
    () => {
      execFileSync("mkfifo", [file]);
      return file;
    },
  ],
])("a file %s is a problem, never an exception", (_, name) => {
  expect(exportSessionId({ CLAUDE_ENV_FILE: name() }, "s1")).toEqual({ problem: expect.any(String) });
});

test("a link to the file stays a link", () => {
  const target = path.join(dir, "target.sh");
  fs.writeFileSync(target, ours("s1"));
  fs.symlinkSync(target, file);
  expect(exportTo("s2")).toBe("written");
  expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
  expect(fs.readFileSync(target, "utf8")).toBe(ours("s2"));
});

/** A host that names the session `named`, with our file in the folder of the session `began`. */
const starting = (named: string, began: string, args: string[], source = "resume"): string | undefined =>
  startingSession({
    env: { CLAUDE_ENV_FILE: path.join(dir, "session-env", began, "sessionstart-hook-0.sh") },
    input: {
      valid: true,
      subagent: false,
      background: 0,
      sessionId: named,
      source,
      transcriptPath: path.join(dir, `${named}.jsonl`),
    },
    hostArguments: () => ["claude", ...args],
  });

test("L9: a fork is known by the host's command line, where the host names the session that it was made from", () => {
  expect(starting("old", "new", ["-p", "Go.", "--resume", "old", "--fork-session"])).toBe("new");
  expect(starting("old", "new", ["--continue", "--fork-session"])).toBe("new");
});

test("L9: what else the folder of the file says about another session means nothing", () => {
  const fork = ["--resume", "old", "--fork-session"];
  expect(starting("old", "old", ["--resume", "old"])).toBeUndefined();
  expect(starting("old", "random", ["-p", "Go.", "--continue"])).toBeUndefined();
  expect(starting("old", "random", ["-p", "What does --fork-session do?", "--continue"])).toBeUndefined();
  // The host named the fork itself.
  expect(starting("new", "new", fork, "fork")).toBeUndefined();
  expect(starting("branch", "old", ["--resume", "old"])).toBeUndefined();
  // Another session was chosen in the terminal of a fork that had already said something.
  fs.writeFileSync(path.join(dir, "fork.jsonl"), "");
  expect(starting("other", "fork", fork)).toBeUndefined();
  // No folder of a session.
  expect(starting("old", "not an id", fork)).toBeUndefined();
  expect(starting("old", "../elsewhere/new", fork)).toBeUndefined();
});
