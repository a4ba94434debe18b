/**
 * What the shipped `on-iteration-start` hook does: has the pending tasks executed by a program that goes on
 * when its caller is killed, waits a while for results, and says what has become of them.
 */

import type { JsonObject } from "../model/json.js";
import { isFinished, type PendingEffect, statusOf } from "../model/run-state.js";
import { performerOf } from "../model/task-kinds.js";
import { waitingReason } from "../runs/iteration.js";
import type { RunJournal } from "../runs/run-journal.js";
import { WakeUp } from "./wake-up.js";

export interface NativeOrchestratorOptions {
  journal: RunJournal;
  /** Starts the program that executes them; it checks itself whether another one already does. */
  startRunner: () => void;
  /** True while another program is working on the run. */
  isAtWork: () => Promise<boolean>;
  watch: (onChange: () => void) => () => void;
  /** What that program has said last; for people, when it ends without doing anything. */
  lastWords: () => string | undefined;
  /** How long to wait for results. */
  waitMs: number;
  /** Stops waiting; the tasks continue. */
  signal: AbortSignal | undefined;
}

/** Results often arrive together; how long to hold the first one for others to join. */
const GATHER_MS = 100;
/** How long a program may take to start. */
const START_MS = 10_000;
/** How often to check that it is alive: a killed program tells nobody. */
const LOOK_MS = 1_000;

export async function orchestrateNatively(options: NativeOrchestratorOptions): Promise<JsonObject> {
  const { journal } = options;
  await journal.catchUp();
  if (isFinished(journal.summary))
    return { action: "none", reason: "terminal-state", status: statusOf(journal.summary) };
  if (runnable(journal).length === 0) return standing(journal, 0);
  const before = resolvedIn(journal);
  options.startRunner();
  const isAbandoned = await awaitResults(options, before);
  const count = resolvedIn(journal) - before;
  const answer = standing(journal, count);
  if (isAbandoned && count === 0) return { ...answer, ok: false, error: nobodyWorks(options.lastWords()) };
  // Whoever executes them may not have said so yet.
  const isAllOurs = Object.values(journal.summary.pending).every(({ kind }) => performerOf(kind) === "engine");
  return answer["action"] === "waiting" && isAllOurs ? { ...answer, reason: "tasks-running" } : answer;
}

/** True when whoever should execute them has not begun, or has ended too early twice. */
async function awaitResults(options: NativeOrchestratorOptions, before: number): Promise<boolean> {
  const { journal, watch, waitMs, signal } = options;
  const wake = new WakeUp();
  const stopWatching = watch(() => wake.call());
  signal?.addEventListener("abort", () => wake.call(), { once: true });
  const began = performance.now();
  const worker = new WatchedWorker(options, began);
  let firstAt: number | undefined;
  try {
    for (;;) {
      await journal.catchUp();
      const now = performance.now();
      if (runnable(journal).length === 0 || isFinished(journal.summary) || now - began >= waitMs) return false;
      if (signal?.aborted) return false;
      if (resolvedIn(journal) > before) firstAt ??= now;
      if (firstAt !== undefined && now - firstAt >= GATHER_MS) return false;
      if (await worker.isGivenUp(now)) return true;
      await wake.wait(firstAt === undefined ? Math.min(waitMs - (now - began), LOOK_MS) : GATHER_MS - (now - firstAt));
    }
  } finally {
    stopWatching();
  }
}

/** Whoever executes the tasks; begun a second time when it has ended too early. */
class WatchedWorker {
  readonly #options: NativeOrchestratorOptions;
  #begunAt: number;
  #wasSeen = false;
  #startsLeft = 1;

  constructor(options: NativeOrchestratorOptions, now: number) {
    this.#options = options;
    this.#begunAt = now;
  }

  async isGivenUp(now: number): Promise<boolean> {
    if (await this.#options.isAtWork()) {
      this.#wasSeen = true;
      return false;
    }
    if (!this.#wasSeen) return now - this.#begunAt > START_MS;
    if (this.#startsLeft === 0) return true;
    this.#startsLeft -= 1;
    this.#wasSeen = false;
    this.#begunAt = now;
    this.#options.startRunner();
    return false;
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
