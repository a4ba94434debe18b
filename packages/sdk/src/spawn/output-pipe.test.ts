/** Real children that open their streams by name, and the pipes behind them. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../../../tests/fixtures/temp-dir.js";
import { endProcessGroup } from "./end-process-group.js";
import { type OutputPipe, openOutputPipe } from "./output-pipe.js";
import { HAS_PROC } from "./process-group-ref.js";
import type { RunningProcess, SpawnRequest } from "./spawn-request.js";
import { startChild } from "./start-child.js";

let dir = "";
let counter = 0;
/** What a test must not leave behind, also when it fails. */
const running: { stop: () => Promise<void>; group: RunningProcess["group"] }[] = [];

beforeEach(() => {
  dir = tempDir();
});

afterEach(async () => {
  for (const { stop, group } of running.splice(0)) {
    await stop();
    if (group !== undefined) await endProcessGroup(group, 300);
  }
});

interface Logged extends RunningProcess {
  out: () => string;
  err: () => string;
}

function start(argv: SpawnRequest["argv"] | string, more: Partial<SpawnRequest> = {}): Logged {
  counter += 1;
  const stdoutFile = join(dir, `${counter}.out`);
  const stderrFile = join(dir, `${counter}.err`);
  const started = startChild({
    argv: typeof argv === "string" ? { commandLine: argv } : argv,
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    stdoutFile,
    stderrFile,
    marker: `pipe-test-${process.pid}-${counter}`,
    graceMs: 300,
    ...more,
  });
  running.push({ stop: () => started.stop("the test is over"), group: more.leaveRunning ? started.group : undefined });
  return Object.assign(started, {
    out: () => readFileSync(stdoutFile, "utf8"),
    err: () => readFileSync(stderrFile, "utf8"),
  });
}

async function run(
  argv: SpawnRequest["argv"] | string,
  more: Partial<SpawnRequest> = {},
): Promise<{ out: string; err: string; exitCode: number | null }> {
  const started = start(argv, more);
  const { exitCode } = await started.result;
  return { exitCode, out: started.out(), err: started.err() };
}

/** What children print that are more at a time than pipes are kept, so that all of these come to be looked at. */
async function printMany(): Promise<string[]> {
  const all = await Promise.all(Array.from({ length: 20 }, () => run("echo o; echo e >&2")));
  return [...new Set(all.map(({ out, err }) => out + err))];
}

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

describe.runIf(HAS_PROC)("a pipe", () => {
  const inodeOf = (fd: number): number => fstatSync(fd).ino;

  function open(): OutputPipe {
    const pipe = openOutputPipe();
    if (pipe === undefined) throw new Error("there is no pipe");
    return pipe;
  }

  async function close({ readEnd, writeEnd }: OutputPipe): Promise<void> {
    const closed = new Promise((resolve) => readEnd.once("close", resolve));
    closeSync(writeEnd);
    readEnd.destroy();
    await closed;
  }

  /** Whether the pipe is given out again while someone has it open in this way. */
  async function isReused(flags?: number): Promise<boolean> {
    const first = open();
    const inode = inodeOf(first.writeEnd);
    const other = flags === undefined ? undefined : openSync(`/proc/self/fd/${first.writeEnd}`, flags);
    await close(first);
    const second = open();
    const reused = inodeOf(second.writeEnd) === inode;
    await close(second);
    if (other !== undefined) closeSync(other);
    return reused;
  }

  it("is used again after its end", async () => {
    expect(await isReused()).toBe(true);
  });

  it("is not used again while someone else could write into it", async () => {
    expect(await isReused(constants.O_WRONLY)).toBe(false);
  });

  it("is not used again while someone else could read from it", async () => {
    expect(await isReused(constants.O_RDONLY | constants.O_NONBLOCK)).toBe(false);
  });

  it("is empty when it is used again", async () => {
    const first = open();
    writeSync(first.writeEnd, "never read");
    const inode = inodeOf(first.writeEnd);
    await close(first);
    const second = open();
    expect(inodeOf(second.writeEnd)).toBe(inode);
    const pieces: Buffer[] = [];
    second.readEnd.on("data", (piece: Buffer) => pieces.push(piece));
    const closed = new Promise((resolve) => second.readEnd.once("close", resolve));
    writeSync(second.writeEnd, "new");
    closeSync(second.writeEnd);
    await closed;
    expect(Buffer.concat(pieces).toString()).toBe("new");
  });
});

describe.runIf(HAS_PROC)("streams of a child", () => {
  it("can be opened by the names /dev/stdout and /dev/stderr", async () => {
    expect(await run("echo o > /dev/stdout; echo e > /dev/stderr")).toEqual({ exitCode: 0, out: "o\n", err: "e\n" });
    expect(await run("echo x | tee /dev/stderr")).toEqual({ exitCode: 0, out: "x\n", err: "x\n" });
    expect(await run("echo y | cat > /dev/stdout")).toEqual({ exitCode: 0, out: "y\n", err: "" });
    expect(await run("echo z | tee -a /proc/self/fd/2 >/dev/null")).toEqual({ exitCode: 0, out: "", err: "z\n" });
  });

  it("can be opened by a child that has become another user", async () => {
    if (process.getuid?.() !== 0) return;
    const script = `require("child_process").spawnSync("/bin/sh", ["-c", "id -u > /dev/stdout; echo e > /dev/stderr"],
      { uid: 65534, cwd: "/", stdio: "inherit" })`;
    expect(await run([process.execPath, "-e", script])).toEqual({ exitCode: 0, out: "65534\n", err: "e\n" });
  });

  it("are all that the child gets", async () => {
    await Promise.all([run("true"), run("true")]);
    const { out } = await run("for fd in /proc/$$/fd/*; do echo ${fd##*/} $(readlink $fd); done");
    const pipes = out.split("\n").filter((line) => line.includes("/babysitter-pipes-"));
    expect(pipes.map((line) => line.split(" ")[0])).toEqual(["1", "2"]);
  });

  it("mask a secret that is written by name", async () => {
    const { out } = await run("printf 'a=top-sec' > /dev/stdout; printf 'ret-value' >> /dev/stdout", {
      secrets: ["top-secret-value"],
    });
    expect(out).toBe("a=***");
  });

  it("do not mix with what a forgotten writer of an earlier child prints", async () => {
    const daemon = start("while echo noise; do :; done & echo up", { leaveRunning: true });
    const silent = start("trap '' PIPE; (while :; do echo noise; done) 2>/dev/null & echo up", { leaveRunning: true });
    await Promise.all([daemon.result, silent.result]);
    expect(await printMany()).toEqual(["o\ne\n"]);
    expect(await printMany()).toEqual(["o\ne\n"]);
  });

  it("do not gather descriptors, however a spawn ends", async () => {
    const kinds: (() => Promise<unknown>)[] = [
      () => run("true"),
      () => run("exec >&- 2>&-"),
      () => run(["/no/such/command"]),
      () => run(["true", "nul\0byte"]),
      () => run("true", { stdin: "x" }),
      () => run("exec sleep 1000", { timeoutMs: 1 }),
      () => run("exec sleep 1000 & :"),
    ];
    const everyKind = async (times: number): Promise<void> => {
      for (let round = 0; round < times; round += 1) await Promise.all(kinds.map((kind) => kind()));
    };
    await everyKind(8);
    const before = openDescriptors();
    await everyKind(20);
    // The reserve of pipes may grow by some more, but not with every spawn.
    expect(openDescriptors() - before).toBeLessThan(40);
  });
});
