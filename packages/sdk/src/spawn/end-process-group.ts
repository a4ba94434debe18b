/**
 * Ends everything of a spawn: SIGTERM, a grace period, SIGKILL, until nothing is left.
 *
 * On Linux this reaches descendants that have left the group by setsid or a double fork, as long as
 * they have kept the marker in their environment. Elsewhere it reaches the group only.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessGroupRef } from "../model/events.js";
import { readProcEntry } from "./proc-table.js";
import { sendSignal } from "./send-signal.js";
import { type Sighting, type Survivors, survivorsOf } from "./survivors.js";

export interface EndReport {
  /** Processes that were running and are not any more. */
  ended: number;
  /** How many of all that were seen had left the group. */
  escapees: number;
  /** Processes that would not go, or that are not ours to signal. */
  survivors: number;
}

/** How long SIGKILL may take: the kernel cannot end a process in the middle of some disk waits. */
const KILL_PATIENCE_MS = 5000;
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 64;
/** An unclear look is repeated, but a machine on which processes always come and go must not hold us. */
const UNCLEAR_LOOKS = 8;

/**
 * For whoever finds the reference after a crash. Ends nothing unless it is proved to be the same group:
 * pids are reused.
 */
export async function endProcessGroup(ref: ProcessGroupRef, graceMs: number): Promise<EndReport> {
  return endSurvivors(survivorsOf(ref, false), graceMs);
}

/** Signals at once, before the first turn of the event loop. `hurry` cuts the grace period short. */
export async function endSurvivors(survivors: Survivors, graceMs: number, hurry?: AbortSignal): Promise<EndReport> {
  const killAt = performance.now() + graceMs;
  const seen = new Set<string>();
  const escaped = new Set<string>();
  let giveUpAt = killAt + KILL_PATIENCE_MS;
  let unclear = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const sighting = survivors.look();
    const running = sighting.members.size + sighting.escapees.size;
    unclear = running === 0 && !sighting.certain ? unclear + 1 : 0;
    const over = running === 0 ? unclear === 0 || unclear >= UNCLEAR_LOOKS : performance.now() > giveUpAt;
    if (over) return { ended: seen.size - running, escapees: escaped.size, survivors: running };
    if (hurry?.aborted) giveUpAt = Math.min(giveUpAt, performance.now() + KILL_PATIENCE_MS);
    if (hurry?.aborted || performance.now() >= killAt) kill(survivors, sighting);
    else terminate(survivors, sighting, seen);
    for (const key of [...sighting.members.keys(), ...sighting.escapees.keys()]) seen.add(key);
    for (const key of sighting.escapees.keys()) escaped.add(key);
    await wait(Math.min(pause, Math.max(killAt - performance.now(), FIRST_PAUSE_MS)), hurry);
  }
}

/**
 * Once per process: a second SIGTERM makes some programs skip their clean-up. What a process starts after it
 * was told is its clean-up, and is left to it until the grace period is over.
 */
function terminate(survivors: Survivors, sighting: Sighting, told: Set<string>): void {
  const { members, escapees } = sighting;
  if (members.size > 0 && told.size === 0) {
    survivors.signalGroup("SIGTERM", members);
    signalEach(escapees, "SIGTERM", told);
    return;
  }
  const cleaners = new Set([...members, ...escapees].filter(([key]) => told.has(key)).map(([, pid]) => pid));
  const others = [...members, ...escapees].filter(([, pid]) => !cleaners.has(readProcEntry(pid)?.parent ?? 0));
  signalEach(new Map(others), "SIGTERM", told);
}

function kill(survivors: Survivors, { members, escapees }: Sighting): void {
  if (members.size > 0) survivors.signalGroup("SIGKILL", members);
  signalEach(escapees, "SIGKILL", new Set());
}

function signalEach(targets: Map<string, number>, signal: NodeJS.Signals, told: Set<string>): void {
  for (const [key, pid] of targets) if (!told.has(key)) sendSignal(pid, signal);
}

async function wait(ms: number, hurry: AbortSignal | undefined): Promise<void> {
  if (hurry?.aborted || hurry === undefined) return delay(ms);
  return delay(ms, undefined, { signal: hurry }).catch(() => undefined);
}
