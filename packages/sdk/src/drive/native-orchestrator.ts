/**
 * What the shipped `on-iteration-start` hook does: has the pending tasks executed by a program that goes on
 * when its caller is killed, waits until they have ended, and says what has become of them.
 */

import type { JsonObject } from "../model/json.js";
import type { LeaseHolder } from "../model/ports.js";
import { isFinished, type PendingEffect, pendingOf, statusOf } from "../model/run-state.js";
import { performerOf } from "../model/task-kinds.js";
import { waitingReason } from "../runs/iteration.js";
import type { RunJournal } from "../runs/run-journal.js";
import { WakeUp } from "./wake-up.js";

export interface NativeOrchestratorOptions {
  journal: RunJournal;
  /** Starts the program that executes them; it checks itself whether another one already does. */
  startRunner: () => void;
  /** The program that is working on the run, while one does. */
  worker: () => Promise<LeaseHolder | undefined>;
  /** True when there are hooks that it calls about tasks. */
  hasTaskHooks: () => boolean;
  watch: (onChange: () => void) => () => void;
  /** What that program has said last; for people, when it ends without doing anything. */
  lastWords: () => string | undefined;
  /** How long to wait at most; without it the tasks' own limits count. */
  waitMs: number | undefined;
  /** Stops waiting; the tasks continue. */
  signal: AbortSignal | undefined;
}

/** How long a program may take to start. */
const START_MS = 10_000;
/** How often to check that it is alive: a killed program tells nobody. */
const LOOK_MS = 1_000;
/** How often to check whether it has called its last hook: it ends without leaving anything in the journal. */
const ENDING_MS = 20;

export async function orchestrateNatively(options: NativeOrchestratorOptions): Promise<JsonObject> {
  const { journal } = options;
  await journal.catchUp();
  if (isFinished(journal.summary))
    return { action: "none", reason: "terminal-state", status: statusOf(journal.summary) };
  const tasks = runnable(journal);
  if (tasks.length === 0) return standing(journal, 0);
  const before = resolvedIn(journal);
  options.startRunner();
  const isAbandoned = await awaitEnd(options, tasks);
  const count = resolvedIn(journal) - before;
  const answer = standing(journal, count);
  if (isAbandoned && count === 0) return { ...answer, ok: false, error: nobodyWorks(options.lastWords()) };
  // Whoever executes them may not have said so yet.
  const isAllOurs = Object.values(journal.summary.pending).every(({ kind }) => performerOf(kind) === "engine");
  return answer["action"] === "waiting" && isAllOurs ? { ...answer, reason: "tasks-running" } : answer;
}

/** True when whoever should execute them has not begun, or has ended too early twice. */
async function awaitEnd(options: NativeOrchestratorOptions, tasks: readonly PendingEffect[]): Promise<boolean> {
  const { journal, watch, waitMs = Number.POSITIVE_INFINITY, signal } = options;
  const wake = new WakeUp();
  const stopWatching = watch(() => wake.call());
  signal?.addEventListener("abort", () => wake.call(), { once: true });
  const began = performance.now();
  const worker = new WatchedWorker(options, tasks, began);
  try {
    for (;;) {
      await journal.catchUp();
      const now = performance.now();
      const left = waitMs - (now - began);
      if (left <= 0 || signal?.aborted || isFinished(journal.summary)) return false;
      const areOpen = tasks.some(({ effectId }) => pendingOf(journal.summary, effectId) !== undefined);
      if (!areOpen && !(await isCallingHooks(options))) return false;
      if (areOpen && (await worker.isGivenUp(now))) return true;
      await wake.wait(Math.min(left, areOpen ? LOOK_MS : ENDING_MS));
    }
  } finally {
    stopWatching();
  }
}

/**
 * Hooks are called by the program that has recorded the results, which ends after them; a driver continues, and so
 * does a program that has got more tasks from someone else.
 */
async function isCallingHooks({ journal, hasTaskHooks, worker }: NativeOrchestratorOptions): Promise<boolean> {
  return hasTaskHooks() && runnable(journal).length === 0 && (await worker())?.role === "tasks";
}

/** Whoever executes the tasks; begun a second time when it has ended too early. */
class WatchedWorker {
  readonly #options: NativeOrchestratorOptions;
  readonly #tasks: readonly PendingEffect[];
  #begunAt: number;
  #wasSeen = false;
  #startsLeft = 1;
  #trace: string;

  constructor(options: NativeOrchestratorOptions, tasks: readonly PendingEffect[], now: number) {
    this.#options = options;
    this.#tasks = tasks;
    this.#begunAt = now;
    this.#trace = this.#traceOfWork();
  }

  async isGivenUp(now: number): Promise<boolean> {
    if ((await this.#options.worker()) !== undefined) {
      this.#wasSeen = true;
      return false;
    }
    // One that was killed between two looks has left its trace in the journal.
    this.#wasSeen ||= this.#traceOfWork() !== this.#trace;
    if (!this.#wasSeen) return now - this.#begunAt > START_MS;
    if (this.#startsLeft === 0) return true;
    this.#startsLeft -= 1;
    this.#wasSeen = false;
    this.#begunAt = now;
    this.#trace = this.#traceOfWork();
    this.#options.startRunner();
    return false;
  }

  /** Differs as soon as someone has begun or ended one of the tasks. */
  #traceOfWork(): string {
    const { summary } = this.#options.journal;
    return this.#tasks.map(({ effectId }) => pendingOf(summary, effectId)?.started?.at ?? "").join();
  }
}

function nobodyWorks(lastWords: string | undefined): string {
  return `the program that executes tasks ended without executing them: ${lastWords ?? "it printed nothing"}`;
}

function runnable({ summary }: RunJournal): PendingEffect[] {
  return Object.values(summary.pending).filter(({ kind }) => performerOf(kind) === "engine");
}

function resolvedIn({ summary }: RunJournal): number {
  return summary.counts.ok + summary.counts.error;
}

function standing({ summary }: RunJournal, count: number): JsonObject {
  if (count > 0) return { action: "executed-tasks", count, reason: "auto-runnable-tasks" };
  const pending = Object.values(summary.pending);
  if (pending.length === 0) return { action: "none", count: 0, reason: statusOf(summary) };
  return { action: "waiting", count: pending.length, reason: waitingReason(pending) };
}
