/** Runs one hook script and reports the outcome, whatever the script does. */
import crypto from "node:crypto";
import type { HookCall, HookOutcome } from "../model/hook-types.js";
import { defined, type JsonObject } from "../model/json.js";
import { HOOK_MARKER } from "../spawn/spawn-marker.js";
import type { SpawnResult } from "../spawn/spawn-request.js";
import { startChild } from "../spawn/start-child.js";
import type { FoundHook } from "./find-hooks.js";
import { findHookAnswer } from "./hook-answer.js";
import { type HookSurroundings, hookEnvironment } from "./hook-environment.js";
import { type HookLogs, openHookLogs, readLog } from "./hook-logs.js";
import { readScriptHead } from "./script-head.js";

export interface HookContext extends HookSurroundings {
  /** Time limit of each script; by default it depends on the type. */
  timeoutMs?: number;
  /** Time between SIGTERM and SIGKILL. */
  graceMs?: number;
  /** How much of each stream is kept, and searched for the answer: its first half and its last half. */
  outputLimitBytes?: number;
  /** Ends the script that is running; those after it are not begun. */
  signal?: AbortSignal;
}

/** The outcome of a script. */
export interface RanHook {
  /** Without the answer, which may be too large to be stored. */
  outcome: HookOutcome;
  answer?: JsonObject;
  /** The end of its stderr. */
  stderr: string;
}

const USUAL_LIMIT_MS = 60_000;
/** Hooks of this type execute tasks. */
const LIMITS_MS: Readonly<Record<string, number>> = { "on-iteration-start": 600_000 };
/** The shipped script only waits for tasks, which have limits of their own. */
const WAITS_FOR_TASKS = "native-orchestrator.sh";
const OUTPUT_LIMIT = 1024 * 1024;
const SHOWN_STDERR = 4096;
const MAX_PROBLEM = 300;

/** Never rejects: a hook that cannot be run is an outcome too. */
export async function runHook(hook: FoundHook, input: HookCall, context: HookContext): Promise<RanHook> {
  try {
    const head = readScriptHead(hook.file);
    return "problem" in head ? refused(hook, head.problem) : await runScript(hook, head.argv, input, context);
  } catch (error) {
    return refused(hook, error instanceof Error ? error.message : String(error));
  }
}

async function runScript(
  hook: FoundHook,
  argv: [string, ...string[]],
  input: HookCall,
  context: HookContext,
): Promise<RanHook> {
  const { env, secrets } = hookEnvironment(context, input);
  const logs = openHookLogs(context.run?.runDir, input.hookType, hook.name);
  const timeoutMs = limitOf(hook, input.hookType, context);
  const child = startChild({
    argv,
    cwd: context.projectRoot,
    env,
    stdin: `${JSON.stringify(input.payload)}\n`,
    stdoutFile: logs.stdoutFile,
    stderrFile: logs.stderrFile,
    outputLimitBytes: context.outputLimitBytes ?? OUTPUT_LIMIT,
    ...defined({ timeoutMs, graceMs: context.graceMs }),
    marker: `${HOOK_MARKER}${crypto.randomBytes(12).toString("hex")}`,
    endWithUs: true,
    secrets,
  });
  const stop = (): void => void child.stop("interrupted");
  if (context.signal?.aborted) stop();
  context.signal?.addEventListener("abort", stop, { once: true });
  try {
    return conclude(hook, { exit: await child.result, logs, timeoutMs });
  } finally {
    context.signal?.removeEventListener("abort", stop);
  }
}

function limitOf({ name, tier }: FoundHook, hookType: string, { timeoutMs }: HookContext): number | undefined {
  const isOurs = tier === "plugin" || tier === "native";
  if (isOurs && hookType === "on-iteration-start" && name === WAITS_FOR_TASKS) return undefined;
  return timeoutMs ?? LIMITS_MS[hookType] ?? USUAL_LIMIT_MS;
}

function conclude(
  { name, tier }: FoundHook,
  { exit, logs, timeoutMs }: { exit: SpawnResult; logs: HookLogs; timeoutMs: number | undefined },
): RanHook {
  const found = findHookAnswer(readLog(logs.stdoutFile), exit.stdout.truncated);
  const stderr = readLog(logs.stderrFile).slice(-SHOWN_STDERR);
  const keepStderr = exit.stderr.bytes > 0;
  logs.tidy({ keepStdout: exit.stdout.bytes > 0 && found?.alone !== true, keepStderr });
  const said = found === undefined ? undefined : refusalIn(found.value);
  const status = statusOf(exit, said);
  const problem = problemOf(exit, { said, timeoutMs, stderr, answered: found !== undefined });
  const stderrRef = keepStderr ? logs.stderrRef : undefined;
  return {
    outcome: {
      name,
      tier,
      status,
      exitCode: exit.exitCode,
      durationMs: exit.durationMs,
      ...defined({ problem: problem?.slice(0, MAX_PROBLEM), stderrRef }),
    },
    ...defined({ answer: found?.value }),
    stderr,
  };
}

/** What an answer says against itself. Anything else than true is no yes. */
export function refusalIn({ ok, error }: JsonObject): string | undefined {
  if (ok === undefined || ok === true) return undefined;
  if (typeof error === "string" && error.trim() !== "") return error.trim().slice(0, MAX_PROBLEM);
  const [what, value] = error === undefined || error === "" ? ["ok", ok] : ["error", error];
  return `it answered ${what}: ${JSON.stringify(value).slice(0, MAX_PROBLEM)}`;
}

function statusOf({ outcome, exitCode }: SpawnResult, said: string | undefined): HookOutcome["status"] {
  if (outcome === "timed-out" || outcome === "not-started") return outcome;
  return outcome === "exited" && exitCode === 0 && said === undefined ? "ok" : "failed";
}

function problemOf(
  exit: SpawnResult,
  {
    said,
    timeoutMs,
    stderr,
    answered,
  }: { said: string | undefined; timeoutMs: number | undefined; stderr: string; answered: boolean },
): string | undefined {
  if (exit.outcome === "not-started") return exit.startError?.message ?? "it could not be started";
  if (exit.outcome === "timed-out") return `it took longer than ${timeoutMs} ms and was stopped`;
  if (exit.outcome === "stopped") return `it was stopped: ${exit.stopReason ?? "no reason was given"}`;
  if (exit.exitCode !== 0) return `${howItEnded(exit)}: ${said ?? lastLine(stderr) ?? "it gave no reason"}`;
  if (said !== undefined) return said;
  if (exit.survivors > 0) return `${exit.survivors} of the processes it left behind could not be stopped`;
  return answered ? undefined : noAnswer(exit);
}

function noAnswer({ stdout }: SpawnResult): string {
  if (stdout.bytes === 0) return "it printed nothing on stdout; a JSON object was expected";
  return stdout.truncated
    ? `the ${stdout.bytes} bytes it printed do not end with a JSON object`
    : "it printed no JSON object";
}

function howItEnded({ exitCode, signal }: SpawnResult): string {
  return exitCode === null ? `it was killed by ${signal ?? "a signal"}` : `it exited with ${exitCode}`;
}

function lastLine(text: string): string | undefined {
  return text
    .split(/[\r\n]+/u)
    .findLast((line) => line.trim() !== "")
    ?.trim();
}

function refused({ name, tier }: FoundHook, problem: string): RanHook {
  return { outcome: { name, tier, status: "not-started", exitCode: null, durationMs: 0, problem }, stderr: "" };
}
