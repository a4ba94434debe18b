/** Real programs and shells. That nothing is left running is checked after each test. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { EffectId, RunId } from "../model/ids.js";
import type { Json, JsonObject } from "../model/json.js";
import type { RunningWork, Work, WorkPlace, WorkResult } from "./executor.js";
import { createShellExecutor } from "./shell-executor.js";

const SESSION = `shell-test-${process.pid}`;
const executor = createShellExecutor({ env: { PATH: process.env["PATH"], INHERITED: "yes" }, session: SESSION });
let place: WorkPlace;

beforeEach(() => {
  const root = tempDir();
  const taskDir = path.join(root, "run", "tasks", "e1");
  place = { projectRoot: root, processDir: root, runDir: path.join(root, "run"), taskDir };
  fs.mkdirSync(place.runDir);
});

afterEach(() => {
  const left = leftRunning();
  for (const pid of left) process.kill(Number(pid), "SIGKILL");
  if (left.length > 0) throw new Error(`left running: ${left.join(", ")}`);
});

/** Pids of the living that this file has started. */
function leftRunning(): string[] {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      return !isDead(pid) && fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(SESSION);
    } catch {
      return false;
    }
  });
}

function isDead(pid: string): boolean {
  try {
    return /\) Z/u.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

function begin(definition: JsonObject, attempt = 1): RunningWork {
  const work: Work = {
    runId: "r1" as RunId,
    effectId: "e1" as EffectId,
    invocationKey: "k",
    taskId: "check",
    kind: "shell",
    attempt,
    definition: { timeout: 30_000, ...definition },
    args: {},
  };
  return executor.begin(work, place);
}

const run = (shell: Json, definition: JsonObject = {}): Promise<WorkResult> => begin({ ...definition, shell }).result;

interface Printed {
  success: boolean;
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  truncated?: true;
}

async function valueOf(shell: Json, definition: JsonObject = {}): Promise<Printed> {
  const result = await run(shell, definition);
  if (result.status === "error") throw new Error(JSON.stringify(result.error));
  return result.value as unknown as Printed;
}

async function errorOf(shell: Json, definition: JsonObject = {}): Promise<WorkResult & { status: "error" }> {
  const result = await run(shell, definition);
  if (result.status === "ok") throw new Error(`it gave ${JSON.stringify(result.value)}`);
  return result;
}

const file = (name: string): string => path.join(place.projectRoot, name);
const pidsIn = (name: string): string[] => fs.readFileSync(file(name), "utf8").trim().split("\n");

async function appears(name: string): Promise<void> {
  for (const end = Date.now() + 20_000; !fs.existsSync(file(name)) || fs.statSync(file(name)).size === 0; ) {
    if (Date.now() > end) throw new Error(`waited in vain for ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

describe("what is run", () => {
  const script = `printf "%s|" "$@" $(echo 1 2)`;
  it.each<[string, Json, string]>([
    ["a command line", { command: "x='a  b'; echo \"$x\" | tr a c; echo $INHERITED" }, "c  b\nyes\n"],
    ["a text instead of an object", "echo a && echo b", "a\nb\n"],
    [
      "a program with arguments",
      { argv: ["sh", "-c", script, "name", "a b", "$HOME", "", 5, true] },
      "a b|$HOME||5|true|1|2|",
    ],
    ["a command with args", { command: "printf", args: ["%s|", "a b", "*"] }, "a b|*|"],
    ["a command with no args", { command: "pwd", args: [] }, "PROJECT\n"],
    ["argv rather than a command", { argv: ["echo", "argv"], command: "echo command" }, "argv\n"],
    ["several lines", { command: "if true\nthen echo yes\nfi" }, "yes\n"],
    ["with its environment", { command: 'echo "$A$B$BABYSITTER_ATTEMPT"', env: { A: 1, B: "$A", C: null } }, "1$A1\n"],
    ["in another folder", { command: "pwd", cwd: "/" }, "/\n"],
    ["with stdin", { command: "cat", stdin: "ü\n" }, "ü\n"],
    ["without stdin", { command: "cat; echo end" }, "end\n"],
  ])("%s", async (_what, shell, stdout) => {
    const expected = stdout.replace("PROJECT", place.projectRoot);
    expect(await valueOf(shell)).toEqual({ success: true, exitCode: 0, signal: null, stdout: expected, stderr: "" });
  });

  it("does not get the files of a node task that we run in ourselves", async () => {
    const settings = { env: { PATH: process.env["PATH"], BABYSITTER_OUTPUT_JSON: "/outer" }, session: SESSION };
    const work = {
      runId: "r" as RunId,
      effectId: "e1" as EffectId,
      invocationKey: "k",
      taskId: "t",
      kind: "shell",
      attempt: 1,
      args: {},
    };
    const definition = { shell: "echo $BABYSITTER_OUTPUT_JSON" };
    expect(await createShellExecutor(settings).begin({ ...work, definition }, place).result).toMatchObject({
      value: { stdout: "\n" },
    });
  });
});

describe("the result", () => {
  it("of a failure is an error with the exit code, what was printed and the last words", async () => {
    const { error, reason, permanent, facts } = await errorOf("echo out; echo 'the reason' >&2; echo >&2; exit 42");
    expect(error).toEqual({
      name: "TaskError",
      message: '"check" exited with 42: the reason',
      code: "TASK_FAILED",
      data: { exitCode: 42, signal: null, stdout: "out\n", stderr: "the reason\n\n" },
    });
    expect([reason, permanent, facts.exitCode]).toEqual(["failed", undefined, 42]);
  });

  it("of a failure without words on stderr has the last ones of stdout", async () => {
    expect((await errorOf("echo one; echo two; false")).error.message).toBe('"check" exited with 1: two');
    expect((await errorOf("false", { title: "x" })).error.message).toBe('"check" exited with 1');
  });

  it("of a signal names it", async () => {
    const { error, facts } = await errorOf("kill -KILL $$");
    expect(error.message).toBe('"check" was killed by SIGKILL');
    expect([facts.exitCode, facts.signal]).toEqual([null, "SIGKILL"]);
  });

  it("of a failure that is allowed is a value", async () => {
    expect(await valueOf({ command: "echo no >&2; exit 3", allowFailure: true })).toEqual({
      success: false,
      exitCode: 3,
      signal: null,
      stdout: "",
      stderr: "no\n",
    });
    expect(await valueOf({ command: "kill -TERM $$", allowFailure: true })).toMatchObject({
      exitCode: null,
      signal: "SIGTERM",
    });
  });

  it("has the end of what is printed, and says so", async () => {
    const value = await valueOf("head -c 300000 /dev/zero | tr '\\0' x; printf 'ü%s' end; printf short >&2");
    expect(value).toMatchObject({ stderr: "short", truncated: true });
    expect(Buffer.byteLength(value.stdout)).toBe(256 * 1024);
    expect(value.stdout.endsWith("xüend")).toBe(true);
    expect(fs.statSync(path.join(place.taskDir, "stdout.log")).size).toBe(300_005);
  });

  it("does not begin within a character", async () => {
    const { stdout } = await valueOf(
      `printf 'a'; i=0; s=üüüüüüüüüüüüüüüü; while [ $i -lt 14 ]; do s=$s$s; i=$((i+1)); done; printf %s "$s"`,
    );
    expect(stdout.replaceAll("ü", "")).toBe("");
    expect(stdout.length).toBeGreaterThan(100_000);
  });

  it("of output that is no text is something all the same", async () => {
    const { stdout } = await valueOf(`printf '\\377\\000\\200ok'`);
    expect(stdout).toBe("\uFFFD\u0000\uFFFDok");
    expect(fs.readFileSync(path.join(place.taskDir, "stdout.log"))).toEqual(Buffer.from([255, 0, 128, 111, 107]));
  });

  it("is empty where the output went elsewhere", async () => {
    expect(await valueOf("exec >/dev/null 2>&1; echo lost; echo lost >&2")).toMatchObject({ stdout: "", stderr: "" });
  });
});

describe("what is left running", () => {
  it("is ended when the command is done, also if it keeps stdout open", async () => {
    const result = await run(`sleep 300 & echo $! > ${file("pids")}; echo started`);
    expect(result).toMatchObject({ status: "ok", value: { stdout: "started\n" } });
    expect(pidsIn("pids").filter((pid) => !isDead(pid))).toEqual([]);
  });

  it("is ended by the timeout, with grandchildren and a daemon that ignores signals", async () => {
    const daemon = `trap "" TERM HUP INT; echo $$ >> ${file("pids")}; while :; do sleep 0.1; done`;
    const line = `(sh -c 'echo $$ >> ${file("pids")}; exec sleep 300' &) ; setsid sh -c '${daemon}' & sleep 300`;
    const { error, reason, facts } = await errorOf({ command: line, timeoutMs: 1500 });
    expect([reason, error.code]).toEqual(["timed-out", "TASK_TIMEOUT"]);
    expect(error.message).toBe('"check" took longer than 1500 ms and was stopped.');
    expect(facts.notes).toMatchObject({ escapees: expect.any(Number) });
    expect(pidsIn("pids")).toHaveLength(2);
    expect(pidsIn("pids").filter((pid) => !isDead(pid))).toEqual([]);
  });

  it("is ended by a stop, and a second stop does not wait", async () => {
    const running = begin({
      shell: { command: `trap "" TERM; echo $$ > ${file("pid")}; while :; do sleep 0.1; done` },
    });
    await appears("pid");
    expect(running.group?.pid).toBe(Number(pidsIn("pid")[0]));
    const stops = [running.stop("changed my mind"), running.stop("now")];
    const result = await running.result;
    await Promise.all(stops);
    expect(result).toMatchObject({ status: "error", reason: "interrupted", facts: { signal: "SIGKILL" } });
    expect(result).toMatchObject({
      error: { code: "TASK_INTERRUPTED", message: '"check" was interrupted: changed my mind.' },
    });
  });
});

describe("what cannot be started", () => {
  it.each<[string, Json, string]>([
    ["a program that is not there", { argv: ["no-such-program", "x"] }, "no-such-program was not found in PATH."],
    ["a path that is not there", { argv: ["./none"] }, "./none does not exist"],
    ["a folder that is not there", { command: "true", cwd: "none" }, "none does not exist"],
    ["a folder that is a file", { command: "true", cwd: "plain" }, "plain is not a directory"],
    ["a file that is no program", { argv: ["./plain"] }, "./plain is not executable"],
    [
      "an environment that is too large",
      { command: "true", env: { BIG: "x".repeat(3_000_000) } },
      "together are too large",
    ],
  ])("%s: says why", async (_what, shell, message) => {
    fs.writeFileSync(file("plain"), "");
    const { error, reason, facts } = await errorOf(shell);
    expect(error.message).toMatch(/^"check" could not be started: /u);
    expect(error.message).toContain(message);
    expect([reason, facts.exitCode]).toEqual(["failed", null]);
  });

  it("a command line with a mistake: the shell says why", async () => {
    expect((await errorOf("no-such-program")).error.message).toMatch(/exited with 127: .*no-such-program.*not found/u);
    expect((await errorOf("if then")).error.message).toMatch(/exited with 2: .*[Ss]yntax error/u);
  });

  it.each<[string, Json, string]>([
    ["nothing", {}, "`shell` needs `command`"],
    ["an empty text", "", "`shell` needs `command`"],
    ["blanks", "  \n", "`shell` needs `command`"],
    ["a number", 5, "`shell` must be an object"],
    ["a list", ["npm", "test"], "`shell` must be an object"],
    ["null", null, "`shell` must be an object"],
    ["an empty argv", { argv: [] }, "`shell` needs `command`"],
    ["an empty program", { argv: ["", "x"] }, "`argv` must start with a program"],
    ["argv in one text", { argv: "npm test" }, "`argv` must be a list"],
    ["an object in argv", { argv: ["npm", {}] }, "`argv` must contain only strings"],
    ["a number as command", { command: 5 }, "`command` must be a string"],
    ["a zero byte", { command: "echo \0" }, "`command` must be a string"],
    ["args in one text", { command: "echo", args: "a" }, "`args` must be a list"],
    ["a text as allowFailure", { command: "exit 1", allowFailure: "yes" }, "`allowFailure` must be true or false"],
    ["env as a text", { command: "true", env: "A=1" }, "`env` must be an object"],
    ["a list as cwd", { command: "true", cwd: [] }, "`cwd` must be a string"],
    ["a number as stdin", { command: "cat", stdin: 5 }, "`stdin` must be a string"],
    ["a text as timeout", { command: "true", timeout: "1m" }, "`timeout` must be a number"],
    ["an object as secretEnv", { command: "true", secretEnv: {} }, "`secretEnv` must be a list"],
  ])("%s: fails for good", async (_what, shell, message) => {
    const running = begin({ shell });
    const result = await running.result;
    expect(running.group).toBeUndefined();
    expect(result).toMatchObject({
      status: "error",
      reason: "failed",
      permanent: true,
      error: { code: "TASK_INVALID" },
    });
    expect((result as { error: { message: string } }).error.message).toContain(message);
    expect(fs.existsSync(place.taskDir)).toBe(false);
  });
});
