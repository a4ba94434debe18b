import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { tempDir } from "../../../../../tests/fixtures/temp-dir.js";
import { exportSession, startingSession } from "./env-file.js";

let dir: string;
let file: string;
beforeEach(() => {
  dir = tempDir();
  file = path.join(dir, "hook-0.sh");
});

const PROGRAM = ["/opt/own.cjs"];
const exportIn = (env: Record<string, string>, sessionId = "s1", program = PROGRAM): unknown =>
  exportSession(env, { sessionId, name: "babysitter", program });
const exportTo = (sessionId: string, program = PROGRAM): unknown =>
  exportIn({ CLAUDE_ENV_FILE: file }, sessionId, program);
const ours = (id: string): string =>
  [
    `export AGENT_SESSION_ID="${id}"`,
    `export CLAUDE_SESSION_ID="${id}"`,
    "unalias babysitter 2> /dev/null || :",
    'babysitter() { if [ -e /opt/own.cjs ]; then /opt/own.cjs "$@"; else command babysitter "$@"; fi; }',
    "",
  ].join("\n");
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
  expect([exportIn({}), exportIn({ CLAUDE_ENV_FILE: "" })]).toEqual(["no file", "no file"]);
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
  expect(exportIn({ CLAUDE_ENV_FILE: name() })).toEqual({ problem: expect.any(String) });
});

test("a link to the file stays a link", () => {
  const target = path.join(dir, "target.sh");
  fs.writeFileSync(target, ours("s1"));
  fs.symlinkSync(target, file);
  expect(exportTo("s2")).toBe("written");
  expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
  expect(fs.readFileSync(target, "utf8")).toBe(ours("s2"));
});

describe("P6: our program by its name, in the agent's shell", () => {
  /** What a shell prints that has another program of our name first on its PATH. */
  function said(shell: string, line: string, before = ""): string {
    const other = path.join(dir, "first", "babysitter");
    fs.mkdirSync(path.dirname(other), { recursive: true });
    fs.writeFileSync(other, "#!/bin/sh\necho another\n", { mode: 0o755 });
    const env = { PATH: `${path.dirname(other)}:${process.env["PATH"]}` };
    const script = `${before}\n. '${file}' && eval ${JSON.stringify(line)}`;
    return execFileSync(shell, ["-c", script], { encoding: "utf8", env });
  }
  const ownIn = (folder: string): string => {
    const own = path.join(dir, folder, "own");
    fs.mkdirSync(path.dirname(own), { recursive: true });
    fs.writeFileSync(own, '#!/bin/sh\nprintf "own %s\\n" "$*"\n', { mode: 0o755 });
    return own;
  };

  test.each(["/bin/sh", "/bin/bash"])("it is ours in %s, plain, in pipes and in substitutions", (shell) => {
    exportTo("s1", [ownIn("it's a $HOME\" “place”")]);
    expect(said(shell, "babysitter a 'b  c'")).toBe("own a b  c\n");
    expect(said(shell, "babysitter a | cat && echo <$(babysitter b)>".replaceAll(/[<>]/gu, ""))).toBe("own a\nown b\n");
  });

  test("an alias of that name is in nobody's way", () => {
    exportTo("s1", [ownIn("own")]);
    expect(said("/bin/bash", "babysitter a", "shopt -s expand_aliases\nalias babysitter='echo alias'")).toBe("own a\n");
  });

  test("once the program is gone, PATH decides", () => {
    exportTo("s1", [path.join(dir, "gone")]);
    expect(said("/bin/bash", "babysitter a")).toBe("another\n");
  });

  test("a new place takes the place of the old one, and all else stays", () => {
    fs.writeFileSync(file, "export A=\xFF\n", "latin1");
    exportTo("s1", ["/old/ü"]);
    exportTo("s1");
    expect(content()).toBe(`export A=\xFF\n${ours("s1")}`);
  });

  test("a place that no line can hold is left to PATH", () => {
    exportTo("s1", ["/a\nb"]);
    expect(content()).not.toContain("babysitter");
  });

  test("it is written where the session's shell reads it, although the host names the file of another id", () => {
    const folder = path.join(dir, "session-env");
    const named = path.join(folder, "random", "hook-0.sh");
    expect(exportIn({ CLAUDE_ENV_FILE: named })).toBe("written");
    expect(fs.readFileSync(path.join(folder, "s1", "hook-0.sh"), "utf8")).toBe(ours("s1"));
    expect(fs.existsSync(named)).toBe(false);
  });
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
