/**
 * What the shipped `on-iteration-start` hook does: lets the pending tasks be executed by a program that goes on
 * when its caller is killed, waits a while for results, and says what has become of them.
 */
import type { JsonObject } from "../model/json.js";
import { isFinished, type PendingEffect, statusOf } from "../model/run-state.js";
import { waitingReason } from "../runs/iteration.js";
import type { RunJournal } from "../runs/run-journal.js";
import { WakeUp } from "./wake-up.js";

export interface NativeOrchestratorOptions {
  journal: RunJournal;
  /** Starts the program that executes them; it looks for itself whether somebody does so already. */
  startRunner: () => void;
  /** True while somebody is at work on the run. */
  isAtWork: () => Promise<boolean>;
  watch: (onChange: () => void) => () => void;
  /** How long to wait for results. */
  waitMs: number;
}

/** Kinds of tasks that are executed without anybody being asked. */
const AUTO_KINDS: ReadonlySet<string> = new Set(["node", "shell"]);

/** Results often come together; so long the first one is kept for others that come with it. */
const GATHER_MS = 100;
/** How long a program may need to begin. */
const START_MS = 10_000;

export async function orchestrateNatively(options: NativeOrchestratorOptions): Promise<JsonObject> {
  const { journal } = options;
  await journal.catchUp();
  if (isFinished(journal.summary))
    return { action: "none", reason: "terminal-state", status: statusOf(journal.summary) };
  if (runnable(journal).length === 0) return standing(journal, 0);
  const before = resolvedIn(journal);
  options.startRunner();
  await awaitResults(options, before);
  const count = resolvedIn(journal) - before;
  const answer = standing(journal, count);
  // Whoever executes them may not have said so yet.
  const isAllOurs = Object.values(journal.summary.pending).every(({ kind }) => AUTO_KINDS.has(kind));
  return answer["action"] === "waiting" && isAllOurs ? { ...answer, reason: "tasks-running" } : answer;
}

async function awaitResults(
  { journal, watch, waitMs, isAtWork }: NativeOrchestratorOptions,
  before: number,
): Promise<void> {
  const wake = new WakeUp();
  const stopWatching = watch(() => wake.call());
  const began = performance.now();
  let firstAt: number | undefined;
  try {
    for (;;) {
      await journal.catchUp();
      const now = performance.now();
      const open = runnable(journal);
      if (open.length === 0 || isFinished(journal.summary) || now - began >= waitMs) return;
      if (resolvedIn(journal) > before) firstAt ??= now;
      if (firstAt !== undefined && now - firstAt >= GATHER_MS) return;
      // Whoever should execute them has ended without doing so.
      if (now - began > START_MS && !open.some(({ started }) => started !== undefined) && !(await isAtWork())) return;
      await wake.wait(firstAt === undefined ? Math.min(waitMs - (now - began), START_MS) : GATHER_MS - (now - firstAt));
    }
  } finally {
    stopWatching();
  }
}

function runnable({ summary }: RunJournal): PendingEffect[] {
  return Object.values(summary.pending).filter(({ kind }) => AUTO_KINDS.has(kind));
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
