/** In which lane of the board a run stands. */
import type { Lane } from "../wire/run-wire.js";

/** What decides it. Times are in milliseconds. */
export interface LaneFacts {
  /** As commands call it. */
  state: string;
  /** A question of it is open. */
  asks: boolean;
  /** Its loop stands still until somebody resumes it. */
  paused: boolean;
  /** It can do nothing before this time, such as the end of a sleep; null when it need not wait for one. */
  until: number | null;
  /** When a session of an agent that could be at it last wrote something. */
  agentAt: number | null;
  /** A program is alive that drives it, or executes its tasks. */
  driven: boolean;
}

/** How long an agent may think without writing anything. */
export const AGENT_SILENCE_MS = 10 * 60_000;

const OVER: ReadonlySet<string> = new Set(["completed", "cancelled", "failed"]);

export function laneOf({ state, asks, paused, until, agentAt, driven }: LaneFacts, now: number): Lane {
  if (OVER.has(state)) return "done";
  if (asks || paused || state === "blocked") return "you";
  if (until !== null && until > now) return "waiting";
  const hasAgent = agentAt !== null && now - agentAt <= AGENT_SILENCE_MS;
  return driven || hasAgent ? "working" : "stalled";
}

/** True when the lane may change with whoever drives the run. */
export function dependsOnDriver(facts: LaneFacts, now: number): boolean {
  return laneOf({ ...facts, driven: true }, now) !== laneOf({ ...facts, driven: false }, now);
}
