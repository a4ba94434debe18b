/**
 * Executes the pending tasks of a run and ends when there are none. Unlike the driver it never runs the
 * process: whoever iterates the run collects the results.
 */
import type { Executor } from "../effects/executor.js";
import { BabysitterError } from "../model/errors.js";
import type { Leases } from "../model/ports.js";
import { isFinished, type PendingEffect } from "../model/run-state.js";
import { waitEnds } from "../model/time-spans.js";
import type { IterationHooks } from "../runs/iterate-with-hooks.js";
import type { PostRequest } from "../runs/post-result.js";
import type { RunJournal } from "../runs/run-journal.js";
import { type HeldLease, holdLease, leaseLost } from "./lease.js";
import { MomentQueue } from "./moment-queue.js";
import { planNext } from "./plan.js";
import type { Progress } from "./progress.js";
import { postAndTell } from "./results.js";
import { RunningAttempts } from "./running-attempts.js";
import { takeOver } from "./takeover.js";
import { WakeUp } from "./wake-up.js";

export interface TaskRunnerOptions {
  journal: RunJournal;
  leases: Leases;
  /** In the environment of everything that this program starts. */
  session: string;
  executors: readonly Executor[];
  projectRoot: string;
  processDir: string;
  concurrency: number;
  report: (progress: Progress) => void;
  /** Reports changes that others make to the journal; returns how to stop. */
  watch: (onChange: () => void) => () => void;
  /** Calls lifecycle hooks. */
  hooks: IterationHooks;
  /** Stops everything cleanly. */
  signal: AbortSignal;
}

/** True when this one did the work, false when another one did. */
export async function runPendingTasks(options: TaskRunnerOptions): Promise<boolean> {
  const { journal, leases, session } = options;
  const wake = new WakeUp();
  let problem: unknown;
  const onSettled = (error: unknown): void => {
    problem ??= error;
    wake.call();
  };
  const isBeingEnded = async (): Promise<boolean> => options.signal.aborted || problem !== undefined;
  const moments = new MomentQueue({ journal, hooks: options.hooks, onSettled });
  journal.observe((event) => {
    if (event.type === "EFFECT_STARTED") moments.tell(event);
  });
  const post = (request: PostRequest): Promise<void> => postAndTell(journal, request, (event) => moments.tell(event));
  const room = new RunningAttempts({ ...options, onSettled, isBeingEnded, post });
  let lease: HeldLease;
  try {
    const onLost = (): void => onSettled(leaseLost(journal.runId));
    lease = await holdLease(leases, journal.runId, { session, runDir: journal.runDir, role: "tasks", onLost });
  } catch (error) {
    if (BabysitterError.is(error) && error.code === "RUN_BUSY") return false;
    throw error;
  }
  journal.fence = lease.epoch;
  const stopWatching = options.watch(() => wake.call());
  options.signal.addEventListener("abort", () => wake.call());
  try {
    await journal.catchUp();
    await moments.catchUp();
    const { results } = await takeOver(journal, lease.previous);
    for (const event of results) moments.tell(event);
    for (;;) {
      await journal.catchUp();
      if (problem !== undefined) throw problem;
      if (isFinished(journal.summary) || options.signal.aborted) return true;
      room.dropSettled();
      const situation = planInput(journal, room);
      const { start } = planNext(situation);
      for (const effect of start) room.begin(effect);
      const wakeAt = nextAttemptAt(Object.values(journal.summary.pending), room, situation.nowMs);
      if (room.running.size === 0 && wakeAt === undefined && !moments.busy) return true;
      await wake.wait(wakeAt === undefined ? undefined : wakeAt - journal.ports.clock.now().getTime());
    }
  } finally {
    stopWatching();
    await room.stopAll("the task runner was stopped");
    await moments.idle();
    await lease.release();
    journal.fence = undefined;
  }
}

function planInput(journal: RunJournal, room: RunningAttempts): Parameters<typeof planNext>[0] {
  return {
    summary: journal.summary,
    nowMs: journal.ports.clock.now().getTime(),
    running: room.running,
    concurrency: room.limit,
    kinds: room.kinds,
    seenResolution: 0,
    seenProcessHead: 0,
  };
}

/** When the earliest of the tasks waiting for a retry may start. Tasks that only wait for a free slot have no time. */
function nextAttemptAt(pending: readonly PendingEffect[], room: RunningAttempts, nowMs: number): number | undefined {
  const times = pending
    .filter(({ effectId, kind }) => room.kinds.has(kind) && !room.running.has(effectId))
    .map((effect) => waitEnds(effect, nowMs) ?? nowMs)
    .filter((time) => time > nowMs);
  return times.length === 0 ? undefined : Math.min(...times);
}
