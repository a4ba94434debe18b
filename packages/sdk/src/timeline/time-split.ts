/** Where the time of a run went. Every moment counts once, for the first of these that applies, so the parts add up. */
import type { Performer } from "../model/task-kinds.js";

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
  const changes = spans.flatMap((span) => edgesOf(span, window)).toSorted((a, b) => a.at - b.at);
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

function edgesOf({ who, from, to, attempts }: SplitSpan, window: Window): Edge[] {
  if (who === "person") return edges("waitingOnPersonMs", { from, to }, window);
  if (who === "time") return edges("waitingOnTimeMs", { from, to }, window);
  const [first] = attempts;
  // Nobody records when an agent, or someone outside, begins with a task.
  if (first === undefined && who !== "engine") return edges("workingMs", { from, to }, window);
  return [
    ...attempts.flatMap((attempt) => edges("workingMs", attempt, window)),
    // Between two attempts the next one waits for its time.
    ...(first === undefined ? [] : edges("waitingOnTimeMs", { from: first.from, to }, window)),
  ];
}

function edges(use: Use, { from, to }: { from: number; to?: number | undefined }, window: Window): Edge[] {
  const [begin, end] = [Math.max(from, window.from), Math.min(to ?? window.to, window.to)];
  return begin < end
    ? [
        { at: begin, use, change: 1 },
        { at: end, use, change: -1 },
      ]
    : [];
}
