/**
 * Survivors where there is no /proc: the group as a whole, and nothing that has left it.
 * A group whose leader is gone cannot be proved to be ours by a stranger, and is left alone.
 */
import type { ProcessGroupRef } from "../model/events.js";
import { readByPs } from "./process-group-ref.js";
import { sendSignal } from "./send-signal.js";
import type { Sighting, Survivors } from "./survivors.js";

export class GroupSurvivors implements Survivors {
  readonly #ref: ProcessGroupRef;
  #trusted: boolean;

  constructor(ref: ProcessGroupRef, trusted: boolean) {
    this.#ref = ref;
    // Once proved, the group stays ours until it has been seen empty: its number is taken so long.
    this.#trusted = trusted || (ref.startTime !== "" && readByPs(ref.pid)?.startTime === ref.startTime);
  }

  look(): Sighting {
    const { pid } = this.#ref;
    if (this.#trusted && !sendSignal(-pid, 0)) this.#trusted = false;
    return { members: new Map(this.#trusted ? [[`group ${pid}`, -pid]] : []), escapees: new Map(), certain: true };
  }

  signalGroup(signal: NodeJS.Signals): void {
    sendSignal(-this.#ref.pid, signal);
  }
}
