/**
 * Runs a child process in a process group of its own, with its output in log files, and leaves nothing
 * of it running. For POSIX systems; outside Linux, descendants that leave the group are not found.
 *
 * Nothing here listens to signals: who drives decides when to stop.
 */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { BabysitterError } from "../model/errors.js";
import { CappedLog } from "./capped-log.js";
import { type ChildLogs, ChildRun, type StartedChild } from "./child-run.js";
import { hasRoomForChild } from "./descriptors.js";
import { guardChild } from "./orphan-guard.js";
import { type OutputPipe, openOutputPipe } from "./output-pipe.js";
import { HAS_PROC } from "./process-group-ref.js";
import { maskSecrets } from "./secret-mask.js";
import { markedEnvironment } from "./spawn-marker.js";
import {
  DEFAULT_OUTPUT_LIMIT,
  type RunningProcess,
  type SpawnProblem,
  type SpawnRequest,
  type SpawnResult,
} from "./spawn-request.js";
import { describeStartFailure } from "./start-failure.js";
import { openStdinFile } from "./stdin-file.js";

const NO_DESCRIPTORS: SpawnProblem = { code: "EMFILE", message: "Too many files are open." };

/** Starts a child. Throws only for a request that makes no sense; what the child does is in the result. */
export function startChild(request: SpawnRequest): RunningProcess {
  checkRequest(request);
  if (!hasRoomForChild()) return notStarted(Promise.resolve(NO_DESCRIPTORS));
  let logs: ChildLogs;
  try {
    logs = openLogs(request);
  } catch (error) {
    return notStarted(Promise.resolve(fileProblem("A log file cannot be created", error)));
  }
  let input: number | undefined;
  try {
    input = openInput(request);
  } catch (error) {
    closeLogs(logs);
    return notStarted(Promise.resolve(fileProblem("The input cannot be stored", error)));
  }
  const release = request.endWithUs === true && HAS_PROC ? guardChild(request.marker) : undefined;
  try {
    const started = spawnChild(request, input);
    const { child } = started;
    if (child.pid !== undefined) return released(new ChildRun(request, started, child.pid, logs), request, release);
    release?.();
    closeLogs(logs);
    return notStarted(new Promise((resolve) => child.once("error", (error) => resolve(failure(error, request)))));
  } catch (error) {
    release?.();
    closeLogs(logs);
    return notStarted(Promise.resolve(failure(error, request)));
  }
}

/** Where markers cannot be looked for, the group must be known first. */
function released(run: ChildRun, { endWithUs, marker }: SpawnRequest, release?: () => void): ChildRun {
  if (endWithUs === true) void run.result.then(release ?? guardChild(marker, run.pid));
  return run;
}

function checkRequest(request: SpawnRequest): void {
  const problem = problemOf(request);
  if (problem !== undefined)
    throw new BabysitterError("INTERNAL", `A process cannot be started like this: ${problem}.`);
}

function problemOf(request: SpawnRequest): string | undefined {
  const { stdoutFile, stderrFile, marker, outputLimitBytes = 0, timeoutMs = 0, graceMs = 0 } = request;
  if (!isAbsolute(stdoutFile) || !isAbsolute(stderrFile)) return "the paths of the logs must be absolute";
  if (stdoutFile === stderrFile) return "two streams need two logs";
  if (!/^[^\s\0]+$/u.test(marker)) return "the marker must not be empty or hold white space";
  if (!Number.isSafeInteger(outputLimitBytes) || outputLimitBytes < 0) return "the output limit is not a size";
  if (!(timeoutMs >= 0 && graceMs >= 0)) return "the timeout or the grace period is not a length of time";
  return undefined;
}

function openLogs({ stdoutFile, stderrFile, outputLimitBytes = DEFAULT_OUTPUT_LIMIT }: SpawnRequest): ChildLogs {
  const stdout = new CappedLog(stdoutFile, outputLimitBytes);
  try {
    return { stdout, stderr: new CappedLog(stderrFile, outputLimitBytes) };
  } catch (error) {
    stdout.close();
    throw error;
  }
}

function closeLogs({ stdout, stderr }: ChildLogs): void {
  stdout.close();
  stderr.close();
}

function openInput({ stdin, stdoutFile }: SpawnRequest): number | undefined {
  return stdin === undefined ? undefined : openStdinFile(dirname(stdoutFile), stdin);
}

function fileProblem(what: string, error: unknown): SpawnProblem {
  const { code = "UNKNOWN", message } = error as NodeJS.ErrnoException;
  return { code, message: `${what}: ${message}` };
}

/** Closes the input, which the child has then. */
function spawnChild(request: SpawnRequest, input: number | undefined): StartedChild {
  const stdout = openOutputPipe();
  const stderr = openOutputPipe();
  try {
    const child = spawnWith(request, [input ?? "ignore", stdout?.writeEnd ?? "pipe", stderr?.writeEnd ?? "pipe"]);
    return { child, stdout: readEnd(stdout, child.stdout), stderr: readEnd(stderr, child.stderr) };
  } finally {
    // Without writers the read ends close by themselves, also when there is no child.
    for (const fd of [input, stdout?.writeEnd, stderr?.writeEnd]) if (fd !== undefined) closeSync(fd);
  }
}

function spawnWith({ argv, cwd, env, marker }: SpawnRequest, stdio: StdioOptions): ChildProcess {
  const [program, ...args] = Array.isArray(argv) ? argv : ["/bin/sh", "-c", argv.commandLine];
  // `detached` makes the child the leader of a new session, and so of a new group.
  return spawn(program, args, { cwd, env: markedEnvironment(env, marker), stdio, detached: true });
}

function readEnd(pipe: OutputPipe | undefined, socket: Readable | null): Readable {
  return pipe?.readEnd ?? (socket as Readable);
}

function failure(error: unknown, request: SpawnRequest): SpawnProblem {
  const { code, message } = describeStartFailure(error, request);
  return { code, message: maskSecrets(message, request.secrets ?? []) };
}

function notStarted(problem: Promise<SpawnProblem>): RunningProcess {
  const result = problem.then((startError): SpawnResult => {
    const now = new Date().toISOString();
    return {
      exitCode: null,
      signal: null,
      outcome: "not-started",
      startError,
      startedAt: now,
      finishedAt: now,
      durationMs: 0,
      stdout: { bytes: 0, truncated: false },
      stderr: { bytes: 0, truncated: false },
      escapees: 0,
      survivors: 0,
    };
  });
  return {
    pid: undefined,
    group: undefined,
    result,
    stop: async () => void (await result),
    onOutput: () => () => undefined,
    tail: () => "",
  };
}
