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
  /** When it was last written to, by whomever. */
  writtenAt: number;
  /** A session of an agent is at it, unless it has fallen silent. */
  agent: boolean;
  /** A program is alive that drives it, or executes its tasks. */
  driven: boolean;
}

/** How long an agent may think without writing anything. */
export const AGENT_SILENCE_MS = 10 * 60_000;
/** A run is written to before somebody is seen at it, and in between by commands that come and go. */
export const SILENCE_MS = 3_000;
/** Clocks of other machines differ; what is further ahead says nothing. */
const CLOCK_TOLERANCE_MS = 60_000;

const OVER: ReadonlySet<string> = new Set(["completed", "cancelled", "failed"]);

export function laneOf({ state, asks, paused, until, writtenAt, agent, driven }: LaneFacts, now: number): Lane {
  if (OVER.has(state)) return "done";
  if (asks || paused || state === "blocked") return "you";
  if (until !== null && until > now) return "waiting";
  const silence = now - writtenAt;
  const isWritten = silence >= -CLOCK_TOLERANCE_MS && silence <= (agent ? AGENT_SILENCE_MS : SILENCE_MS);
  return driven || isWritten ? "working" : "stalled";
}

/** True when the lane may change with whoever drives the run. */
export function dependsOnDriver(facts: LaneFacts, now: number): boolean {
  return laneOf({ ...facts, driven: true }, now) !== laneOf({ ...facts, driven: false }, now);
}
