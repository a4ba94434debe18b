/**
 * Survivors on Linux: members of the group, and processes anywhere with the marker in their
 * environment.
 *
 * When is group P ours? The kernel gives the number P to nobody else while the group has a member. So
 * it is ours if its leader has the start time of the reference, or if any member has the marker, and
 * then all its members are ours, also those that have wiped their environment. If the starter of the
 * group asks, it is ours from the start until it has been seen empty once.
 */
import type { ProcessGroupRef } from "../model/events.js";
import { thisMachine } from "./machine-facts.js";
import { PidWindow } from "./pid-window.js";
import { hasArguments, listPids, type ProcEntry, readEnviron, readProcEntry } from "./proc-table.js";
import { startTicksOf } from "./process-group-ref.js";
import { sendSignal } from "./send-signal.js";
import { type MarkerMatch, matchMarker } from "./spawn-marker.js";
import type { Sighting, Survivors } from "./survivors.js";

export class ProcSurvivors implements Survivors {
  readonly #ref: ProcessGroupRef;
  /** Nothing that is older than the leader can descend from it. Undefined: from another boot. */
  readonly #since: number | undefined;
  /** Elsewhere the pid is somebody else's, and only the marker proves anything. */
  readonly #isOurPid: boolean;
  /** Known only if we were there at the start. */
  readonly #window: PidWindow | undefined;
  #trusted: boolean;
  /** Processes without an environment, at this look and at the last one. */
  #blank = new Set<string>();
  #blankBefore = new Set<string>();

  constructor(ref: ProcessGroupRef, trusted: boolean) {
    this.#ref = ref;
    // The start time may be missing when no descriptor was free.
    this.#since = startTicksOf(ref) ?? (trusted ? 0 : undefined);
    this.#isOurPid = ref.namespace === undefined || ref.namespace === thisMachine().namespace;
    this.#trusted = trusted;
    this.#window = trusted ? new PidWindow(ref.pid) : undefined;
  }

  look(): Sighting {
    if (this.#since === undefined) return { members: new Map(), escapees: new Map(), certain: true };
    const pids = listPids();
    if (pids === undefined) return this.#lookAtGroup();
    const { young, certain } = this.#list(this.#window?.select(pids) ?? pids, this.#since);
    const members = young.filter(({ group }) => group === this.#ref.pid);
    const outside = young.filter(({ group }) => group !== this.#ref.pid);
    const ours = this.#isOurs(members);
    // Once proved it stays ours until it is surely empty, also when the one that proved it is gone.
    this.#trusted = ours && (members.length > 0 || !certain);
    return {
      members: pidsByKey(ours ? members : []),
      escapees: pidsByKey(outside.filter(({ marker }) => marker === "ours")),
      certain,
    };
  }

  signalGroup(signal: NodeJS.Signals, members: Sighting["members"]): void {
    // Someone may clean up from inside the group, and is not to end itself.
    const inside = readProcEntry(process.pid)?.group === this.#ref.pid;
    for (const target of inside ? members.values() : [-this.#ref.pid]) sendSignal(target, signal);
  }

  /** All that can be known without a list of processes; enough to end the child. */
  #lookAtGroup(): Sighting {
    const { pid } = this.#ref;
    const there = this.#trusted && sendSignal(-pid, 0);
    return { members: new Map(there ? [[`group ${pid}`, -pid]] : []), escapees: new Map(), certain: false };
  }

  /**
   * The living that are not older than the leader. A process that is listed and gone before it can be
   * looked at may have left a child behind that is not listed: then the list proves nothing.
   */
  #list(pids: number[], since: number): { young: Relative[]; certain: boolean } {
    const young: Relative[] = [];
    let certain = true;
    this.#blankBefore = this.#blank;
    this.#blank = new Set();
    for (const pid of pids) {
      if (pid === process.pid) continue;
      const entry = readProcEntry(pid);
      if (entry === undefined) certain = false;
      if (entry === undefined || entry.kernel || entry.startTicks < since) continue;
      const marker = this.#markerOf(entry);
      if (marker === "unclear") certain = false;
      if (!entry.zombie) young.push({ ...entry, marker });
    }
    return { young, certain };
  }

  #isOurs(members: Relative[]): boolean {
    if (this.#trusted) return true;
    return members.some(({ pid, startTicks, marker }) => {
      // A leader may have wiped its environment, but it does not carry someone else's marker.
      const leads = this.#isOurPid && pid === this.#ref.pid && startTicks === this.#since;
      return marker === "ours" || (leads && marker !== "other");
    });
  }

  #markerOf(entry: ProcEntry): Relative["marker"] {
    const environ = readEnviron(entry.pid);
    // Another user's process cannot be told from ours, nor could we end it.
    if (environ === undefined) return "none";
    return environ === "" ? this.#judgeBlank(entry) : matchMarker(environ, this.#ref.marker);
  }

  /**
   * A process without an environment is in the middle of an exec, about to end, a zombie, or was started
   * like that. The first two pass; zombies (some containers never bury them) and the others stay.
   */
  #judgeBlank(entry: ProcEntry): Relative["marker"] {
    if (!entry.zombie && !hasArguments(entry.pid)) return "unclear";
    this.#blank.add(keyOf(entry));
    return this.#blankBefore.has(keyOf(entry)) ? "none" : "unclear";
  }
}

/** A process that is young enough to descend from the leader. */
interface Relative extends ProcEntry {
  marker: MarkerMatch | "unclear";
}

function pidsByKey(entries: ProcEntry[]): Map<string, number> {
  return new Map(entries.map((entry) => [keyOf(entry), entry.pid]));
}

function keyOf({ pid, startTicks }: ProcEntry): string {
  return `${pid}@${startTicks}`;
}
