/** The running attempts: started, reported, recorded, retried. */
import os from "node:os";
import { interrupted } from "../effects/command-work.js";
import type { Executor, RunningWork, Work, WorkFacts, WorkPlace, WorkResult } from "../effects/executor.js";
import {
  type AttemptRecord,
  finalError,
  judge,
  type RetryPolicy,
  retryPolicyOf,
  type Verdict,
} from "../effects/retry-policy.js";
import { BabysitterError, type RecordedError } from "../model/errors.js";
import type { EffectAttemptFailed, EffectRequested, EffectStarted } from "../model/events.js";
import type { EffectId } from "../model/ids.js";
import { defined, isJsonObject } from "../model/json.js";
import { type PendingEffect, pendingOf } from "../model/run-state.js";
import { recordFailedAttempt, recordStart } from "../runs/attempts.js";
import type { PostRequest } from "../runs/post-result.js";
import type { RunJournal } from "../runs/run-journal.js";
import { hasRoomForAnother } from "../spawn/descriptors.js";
import { directoryRef } from "../spawn/directory-ref.js";
import { ConcurrencyLimit, noRoom } from "./concurrency-limit.js";
import type { Progress } from "./progress.js";

export interface RunningAttemptsOptions {
  journal: RunJournal;
  executors: readonly Executor[];
  projectRoot: string;
  processDir: string;
  /** How many may run at once. */
  concurrency: number;
  report: (progress: Progress) => void;
  /** Something has been recorded, or could not be. */
  onSettled: (problem: unknown) => void;
  /** Whether this program is being ended itself; asked a while after someone else's signal has ended an attempt. */
  isBeingEnded: () => Promise<boolean>;
  /** How long to try to start a child while none is running; a minute if missing. */
  roomPatienceMs?: number;
  /** Records a result, and tells of it if it is the first. */
  post: (request: PostRequest) => Promise<void>;
}

interface Attempt {
  work: RunningWork | undefined;
  /** Asked for before the work could be begun. */
  stopReason: string | undefined;
  over: Promise<void>;
}

export class RunningAttempts {
  readonly #options: RunningAttemptsOptions;
  readonly #attempts = new Map<EffectId, Attempt>();
  readonly kinds: ReadonlySet<string>;
  readonly #limit: ConcurrencyLimit;
  /** Since when not even one child could be started. */
  #noRoomSince: number | undefined;

  constructor(options: RunningAttemptsOptions) {
    this.#options = options;
    this.#limit = new ConcurrencyLimit(options.concurrency);
    this.kinds = new Set(options.executors.flatMap(({ kinds }) => kinds));
  }

  /** The effects that are being executed. */
  get running(): ReadonlySet<string> {
    return new Set<string>(this.#attempts.keys());
  }

  /** How many may run at once just now. */
  get limit(): number {
    return this.#limit.value;
  }

  /** Starts an attempt; its outcome is recorded. Where there is no room for it, it stays pending. */
  begin(pending: PendingEffect): void {
    const attempt: Attempt = { work: undefined, stopReason: undefined, over: Promise.resolve() };
    this.#attempts.set(pending.effectId, attempt);
    attempt.over = this.#see(pending, attempt);
  }

  async #see(pending: PendingEffect, attempt: Attempt): Promise<void> {
    let problem: unknown;
    try {
      await this.#execute(pending, attempt);
    } catch (error) {
      problem = error;
    }
    this.#attempts.delete(pending.effectId);
    this.#options.onSettled(problem);
  }

  /** Ends attempts whose effect has got its result elsewhere. */
  dropSettled(): void {
    const { summary } = this.#options.journal;
    for (const [effectId, attempt] of this.#attempts) {
      // Once: whoever is told a second time gets no time to clean up.
      if (pendingOf(summary, effectId) === undefined && attempt.stopReason === undefined)
        stop(attempt, "its result was posted by another program");
    }
  }

  /** Ends everything and waits for it; `hurry` cuts the grace period short, also of those that were told before. */
  async stopAll(reason: string, hurry = false): Promise<void> {
    const attempts = [...this.#attempts.values()];
    for (const attempt of attempts) {
      if (hurry) stop(attempt, reason);
      if (hurry || attempt.stopReason === undefined) stop(attempt, reason);
    }
    await Promise.all(attempts.map(({ over }) => over));
  }

  async #execute(pending: PendingEffect, attempt: Attempt): Promise<void> {
    const work = await this.#workOf(pending);
    const policy = retryPolicyOf(work.definition);
    const executor = this.#options.executors.find(({ kinds }) => kinds.includes(pending.kind)) as Executor;
    // Stopped while its definition was being read: it need not start at all.
    if (attempt.stopReason !== undefined) return;
    if (this.#beside > 0 && !hasRoomForAnother()) return this.#makeWay("Too many files are open.", attempt);
    const running = "problem" in policy ? undefined : executor.begin(work, this.#placeOf(work));
    if (running === undefined) return this.#settle(pending, executor, NO_RETRY, misfit(work, policy));
    attempt.work = running;
    const { report } = this.#options;
    running.onOutput((line) => report({ type: "output", effectId: work.effectId, line }));
    const { effectId, attempt: number } = work;
    const started = { attempt: number, executor: executor.name, host: os.hostname() };
    const group = running.group;
    if (group === undefined) {
      const result = await running.result;
      if (result.status === "error" && result.noRoom === true) return this.#makeWay(result.error.message, attempt);
    }
    this.#noRoomSince = undefined;
    const dir = directoryRef(this.#options.journal.runDir);
    const isOpen = await this.#recordStart(running, effectId, { ...started, ...defined({ group, dir }) });
    // Someone else has settled it in the meantime.
    if (!isOpen) void running.stop("it is no longer needed");
    const result = await this.#orInterrupted(work, await running.result);
    await this.#settle(pending, executor, policy as RetryPolicy, result);
  }

  /** How many children are running. */
  get #beside(): number {
    return [...this.#attempts.values()].filter(({ work }) => work !== undefined).length;
  }

  /**
   * Nothing was begun, so nothing is recorded: the attempt waits until one of those beside it has ended. Without any,
   * somebody else has taken the room, and may give it back.
   */
  async #makeWay(why: string, attempt: Attempt): Promise<void> {
    attempt.work = undefined;
    const text = this.#limit.lower(this.#beside, `${why} Raise the limit with \`ulimit -n\`, or lower --concurrency.`);
    if (text !== undefined) this.#options.report({ type: "notice", text });
    if (this.#beside > 0 || attempt.stopReason !== undefined) return;
    this.#noRoomSince ??= performance.now();
    if (performance.now() - this.#noRoomSince > (this.#options.roomPatienceMs ?? ROOM_PATIENCE_MS)) throw noRoom(why);
    await new Promise((resolve) => setTimeout(resolve, ROOM_LOOK_MS));
  }

  /** What the journal does not know of would outlive us, and run beside the next attempt. */
  async #recordStart(running: RunningWork, effectId: EffectId, started: EffectStarted): Promise<boolean> {
    try {
      return await recordStart(this.#options.journal, effectId, started);
    } catch (error) {
      await running.stop("its start could not be recorded");
      throw error;
    }
  }

  /** A shutdown stops tasks and driver in any order: that is not a failure of the task. */
  async #orInterrupted(work: Work, result: WorkResult): Promise<WorkResult> {
    if (!isToldToEnd(result)) return result;
    await new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS));
    if (!(await this.#options.isBeingEnded())) return result;
    const error = interrupted(work, "the driver was stopped");
    return { status: "error", reason: "interrupted", error, facts: result.facts };
  }

  async #workOf(pending: PendingEffect): Promise<Work> {
    const { journal } = this.#options;
    const { effectId, invocationKey, taskId, kind, attempt, title } = pending;
    const event = await journal.ports.store.readAt(journal.runId, pending.request);
    const { definition, args } = event.payload as EffectRequested;
    const json = journal.relocated(await journal.valueOf(definition));
    return {
      runId: journal.runId,
      effectId,
      invocationKey,
      taskId,
      kind,
      attempt,
      ...defined({ title }),
      definition: isJsonObject(json) ? json : {},
      args: journal.relocated(await journal.valueOf(args)),
    };
  }

  #placeOf({ effectId }: Work): WorkPlace {
    const { journal, projectRoot, processDir } = this.#options;
    const taskDir = journal.ports.workspace.taskDir(journal.runId, effectId);
    return { projectRoot, processDir, runDir: journal.runDir, taskDir };
  }

  /** Records the outcome, or that it will be retried. */
  async #settle(pending: PendingEffect, executor: Executor, policy: RetryPolicy, result: WorkResult): Promise<void> {
    const { journal } = this.#options;
    const { effectId, attempt } = pending;
    const record: AttemptRecord = { failures: pending.failures ?? 0, interruptions: pending.interruptions ?? 0 };
    const verdict: Verdict = result.status === "ok" ? { again: false } : judge(policy, record, result);
    if (result.status === "error" && verdict.again) {
      const now = journal.ports.clock.now().getTime();
      await recordFailedAttempt(journal, effectId, failedAttempt(attempt, result, now, verdict.afterMs));
      return;
    }
    const { startedAt, finishedAt, stdoutRef, stderrRef } = result.facts;
    const outcome = result.status === "ok" ? { value: result.value } : { error: finalError(result.error, verdict) };
    const metadata = { executor: executor.name, ...metadataOf(result.facts) };
    const refs = defined({ startedAt, finishedAt, stdoutRef, stderrRef });
    try {
      await this.#options.post({ effectId, attempt, result: { status: result.status, ...outcome, ...refs, metadata } });
    } catch (error) {
      if (!isTooLate(error)) throw error;
      this.#options.report({ type: "notice", text: `A result for ${effectId} arrived too late: ${error.message}` });
    }
  }
}

/** A shutdown reaches this program and its tasks within this time of each other. */
const SHUTDOWN_MS = 500;

/** How often to look whether the machine has room again, and for how long. */
const ROOM_LOOK_MS = 500;
const ROOM_PATIENCE_MS = 60_000;

const NO_RETRY: RetryPolicy = {
  attempts: 1,
  backoffMs: 0,
  factor: 1,
  maxBackoffMs: 0,
  on: undefined,
  interrupted: false,
};

/** Signals by which systems end programs, and the exit codes that shells make of them. */
const ENDING_SIGNALS = new Set<string | null | undefined>(["SIGTERM", "SIGINT", "SIGHUP"]);
const ENDING_CODES = new Set<number | null | undefined>([129, 130, 143]);

function isToldToEnd(result: WorkResult): boolean {
  const { signal, exitCode } = result.facts;
  const isOurs = result.status === "error" && result.reason !== "failed";
  return !isOurs && (ENDING_SIGNALS.has(signal) || ENDING_CODES.has(exitCode));
}

function stop(attempt: Attempt, reason: string): void {
  attempt.stopReason ??= reason;
  void attempt.work?.stop(reason);
}

function misfit(work: Work, policy: RetryPolicy | { problem: string }): WorkResult {
  const now = new Date().toISOString();
  const problem = "problem" in policy ? policy.problem : "";
  const error: RecordedError = {
    name: "BabysitterError",
    message: `Task "${work.taskId}" cannot be executed: ${problem}.`,
    code: "TASK_INVALID",
  };
  return { status: "error", reason: "failed", error, facts: { startedAt: now, finishedAt: now, durationMs: 0 } };
}

/** Of a failed attempt the journal keeps what a reader needs; its logs have the rest. */
function failedAttempt(
  attempt: number,
  result: WorkResult & { status: "error" },
  nowMs: number,
  afterMs: number,
): EffectAttemptFailed {
  const { name, message, code } = result.error;
  const { startedAt, finishedAt, exitCode, signal } = result.facts;
  return {
    attempt,
    reason: result.reason,
    error: { name, message, ...defined({ code }), data: { exitCode: exitCode ?? null, signal: signal ?? null } },
    nextAttempt: attempt + 1,
    ...(afterMs === 0 ? {} : { notBefore: new Date(nowMs + afterMs).toISOString() }),
    startedAt,
    finishedAt,
  };
}

function metadataOf({ durationMs, exitCode, signal, notes }: WorkFacts): object {
  return defined({ durationMs, exitCode, signal, ...notes });
}

function isTooLate(error: unknown): error is BabysitterError {
  const codes = ["ATTEMPT_STALE", "EFFECT_ALREADY_RESOLVED", "RUN_FINISHED", "EFFECT_NOT_FOUND"];
  return BabysitterError.is(error) && codes.includes(error.code);
}
