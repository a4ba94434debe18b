/** What a driver does next, from where the run stands. */
import type { PendingEffect, RunSummary } from "../model/run-state.js";

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
  /** A sleep is over, or a hook has to run: the process's host does both. */
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
  const plan: Plan = { news: false, due: false, start: [], wakeAtMs: undefined, questions: [] };
  const wakeAt = (time: number): void => void (plan.wakeAtMs = Math.min(plan.wakeAtMs ?? time, time));
  let free = concurrency - running.size;
  for (const effect of pending) {
    if (running.has(effect.effectId)) continue;
    if (effect.kind === "hook") plan.due = true;
    else if (effect.kind === "sleep") {
      const until = Date.parse(effect.until ?? "");
      if (until <= nowMs) plan.due = true;
      else wakeAt(until);
    } else if (effect.kind === "breakpoint") plan.questions.push(effect);
    else if (!kinds.has(effect.kind)) continue;
    else if (effect.notBefore !== undefined && Date.parse(effect.notBefore) > nowMs)
      wakeAt(Date.parse(effect.notBefore));
    else if (free > 0) {
      free -= 1;
      plan.start.push(effect);
    }
  }
  plan.news = summary.lastResolution > input.seenResolution || summary.processHead > input.seenProcessHead;
  return plan;
}
