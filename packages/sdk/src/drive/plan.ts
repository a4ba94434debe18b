/** What a driver does next, from where the run stands. */
import type { PendingEffect, RunSummary } from "../model/run-state.js";
import { isSetBack, waitEnds } from "../model/time-spans.js";

export interface PlanInput {
  summary: RunSummary;
  nowMs: number;
  /** Effects that are being executed. */
  running: ReadonlySet<string>;
  concurrency: number;
  /** Kinds of tasks that this program can execute. */
  kinds: ReadonlySet<string>;
  /** The last result that the process has been given. */
  seenResolution: number;
  seenProcessHead: number;
}

export interface Plan {
  /** There is something that the process has not seen yet. */
  news: boolean;
  /** A sleep is over, a hook has to run, or the clock was set back: the process's host sees to all of them. */
  due: boolean;
  /** Attempts to start now, in the order in which they were requested. */
  start: PendingEffect[];
  /** When something falls due by itself. */
  wakeAtMs: number | undefined;
  /** Questions to a human. */
  questions: PendingEffect[];
}

export function planNext(input: PlanInput): Plan {
  const { summary, nowMs, running, concurrency, kinds } = input;
  const pending = Object.values(summary.pending);
  const plan: Plan = { news: false, due: isSetBack(summary, nowMs), start: [], wakeAtMs: undefined, questions: [] };
  const wakeAt = (time: number): void => void (plan.wakeAtMs = Math.min(plan.wakeAtMs ?? time, time));
  let free = concurrency - running.size;
  for (const effect of pending) {
    if (running.has(effect.effectId)) continue;
    const { kind } = effect;
    const end = waitEnds(effect, nowMs) ?? nowMs;
    if (kind === "hook") plan.due = true;
    else if (kind === "breakpoint") plan.questions.push(effect);
    else if (kind !== "sleep" && !kinds.has(kind)) continue;
    else if (end > nowMs) wakeAt(end);
    else if (kind === "sleep") plan.due = true;
    else if (free > 0) {
      free -= 1;
      plan.start.push(effect);
    }
  }
  plan.news = summary.lastResolution > input.seenResolution || summary.processHead > input.seenProcessHead;
  return plan;
}
