/** Where the time of a run went. Every moment counts once, for the first of these that applies, so the parts add up. */
import type { Performer } from "../model/task-kinds.js";

/** How much of a run's time went where. */
export interface TimeSplit {
  /** Something was executed, or an agent was at work. */
  workingMs: number;
  /** Nothing was, and a question was open. */
  waitingOnPersonMs: number;
  /** Nothing was, and the process slept, or a task waited for its next attempt. */
  waitingOnTimeMs: number;
  idleMs: number;
}

interface SplitSpan {
  who: Performer;
  from: number;
  to?: number;
  attempts: readonly { from: number; to?: number }[];
}

interface Window {
  from: number;
  to: number;
}

type Use = keyof TimeSplit;

/** A span of time, and what it counts for. */
export interface TimeUse extends Window {
  use: Use;
}

const ORDER: readonly Use[] = ["workingMs", "waitingOnPersonMs", "waitingOnTimeMs"];

export function timeSplit(spans: readonly SplitSpan[], window: Window): TimeSplit {
  const split: TimeSplit = { workingMs: 0, waitingOnPersonMs: 0, waitingOnTimeMs: 0, idleMs: 0 };
  for (const { from, to, use } of timeUses(spans, window)) split[use] += to - from;
  return split;
}

/** What every moment counts for, one after the other and without holes. Neighbours may count for the same. */
export function timeUses(spans: readonly SplitSpan[], window: Window): TimeUse[] {
  const changes: Edge[] = [];
  // Into one list: a long run has hundreds of thousands of them.
  for (const span of spans) addEdges(changes, span, window);
  changes.sort((a, b) => a.at - b.at);
  const open: Record<Use, number> = { workingMs: 0, waitingOnPersonMs: 0, waitingOnTimeMs: 0, idleMs: 0 };
  const uses: TimeUse[] = [];
  let last = window.from;
  const add = (to: number): void => {
    if (to > last) uses.push({ from: last, to, use: inUse(open) });
    last = to;
  };
  for (const { at, use, change } of changes) {
    add(at);
    open[use] += change;
  }
  add(window.to);
  return uses;
}

function inUse(open: Readonly<Record<Use, number>>): Use {
  return ORDER.find((use) => open[use] > 0) ?? "idleMs";
}

interface Edge {
  at: number;
  use: Use;
  change: 1 | -1;
}

function addEdges(edges: Edge[], { who, from, to, attempts }: SplitSpan, window: Window): void {
  const add = (use: Use, begin: number, end: number | undefined): void => {
    const [first, last] = [Math.max(begin, window.from), Math.min(end ?? window.to, window.to)];
    if (first < last) edges.push({ at: first, use, change: 1 }, { at: last, use, change: -1 });
  };
  const [first] = attempts;
  if (who === "person") add("waitingOnPersonMs", from, to);
  else if (who === "time") add("waitingOnTimeMs", from, to);
  else if (first !== undefined) {
    for (const attempt of attempts) add("workingMs", attempt.from, attempt.to);
    // Between two attempts the next one waits for its time.
    add("waitingOnTimeMs", first.from, to);
  } else if (who !== "engine") {
    // Nobody records when an agent, or someone outside, begins with a task.
    add("workingMs", from, to);
  }
}
