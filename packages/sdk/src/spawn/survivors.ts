import type { ProcessGroupRef } from "../model/events.js";
import { HAS_PROC } from "./process-group-ref.js";
import { GroupSurvivors } from "./survivors-by-group.js";
import { ProcSurvivors } from "./survivors-by-proc.js";

/** One look at what is still running of a spawn. */
export interface Sighting {
  /** Names the processes across looks; a pid alone could be another process by then. */
  members: Map<string, number>;
  /** The same for those that have left the group. */
  escapees: Map<string, number>;
  /** False when processes came and went during the look, so that one may have been missed. */
  certain: boolean;
}

/** Whatever runs of one spawn. */
export interface Survivors {
  look(): Sighting;
  /** Signals the whole group at once, so that no member can fork out of the way. */
  signalGroup(signal: NodeJS.Signals, members: Sighting["members"]): void;
}

/**
 * `trusted`: the caller itself has started the group just now, so nobody else can have got its number.
 * A stranger who finds a reference must prove that the group is still the same.
 */
export function survivorsOf(ref: ProcessGroupRef, trusted: boolean): Survivors {
  return HAS_PROC ? new ProcSurvivors(ref, trusted) : new GroupSurvivors(ref, trusted);
}

/** Looks once more when processes came and went meanwhile; a busy machine must not hold us. */
const LOOKS = 3;

/** True while anything of the spawn is running that can be proved to belong to it. */
export function isAlive(ref: ProcessGroupRef): boolean {
  const survivors = survivorsOf(ref, false);
  for (let look = 0; look < LOOKS; look += 1) {
    const { members, escapees, certain } = survivors.look();
    if (members.size + escapees.size > 0) return true;
    if (certain) return false;
  }
  return false;
}
