/** One attempt as one child process: its environment, its logs, and how its end becomes a result. */
import fs from "node:fs";
import path from "node:path";
import { makeFolders } from "../files/make-folders.js";
import { isShortage } from "../model/errno.js";
import { BabysitterError, type RecordedError, recordError } from "../model/errors.js";
import type { Json, JsonObject } from "../model/json.js";
import { childEnvironment } from "../spawn/child-environment.js";
import { maskJson } from "../spawn/mask-json.js";
import { markedEnvironment } from "../spawn/spawn-marker.js";
import type { SpawnProblem, SpawnRequest, SpawnResult } from "../spawn/spawn-request.js";
import { startChild } from "../spawn/start-child.js";
import type { Executor, RunningWork, Work, WorkFacts, WorkPlace, WorkResult } from "./executor.js";
import { sealFile } from "./handed-over.js";
import { LAST_WORDS_LIMIT, printed } from "./last-words.js";
import { invalidTask } from "./task-fields.js";
import { keepEarlierLogs, logFiles } from "./task-logs.js";

/** What all executors of one driver share. */
export interface ExecutorSettings {
  /** The environment that tasks inherit, and that secrets are taken from. */
  env: Readonly<Record<string, string | undefined>>;
  /** In the environment of everything that this driver starts, so that a successor finds it. */
  session: string;
  /** For tasks without their own limit; 0: no limit. */
  timeoutMs?: number;
}

/** A child process to be. */
export interface CommandPlan {
  argv: SpawnRequest["argv"];
  cwd: string;
  env: Record<string, string>;
  /** Names of variables whose values are not in the journal. */
  secretEnv: readonly string[];
  stdin?: string | undefined;
  timeoutMs: number | undefined;
  /** Files in which the task may leave something for us. */
  handedOver?: readonly string[];
  /** Makes the result of a child that was neither stopped nor timed out. */
  conclude: (exit: SpawnResult, secrets: readonly string[]) => Outcome;
}

/** What came out of an attempt, without the facts that are the same for all. */
export type Outcome =
  | { status: "ok"; value: Json }
  | { status: "error"; reason: "failed"; error: RecordedError; permanent?: boolean };

const DEFAULT_TIMEOUT_MS = 15 * 60_000;

/** An executor whose tasks are child processes. */
export function commandExecutor(
  kind: "node" | "shell",
  settings: ExecutorSettings,
  planOf: (work: Work, place: WorkPlace, usualTimeoutMs: number) => CommandPlan,
): Executor {
  const usualTimeoutMs = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return {
    name: kind,
    kinds: [kind],
    begin: (work, place) => beginCommand(settings, work, place, () => planOf(work, place, usualTimeoutMs)),
  };
}

/** Starts what `plan` describes; a plan that cannot be made is a permanent failure. */
export function beginCommand(
  settings: ExecutorSettings,
  work: Work,
  place: WorkPlace,
  plan: () => CommandPlan,
): RunningWork {
  try {
    // Before anything can fail, so that a log always has the number of the attempt that wrote it.
    keepEarlierLogs(place.taskDir, work.attempt);
    return start(settings, work, place, plan());
  } catch (error) {
    return failedAtOnce(recordError(error), BabysitterError.is(error));
  }
}

function start(settings: ExecutorSettings, work: Work, place: WorkPlace, plan: CommandPlan): RunningWork {
  const base = baseEnvironment(settings);
  const extra = { ...plan.env, ...taskVariables(work, place) };
  const { env, secrets, missing } = childEnvironment(base, extra, plan.secretEnv);
  if (missing.length > 0) throw missingSecrets(work, missing);
  writeInput(work, place);
  const child = startChild({
    argv: plan.argv,
    cwd: plan.cwd,
    env,
    ...logFiles(place.taskDir),
    marker: `${settings.session}.${work.effectId}.${work.attempt}`,
    secrets,
    ...(plan.stdin === undefined ? {} : { stdin: plan.stdin }),
    ...(plan.timeoutMs === undefined ? {} : { timeoutMs: plan.timeoutMs }),
  });
  return {
    group: child.group,
    result: child.result.then((exit) => resultOf(exit, { work, place, plan, secrets })),
    stop: (reason) => child.stop(reason),
    onOutput: (listener) => child.onOutput(listener),
  };
}

/** What an earlier attempt has put in the place of its input goes away first: writing to it might never end. */
export function writeInput(work: Work, { taskDir }: WorkPlace): void {
  const file = inputFile(taskDir);
  fs.rmSync(file, { force: true, recursive: true });
  makeFolders(taskDir, 0o700, 2);
  fs.writeFileSync(file, `${JSON.stringify(work.args, null, 2)}\n`, { mode: 0o600 });
}

function inputFile(taskDir: string): string {
  return path.join(taskDir, "input.json");
}

function resultOf(
  exit: SpawnResult,
  { work, place, plan, secrets }: { work: Work; place: WorkPlace; plan: CommandPlan; secrets: string[] },
): WorkResult {
  const facts = factsOf(exit, work);
  const { outcome, stopReason, startError } = exit;
  const sealing = tried(() => {
    for (const file of plan.handedOver ?? []) sealFile(file, secrets);
  });
  if (outcome === "stopped")
    return { status: "error", reason: "interrupted", error: interrupted(work, stopReason), facts };
  if (outcome === "timed-out")
    return {
      status: "error",
      reason: "timed-out",
      error: timedOut(work, plan.timeoutMs, {
        exitCode: exit.exitCode,
        signal: exit.signal,
        ...printed(place, LAST_WORDS_LIMIT),
      }),
      facts,
    };
  if (outcome === "not-started" && isShortage(startError?.code))
    return { status: "error", reason: "interrupted", noRoom: true, error: notStarted(work, startError), facts };
  if (outcome === "not-started")
    return { status: "error", reason: "failed", error: notStarted(work, startError), facts };
  if (sealing !== undefined) return { status: "error", reason: "failed", error: sealing, facts };
  return { ...concluded(plan, exit, secrets), facts };
}

function tried(act: () => void): RecordedError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return recordError(error);
  }
}

/** Results are read from files that the task wrote: reading them may fail like anything else. */
function concluded(plan: CommandPlan, exit: SpawnResult, secrets: string[]): Outcome {
  try {
    return withoutSecrets(plan.conclude(exit, secrets), secrets);
  } catch (error) {
    return withoutSecrets({ status: "error", reason: "failed", error: recordError(error) }, secrets);
  }
}

/** What came out of any attempt. */
type ConcludedWork = { status: "ok"; value: Json } | { status: "error"; error: RecordedError };

/** Only what came from the task is masked: a secret may be a word that we use ourselves. */
export function withoutSecrets<T extends ConcludedWork>(outcome: T, secrets: readonly string[]): T {
  if (secrets.length === 0) return outcome;
  if (outcome.status === "ok") return { ...outcome, value: maskJson(outcome.value, secrets) };
  return { ...outcome, error: maskError(outcome.error, secrets) };
}

function maskError({ data, ...texts }: RecordedError, secrets: readonly string[]): RecordedError {
  const masked = Object.entries(texts).map(([name, text]) => [name, maskJson(text as Json, secrets)]);
  return {
    ...(Object.fromEntries(masked) as RecordedError),
    ...(data === undefined ? {} : { data: maskJson(data, secrets) }),
  };
}

/** What a task finds in its environment; documented for its authors. */
export function taskVariables(work: Work, { runDir, taskDir, projectRoot }: WorkPlace): Record<string, string> {
  const { stdoutFile, stderrFile } = logFiles(taskDir);
  return {
    BABYSITTER_RUN_ID: work.runId,
    BABYSITTER_RUN_DIR: runDir,
    BABYSITTER_PROJECT_ROOT: projectRoot,
    BABYSITTER_EFFECT_ID: work.effectId,
    BABYSITTER_ATTEMPT: String(work.attempt),
    BABYSITTER_INPUT_JSON: inputFile(taskDir),
    BABYSITTER_STDOUT_PATH: stdoutFile,
    BABYSITTER_STDERR_PATH: stderrFile,
  };
}

function factsOf(exit: SpawnResult, { effectId }: Work): WorkFacts {
  const { startedAt, finishedAt, durationMs, exitCode, signal, stdout, stderr, escapees, survivors } = exit;
  const notes: JsonObject = {};
  if (escapees > 0) notes["escapees"] = escapees;
  if (survivors > 0) notes["survivors"] = survivors;
  if (stdout.truncated || stderr.truncated) notes["logsTruncated"] = true;
  const writeError = stdout.writeError ?? stderr.writeError;
  if (writeError !== undefined) notes["logError"] = writeError.message;
  return {
    startedAt,
    finishedAt,
    durationMs,
    exitCode,
    signal,
    stdoutRef: `tasks/${effectId}/stdout.log`,
    stderrRef: `tasks/${effectId}/stderr.log`,
    ...(Object.keys(notes).length === 0 ? {} : { notes }),
  };
}

/** An attempt that ended before anything was started. */
export function failedAtOnce(problem: RecordedError, permanent: boolean): RunningWork {
  const now = new Date().toISOString();
  return {
    group: undefined,
    result: Promise.resolve({
      status: "error",
      reason: "failed",
      error: problem,
      permanent,
      noRoom: isShortage(problem.code),
      facts: { startedAt: now, finishedAt: now, durationMs: 0 },
    }),
    stop: () => Promise.resolve(),
    onOutput: () => () => undefined,
  };
}

function notStarted(work: Work, { code, message }: SpawnProblem = { code: "UNKNOWN", message: "" }): RecordedError {
  return { name: "TaskError", message: `${titleOf(work)} could not be started: ${message}`, code };
}

export function interrupted(work: Work, reason: string | undefined): RecordedError {
  const why = reason === undefined || reason === "" ? "" : `: ${reason}`;
  return { name: "TaskError", message: `${titleOf(work)} was interrupted${why}.`, code: "TASK_INTERRUPTED" };
}

export function timedOut(work: Work, timeoutMs: number | undefined, more: JsonObject = {}): RecordedError {
  return {
    name: "TaskError",
    message: `${titleOf(work)} took longer than ${timeoutMs} ms and was stopped.`,
    code: "TASK_TIMEOUT",
    data: { timedOut: true, timeoutMs: timeoutMs ?? null, ...more },
  };
}

export function missingSecrets(work: Work, names: string[]): BabysitterError {
  const which = `${names.join(", ")}, which the environment does not define`;
  return invalidTask(work, `it needs ${which}; export it where babysitter runs (secrets are never journaled)`);
}

/** What to call a task in a sentence. */
export function titleOf(work: Pick<Work, "title" | "taskId">): string {
  return `"${work.title ?? work.taskId}"`;
}

/** What a child of this driver inherits. */
export function baseEnvironment({ env, session }: ExecutorSettings): Record<string, string> {
  return markedEnvironment(inheritable(env), session);
}

/** Files of the node task that we may be part of ourselves: its result must not be overwritten. */
const OUTER_FILES = new Set(["BABYSITTER_INPUT_JSON", "BABYSITTER_OUTPUT_JSON", "BABYSITTER_RETURN_JSON"]);

function inheritable(env: ExecutorSettings["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !OUTER_FILES.has(entry[0]),
    ),
  );
}
