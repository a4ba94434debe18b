/** Real children. That nothing is left running is checked after each test, by a scan of our own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import type { ProcessGroupRef } from "../model/events.js";
import { endProcessGroup } from "./end-process-group.js";
import type { RunningProcess, SpawnRequest, SpawnResult } from "./spawn-request.js";
import { startChild } from "./start-child.js";
import { isAlive, survivorsOf } from "./survivors.js";
import { GroupSurvivors } from "./survivors-by-group.js";

const LINUX = existsSync("/proc/self/environ");
const BASE = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

let dir = "";
let markers: string[] = [];
let counter = 0;

beforeEach(() => {
  dir = tempDir();
  markers = [];
});

afterEach(() => {
  const left = markers.flatMap(carriersOf);
  for (const pid of left) process.kill(pid, "SIGKILL");
  if (left.length > 0) throw new Error(`left running: ${left.join(", ")}`);
});

/** Pids of the living with this marker. */
function carriersOf(marker: string): number[] {
  if (!LINUX) return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && stateOf(pid) !== "Z" && environOf(pid).includes(`BABYSITTER_SPAWN_ID=${marker}`));
}

function environOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** One letter as in ps; undefined when there is no such process. */
function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /su, "").charAt(0);
  } catch {
    return undefined;
  }
}

function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

interface Started extends RunningProcess {
  request: SpawnRequest;
}

function start(argv: SpawnRequest["argv"] | string, more: Partial<SpawnRequest> = {}): Started {
  counter += 1;
  const marker = `test-${process.pid}-${counter}`;
  markers.push(marker);
  const request: SpawnRequest = {
    argv: typeof argv === "string" ? { commandLine: argv } : argv,
    cwd: dir,
    env: BASE,
    stdoutFile: join(dir, `${counter}`, "stdout.log"),
    stderrFile: join(dir, `${counter}`, "stderr.log"),
    marker,
    graceMs: 300,
    ...more,
  };
  return Object.assign(startChild(request), { request });
}

interface Finished extends SpawnResult {
  out: string;
  err: string;
}

async function run(argv: SpawnRequest["argv"] | string, more: Partial<SpawnRequest> = {}): Promise<Finished> {
  const started = start(argv, more);
  const result = await started.result;
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, "latin1") : "");
  return { ...result, out: read(started.request.stdoutFile), err: read(started.request.stderrFile) };
}

const node = (script: string, ...args: string[]): [string, ...string[]] => [process.execPath, "-e", script, ...args];

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); ) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

/** The same while the event loop stands still. */
function blockUntil(condition: () => boolean, what: string): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (const end = Date.now() + 20_000; !condition(); Atomics.wait(cell, 0, 0, 1)) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
  }
}

const at = (name: string): string => join(dir, name);
const appears = (name: string): Promise<void> => until(() => existsSync(at(name)), name);

describe("the end of a child", () => {
  it("gives the exit code", async () => {
    for (const code of [0, 1, 42, 255]) {
      const result = await run(`exit ${code}`);
      expect(result).toMatchObject({ exitCode: code, signal: null, outcome: "exited", escapees: 0, survivors: 0 });
      expect(Date.parse(result.finishedAt)).toBeGreaterThanOrEqual(Date.parse(result.startedAt));
      expect(result.durationMs).toBeGreaterThanOrEqual(0);
    }
  });

  it("gives the signal", async () => {
    expect(await run("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL", outcome: "exited" });
    expect(await run("kill -SEGV $$")).toMatchObject({ exitCode: null, signal: "SIGSEGV", outcome: "exited" });
  });

  it("passes arguments as they are, and runs a command line by the shell", async () => {
    const print = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
    expect((await run(node(print, "a b", "$HOME", "", "'\"*"))).out).toBe('["a b","$HOME","","\'\\"*"]');
    expect((await run("x=$(echo one two); printf '%s|' $x")).out).toBe("one|two|");
  });

  it("is told by a result that is plain JSON", async () => {
    const result = await start("echo x; exit 3").result;
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });
});

describe("a child that cannot be started", () => {
  it("says which command is missing, and where it was looked for", async () => {
    const missing = await run(["no-such-command-here"], { env: { PATH: "/nowhere" } });
    expect(missing).toMatchObject({ outcome: "not-started", exitCode: null, signal: null });
    expect(missing.startError).toEqual({
      code: "ENOENT",
      message: "The command no-such-command-here was not found in PATH.",
    });
    expect((await run([at("nothing")])).startError?.message).toBe(`The command ${at("nothing")} does not exist.`);
  });

  it("does not blame the command for a missing working directory", async () => {
    const { outcome, startError } = await run(["true"], { cwd: at("nowhere") });
    expect({ outcome, startError }).toEqual({
      outcome: "not-started",
      startError: { code: "ENOENT", message: `The working directory ${at("nowhere")} does not exist.` },
    });
    writeFileSync(at("file"), "");
    const { startError: onFile } = await run(["true"], { cwd: at("file") });
    expect(onFile?.message).toBe(`The working directory ${at("file")} is not a directory.`);
  });

  it("says that a file is not executable, or that its interpreter is missing", async () => {
    writeFileSync(at("plain"), "#!/bin/sh\n", { mode: 0o644 });
    expect((await run([at("plain")])).startError).toMatchObject({
      code: "EACCES",
      message: expect.stringContaining("is not executable"),
    });
    writeFileSync(at("script"), "#!/no/such/interpreter\n", { mode: 0o755 });
    expect((await run([at("script")])).startError?.message).toContain("the interpreter named in its first line");
  });

  it("reports arguments that the kernel or Node refuses", async () => {
    expect((await run(["true", "x".repeat(4_000_000)])).startError?.code).toBe("E2BIG");
    expect((await run(["true", "nul\0byte"])).outcome).toBe("not-started");
  });

  it("reports a log that cannot be made", async () => {
    writeFileSync(at("file"), "");
    const { outcome, startError } = await run(["true"], { stdoutFile: join(at("file"), "log") });
    expect({ outcome, code: startError?.code }).toEqual({ outcome: "not-started", code: "EEXIST" });
  });

  it("does not blame the command for input that cannot be stored", async () => {
    if (!LINUX) return;
    // A folder whose name leaves room for the log, and not for a file with a longer name.
    let folder = at("deep");
    while (folder.length < 3_800) folder = join(folder, "d".repeat(200));
    mkdirSync(folder, { recursive: true });
    const stdoutFile = join(folder, "e".repeat(4_092 - folder.length), "l");
    const { startError } = await run(["true"], { stdoutFile, stdin: "x" });
    expect(startError).toEqual({ code: "ENAMETOOLONG", message: expect.stringContaining("input cannot be stored") });
  });

  it("does not keep logs open that cannot be made private", async () => {
    if (!LINUX) return;
    const openLogs = (): number => readdirSync("/proc/self/fd").filter((fd) => targetOf(fd).endsWith("/comm")).length;
    // Its mode cannot be changed, not even by its owner.
    const { startError } = await run(["true"], { stdoutFile: "/proc/self/comm" });
    expect(startError?.code).toBe("EPERM");
    expect(openLogs()).toBe(0);
  });

  it("has no pid, empty logs, and can be stopped", async () => {
    const started = start(["no-such-command-here"]);
    await started.stop("early");
    expect([started.pid, started.group, started.tail()]).toEqual([undefined, undefined, ""]);
    expect(statSync(started.request.stdoutFile).size).toBe(0);
    expect((await started.result).outcome).toBe("not-started");
  });

  it("hides secrets in the message", async () => {
    const { startError } = await run(["tool-s3cr3t"], { secrets: ["s3cr3t"] });
    expect(startError?.message).toMatch(/^The command tool-\*\*\* was not found/u);
  });

  it("is refused when the request makes no sense", () => {
    const refusal = /A process cannot be started like this/u;
    expect(() => start(["true"], { stdoutFile: "relative" })).toThrow(refusal);
    expect(() => start(["true"], { stdoutFile: at("log"), stderrFile: at("log") })).toThrow(refusal);
    expect(() => start(["true"], { marker: "" })).toThrow(refusal);
    expect(() => start(["true"], { outputLimitBytes: -1 })).toThrow(refusal);
    expect(() => start(["true"], { timeoutMs: Number.NaN })).toThrow(refusal);
    expect(() => start(["true"], { graceMs: Number.NaN })).toThrow(refusal);
    expect(() => start(["true"], { graceMs: -1 })).toThrow(refusal);
  });
});

describe("environment and input", () => {
  it("gives the child exactly the environment of the request, and the marker", async () => {
    const env = { ONE: "1", EMPTY: "", UMLAUT: "ä=ö\n" };
    const started = start(node("process.stdout.write(JSON.stringify(process.env))"), { env });
    await started.result;
    expect(JSON.parse(readFileSync(started.request.stdoutFile, "utf8"))).toEqual({
      ...env,
      BABYSITTER_SPAWN_ID: started.request.marker,
    });
  });

  it("runs in the folder of the request", async () => {
    mkdirSync(at("work"));
    expect((await run("pwd -P", { cwd: at("work") })).out).toMatch(/\/work\n$/u);
  });

  it("is /dev/null by default", async () => {
    expect((await run("cat; echo end")).out).toBe("end\n");
  });

  it("hands over text and bytes, also under the name /dev/stdin", async () => {
    expect((await run("cat", { stdin: "grüße\n" })).out).toBe(Buffer.from("grüße\n").toString("latin1"));
    expect((await run(["cat", "/dev/stdin"], { stdin: Uint8Array.of(0, 255, 10, 0) })).out).toBe("\0\xff\n\0");
    expect((await run("cat; echo end", { stdin: "" })).out).toBe("end\n");
  });

  it("hands over 10 MB", async () => {
    expect((await run("wc -c", { stdin: Buffer.alloc(10_000_000, "x") })).out.trim()).toBe("10000000");
  });

  it("does not mind a child that never reads it or exits at once", async () => {
    const stdin = Buffer.alloc(10_000_000, "x");
    for (const command of ["exit 7", "exec 0<&-; exit 7", "head -c 5 >/dev/null; exit 7"]) {
      expect(await run(command, { stdin })).toMatchObject({ exitCode: 7, outcome: "exited" });
    }
  });

  it("leaves no trace of the input on the disk", async () => {
    const started = start("ls -A; cat >/dev/null", { stdin: "private", cwd: dir });
    await started.result;
    expect(readdirSync(join(started.request.stdoutFile, "..")).toSorted()).toEqual(["stderr.log", "stdout.log"]);
  });
});

describe("output", () => {
  it("goes to two private files", async () => {
    const started = start("echo out; echo err >&2");
    const result = await started.result;
    expect(readFileSync(started.request.stdoutFile, "utf8")).toBe("out\n");
    expect(readFileSync(started.request.stderrFile, "utf8")).toBe("err\n");
    expect(statSync(started.request.stderrFile).mode & 0o777).toBe(0o600);
    expect(result).toMatchObject({
      stdout: { bytes: 4, truncated: false },
      stderr: { bytes: 4, truncated: false },
    });
  });

  it("may be binary and need not end with a line end", async () => {
    const all = "Buffer.from(Array.from({length: 256}, (_, i) => i))";
    const { out, stdout } = await run(node(`process.stdout.write(Buffer.concat([${all}, ${all}]))`));
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    expect(out).toBe(bytes + bytes);
    expect(stdout.bytes).toBe(512);
  });

  it("of 100 MB leaves head and tail in the log, and nothing in memory", async () => {
    const limit = 2 * 1024 * 1024;
    const before = process.memoryUsage().external;
    let most = 0;
    const started = start("seq 1 12500000", { outputLimitBytes: limit });
    started.onOutput(() => {
      most = Math.max(most, process.memoryUsage().external - before);
    });
    const { stdout, exitCode } = await started.result;
    // 9 numbers of one digit, 90 of two and so on, each with a line end.
    const bytes =
      [1, 2, 3, 4, 5, 6, 7].reduce((sum, digits) => sum + 9 * 10 ** (digits - 1) * (digits + 1), 0) + 2_500_001 * 9;
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: { bytes, truncated: true } });
    expect(most).toBeLessThan(60_000_000);
    const [head = "", tail = ""] = readFileSync(started.request.stdoutFile, "utf8").split(
      `\n[babysitter: ${bytes - limit} bytes omitted]\n`,
    );
    expect([head.length, tail.length]).toEqual([limit / 2, limit / 2]);
    const numbers = (text: string): number[] => text.split("\n").slice(1, -1).map(Number);
    expect(head.startsWith("1\n2\n3\n")).toBe(true);
    expect(tail.endsWith("12499999\n12500000\n")).toBe(true);
    for (const part of [numbers(head), numbers(tail)]) {
      expect(part.findIndex((value, index) => index > 0 && value !== (part[index - 1] as number) + 1)).toBe(-1);
    }
  });

  it("is complete when the child exits while nobody reads, fifty times", async () => {
    if (!LINUX) return;
    const script = "head -c 60000 /dev/zero | tr '\\0' a; head -c 30000 /dev/zero | tr '\\0' b >&2";
    for (let round = 0; round < 50; round += 1) {
      const started = start(script);
      blockUntil(() => stateOf(started.pid as number) === "Z", "the end of the child");
      const { stdout, stderr } = await started.result;
      expect([stdout.bytes, stderr.bytes]).toEqual([60_000, 30_000]);
      expect(statSync(started.request.stdoutFile).size).toBe(60_000);
    }
  });

  it("is complete when the last of it comes between a look at the stream and the news of the exit", async () => {
    if (!LINUX) return;
    // The end of another child makes Node ask for exit codes in the same turn in which it has read the
    // stream; what the child prints between the two is in the pipe, and Node has not seen it.
    const other = start(["true"]);
    const started = start("echo x; : > printed; until [ -e go ]; do :; done; head -c 50000 /dev/zero");
    started.onOutput(() => {
      if (existsSync(at("go"))) return;
      writeFileSync(at("go"), "");
      blockUntil(() => stateOf(started.pid as number) === "Z", "the end of the child");
    });
    blockUntil(() => stateOf(other.pid as number) === "Z" && existsSync(at("printed")), "both children");
    expect((await started.result).stdout.bytes).toBe(50_002);
    await other.result;
  });

  it("is complete for a child that prints a lot and exits", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { stdout, stderr } = await run("head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2");
      expect([stdout.bytes, stderr.bytes]).toEqual([3_000_000, 1_000_000]);
    }
  });

  it("may be closed by the child before it ends", async () => {
    const { out, err, exitCode } = await run("echo x; exec >&-; echo y >&2; exec 2>&-; exit 5");
    expect({ out, err, exitCode }).toEqual({ out: "x\n", err: "y\n", exitCode: 5 });
  });

  it("that cannot be written does not disturb the child", async () => {
    if (!existsSync("/dev/full")) return;
    const { exitCode, stdout, stderr } = await start("echo x; echo y >&2; exit 4", { stdoutFile: "/dev/full" }).result;
    expect(exitCode).toBe(4);
    expect(stdout).toEqual({ bytes: 2, truncated: false, writeError: { code: "ENOSPC", message: expect.any(String) } });
    expect(stderr).toEqual({ bytes: 2, truncated: false });
  });

  it("is told line by line while the child runs", async () => {
    const lines: string[] = [];
    const started = start("printf 'one\\ntwo\\n'; until [ -e go ]; do sleep 0.01; done; printf 'bar 10%%\\rbar 20%%'");
    const unsubscribe = started.onOutput((line) => lines.push(line));
    await until(() => lines.at(-1) === "two", "the second line");
    unsubscribe();
    const more: string[] = [];
    started.onOutput((line) => more.push(line));
    writeFileSync(at("go"), "");
    await started.result;
    expect(more.at(-1)).toBe("bar 20%");
    expect(lines.at(-1)).toBe("two");
    expect(started.tail()).toBe("one\ntwo\nbar 10%\rbar 20%");
  });

  it("has a tail of some kilobytes that does not begin inside a character", async () => {
    const started = start(node("process.stdout.write('€'.repeat(100_000) + 'end')"));
    await started.result;
    expect(started.tail()).toMatch(/^€{2000,}end$/u);
  });

  it("shows no part of a secret where a log is cut", async () => {
    const secret = "sk-0123456789abcdefghij";
    const command = 'i=0; while [ $i -lt 4000 ]; do printf "%s$TOKEN" $i; i=$((i + 1)); done';
    const env = { ...BASE, TOKEN: secret };
    const started = start({ commandLine: command }, { secrets: [secret], env, outputLimitBytes: 1001 });
    const { stdout } = await started.result;
    const log = readFileSync(started.request.stdoutFile, "utf8");
    expect(stdout.truncated).toBe(true);
    expect(log).toContain("0***1***");
    expect(log).not.toMatch(/sk-|6789a|ghij/u);
    expect(started.tail()).not.toMatch(/sk-|6789a|ghij/u);
  });

  it("never shows a secret, not even one that is printed in two pieces", async () => {
    const secret = "top-secret-value";
    const started = start(
      node(`process.stdout.write("a=top-sec");
        const go = setInterval(() => {
          if (!require("fs").existsSync("go")) return;
          clearInterval(go);
          process.stdout.write("ret-value;b=top-sec");
          process.stderr.write("E " + process.env.TOKEN);
        }, 5);
        process.stderr.write("ready\\n");`),
      { secrets: [secret], env: { ...BASE, TOKEN: secret } },
    );
    await until(() => started.tail().includes("a=") && started.tail().includes("ready"), "the first piece");
    writeFileSync(at("go"), "");
    await started.result;
    expect(readFileSync(started.request.stdoutFile, "utf8")).toBe("a=***;b=top-sec");
    expect(readFileSync(started.request.stderrFile, "utf8")).toBe("ready\nE ***");
    expect(started.tail()).not.toContain(secret);
  });
});

describe("timeout and stop", () => {
  const STUBBORN = "trap '' TERM; sleep 1000 & sleep 1000 & : > up; wait; wait; sleep 1000";

  it("ends the whole group at the timeout, also those that ignore SIGTERM", async () => {
    const result = await run(STUBBORN, { timeoutMs: 200, graceMs: 50 });
    expect(result).toMatchObject({
      outcome: "timed-out",
      exitCode: null,
      signal: "SIGKILL",
      escapees: 0,
      survivors: 0,
    });
  });

  it("lets a child clean up at the timeout", async () => {
    const result = await run("trap 'echo bye; exit 3' TERM; echo hi; while :; do sleep 0.01; done", {
      timeoutMs: 150,
      graceMs: 20_000,
    });
    expect(result).toMatchObject({ outcome: "timed-out", exitCode: 3, out: "hi\nbye\n" });
  });

  it("leaves a child the programs that it starts to clean up", async () => {
    const cleanUp = "sleep 0.3 && echo done; exit 3";
    const result = await run(`trap '${cleanUp}' TERM; while :; do sleep 0.01; done`, {
      timeoutMs: 150,
      graceMs: 20_000,
    });
    expect(result).toMatchObject({ outcome: "timed-out", exitCode: 3, out: "done\n" });
  });

  it("does not take a timeout beyond what a timer can for none at all", async () => {
    expect(await run("sleep 0.05; exit 6", { timeoutMs: 1e12 })).toMatchObject({ outcome: "exited", exitCode: 6 });
  });

  it("does not take a child for late that has ended while we were busy", async () => {
    if (!LINUX) return;
    const timeoutMs = 50;
    const due = performance.now() + 2 * timeoutMs;
    const started = start("exit 6", { timeoutMs });
    blockUntil(() => stateOf(started.pid as number) === "Z" && performance.now() > due, "the timeout");
    expect(await started.result).toMatchObject({ outcome: "exited", exitCode: 6 });
  });

  it("stops a running child, with the reason in the result", async () => {
    const started = start("sleep 1000 & : > up; wait");
    await appears("up");
    await started.stop("the user said so");
    expect(await started.result).toMatchObject({
      outcome: "stopped",
      signal: "SIGTERM",
      stopReason: "the user said so",
      survivors: 0,
    });
  });

  it("stops a child in the same turn in which it was started", async () => {
    const started = start("sleep 1000");
    await started.stop("at once");
    expect(await started.result).toMatchObject({ outcome: "stopped", stopReason: "at once" });
  });

  it("kills at once at the second stop, and the first reason stays", async () => {
    const started = start(STUBBORN, { graceMs: 3_600_000 });
    await appears("up");
    const first = started.stop("first");
    await Promise.all([first, started.stop("second"), started.stop("third")]);
    expect(await started.result).toMatchObject({ outcome: "stopped", stopReason: "first", signal: "SIGKILL" });
  });

  it("kills at once at the second stop also when a timeout is being waited for", async () => {
    const started = start(STUBBORN, { timeoutMs: 100, graceMs: 3_600_000 });
    await appears("up");
    const stops = [started.stop("one"), started.stop("two")];
    await Promise.all(stops);
    expect((await started.result).signal).toBe("SIGKILL");
  });

  it("changes nothing after the end", async () => {
    const started = start("exit 9");
    const result = await started.result;
    await started.stop("late");
    await started.stop("later");
    expect(await started.result).toBe(result);
    expect(result).toMatchObject({ outcome: "exited", exitCode: 9 });
    expect(result).not.toHaveProperty("stopReason");
  });
});

describe.runIf(LINUX)("what a child leaves behind", () => {
  it("is ended with the group, and may say its last words into the log", async () => {
    const background = "trap 'echo last words; exit' TERM; : > up; while :; do sleep 0.01; done";
    const result = await run(`(${background}) & until [ -e up ]; do :; done; echo done`, { graceMs: 20_000 });
    expect(result).toMatchObject({ exitCode: 0, outcome: "exited", out: "done\nlast words\n", escapees: 0 });
  });

  it("is ended with the group even without a marker", async () => {
    const result = await run("env -i sh -c 'echo $$ > pid; exec sleep 1000' & until [ -s pid ]; do :; done");
    expect(result.survivors).toBe(0);
    expect(stateOf(Number(readFileSync(at("pid"), "utf8"))) ?? "Z").toBe("Z");
  });

  it("is found in a session of its own", async () => {
    const daemon = "require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref()";
    expect(await run(node(daemon))).toMatchObject({ exitCode: 0, escapees: 1, survivors: 0 });
  });

  it("is found after a double fork, and killed when it ignores SIGTERM", async () => {
    const daemon = "trap '' TERM; : > up; while :; do sleep 0.02; done";
    const result = await run(`(setsid sh -c "(${daemon}) >/dev/null 2>&1 &" &); until [ -e up ]; do :; done`, {
      graceMs: 50,
    });
    expect(result.exitCode).toBe(0);
    expect(result.escapees).toBeGreaterThanOrEqual(1);
  });

  it("is found also in the middle of a double fork, thirty times", async () => {
    for (let round = 0; round < 30; round += 1) {
      await run("(setsid sh -c 'setsid sleep 1000 & exit' &) >/dev/null 2>&1");
      expect(markers.flatMap(carriersOf)).toEqual([]);
    }
  });

  it("is found when an inner babysitter has given it a marker of its own", async () => {
    const started = start(
      `env BABYSITTER_OUTER_SPAWN_IDS=$BABYSITTER_SPAWN_ID BABYSITTER_SPAWN_ID=inner-${process.pid} setsid sh -c ': > up; exec sleep 1000' &
       until [ -e up ]; do :; done`,
    );
    markers.push(`inner-${process.pid}`);
    expect(await started.result).toMatchObject({ escapees: 1, survivors: 0 });
  });

  it("does not delay the result by holding the stream open", async () => {
    const { exitCode, out } = await run(
      "setsid sh -c ': > up; exec sleep 1000' & until [ -e up ]; do :; done; echo all of it",
    );
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: "all of it\n" });
  });

  it("may go on if that is wanted, and the result does not wait for it", async () => {
    const started = start("sleep 1000 & setsid sleep 1000 & echo all of it", { leaveRunning: true });
    expect(await started.result).toMatchObject({ exitCode: 0, outcome: "exited", escapees: 0 });
    expect(readFileSync(started.request.stdoutFile, "utf8")).toBe("all of it\n");
    await until(() => carriersOf(started.request.marker).length === 2, "two sleepers");
    await started.stop("too late for this");
    expect(isAlive(started.group as ProcessGroupRef)).toBe(true);
    await until(
      () => carriersOf(started.request.marker).every((pid) => readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n"),
      "exec",
    );
    expect(await endProcessGroup(started.group as ProcessGroupRef, 100)).toEqual({
      ended: 2,
      escapees: 1,
      survivors: 0,
    });
  });

  it("is ended by a stop even if it might have gone on after an exit", async () => {
    const started = start("setsid sh -c ': > up; exec sleep 1000' & wait", { leaveRunning: true });
    await appears("up");
    await started.stop("now");
    expect(await started.result).toMatchObject({ outcome: "stopped", escapees: 1, survivors: 0 });
  });

  it("never ends a child of someone else who works at the same time", async () => {
    const neighbour = start("echo up; sleep 1000");
    await until(() => neighbour.tail() === "up\n", "the neighbour");
    for (let round = 0; round < 5; round += 1) await run("sleep 1000 & setsid sleep 1000 & exit 0");
    expect(isAlive(neighbour.group as ProcessGroupRef)).toBe(true);
    await neighbour.stop("done");
  });
});

describe.runIf(LINUX)("a reference to a group", () => {
  async function sleeper(
    more = "",
    options: Partial<SpawnRequest> = {},
  ): Promise<{ started: Started; ref: ProcessGroupRef }> {
    const started = start(`${more} echo up; exec sleep 1000`, options);
    await until(() => started.tail().includes("up"), "the sleeper");
    return { started, ref: JSON.parse(JSON.stringify(started.group)) as ProcessGroupRef };
  }

  /** Group members only, the leader gone. */
  async function orphans(command: string): Promise<{ ref: ProcessGroupRef; pid: number }> {
    const started = start(`${command} until [ -s pid ]; do :; done`, { leaveRunning: true });
    await started.result;
    return { ref: started.group as ProcessGroupRef, pid: Number(readFileSync(at("pid"), "utf8")) };
  }

  it("lets a stranger end the group, with those that have left it", async () => {
    const { started, ref } = await sleeper("setsid sh -c ': > up2; exec sleep 1000' & until [ -e up2 ]; do :; done;");
    expect(isAlive(ref)).toBe(true);
    expect(await endProcessGroup(ref, 1000)).toEqual({ ended: 2, escapees: 1, survivors: 0 });
    expect(await started.result).toMatchObject({ outcome: "exited", signal: "SIGTERM" });
    expect(isAlive(ref)).toBe(false);
    expect(await endProcessGroup(ref, 1000)).toEqual({ ended: 0, escapees: 0, survivors: 0 });
  });

  it("kills what ignores SIGTERM", async () => {
    const { started, ref } = await sleeper("trap '' TERM;");
    expect(await endProcessGroup(ref, 20)).toMatchObject({ ended: 1, survivors: 0 });
    expect((await started.result).signal).toBe("SIGKILL");
  });

  it("ends nothing when the pid belongs to another process by now", async () => {
    const { started, ref } = await sleeper();
    const [ticks, boot] = ref.startTime.split("@");
    const later = Number(ticks) + 1;
    const strangers: ProcessGroupRef[] = [
      { ...ref, startTime: `${later}@${boot}`, marker: "another-spawn" },
      { ...ref, startTime: `${Number(ticks) - 1}@${boot}`, marker: "another-spawn" },
      { ...ref, marker: "another-spawn" },
      { ...ref, startTime: `${ticks}@00000000-0000-0000-0000-000000000000` },
      { ...ref, startTime: "" },
    ];
    for (const stranger of strangers) {
      expect(isAlive(stranger)).toBe(false);
      expect(await endProcessGroup(stranger, 20)).toEqual({ ended: 0, escapees: 0, survivors: 0 });
    }
    expect(isAlive(ref)).toBe(true);
    await started.stop("done");
  });

  it("without a start time is good enough for the one who has just started the group, and for nobody else", async () => {
    const { started, ref } = await sleeper();
    const nameless = { ...ref, startTime: "" };
    expect(survivorsOf(nameless, false).look().members.size).toBe(0);
    expect([...survivorsOf(nameless, true).look().members.values()]).toEqual([ref.pid]);
    await started.stop("done");
  });

  it("ends the rest of a group whose leader is gone, if one of them has the marker", async () => {
    const { ref, pid } = await orphans(
      `env -i sh -c "trap '' TERM; echo \\$\\$ > pid; exec sleep 1000" & sleep 1000 &`,
    );
    expect(stateOf(ref.pid)).toBeUndefined();
    expect(isAlive(ref)).toBe(true);
    // The one that proves it is gone first: the other one ignores SIGTERM.
    expect(await endProcessGroup(ref, 100)).toMatchObject({ ended: 2, survivors: 0 });
    expect(stateOf(pid) ?? "Z").toBe("Z");
  });

  it("leaves a group alone that nothing proves to be the same", async () => {
    const { ref, pid } = await orphans("env -i sh -c 'echo $$ > pid; exec sleep 1000' &");
    expect(isAlive(ref)).toBe(false);
    expect(await endProcessGroup(ref, 20)).toEqual({ ended: 0, escapees: 0, survivors: 0 });
    expect(stateOf(pid)).toMatch(/[RSD]/u);
    process.kill(pid, "SIGKILL");
  });

  it("knows a leader that has wiped its environment by its start time", async () => {
    const started = start("exec env -i sh -c 'echo up; exec sleep 1000'");
    await until(() => started.tail() === "up\n", "the sleeper");
    const ref = started.group as ProcessGroupRef;
    const [ticks, boot] = ref.startTime.split("@");
    const older = { ...ref, startTime: `${Number(ticks) - 1}@${boot}` };
    expect(await endProcessGroup(older, 20)).toMatchObject({ ended: 0 });
    expect(await endProcessGroup(ref, 1000)).toMatchObject({ ended: 1, survivors: 0 });
    await started.result;
  });
});

describe("groups without /proc", () => {
  it("are seen as long as they have members, by whoever has started them", async () => {
    const started = start("echo up; exec sleep 1000");
    await until(() => started.tail() === "up\n", "the sleeper");
    const ref = started.group as ProcessGroupRef;
    const group = new GroupSurvivors(ref, true);
    expect(group.look().members.size).toBe(1);
    group.signalGroup("SIGTERM");
    expect((await started.result).signal).toBe("SIGTERM");
    expect(group.look().members.size).toBe(0);
  });

  it("are proved to strangers by the start time that ps tells", async () => {
    const started = start("echo up; exec sleep 1000");
    await until(() => started.tail() === "up\n", "the sleeper");
    const ref = started.group as ProcessGroupRef;
    expect(new GroupSurvivors({ ...ref, startTime: "Thu Jan  1 00:00:00 1970" }, false).look().members.size).toBe(0);
    expect(new GroupSurvivors({ ...ref, startTime: "" }, false).look().members.size).toBe(0);
    await started.stop("done");
  });
});
