import type { RunId } from "../model/ids.js";
import type { LeaseAnswer, LeaseHolder, LeaseRecord, Leases, Ports } from "../model/ports.js";

/** Leases in memory, for tests of processes. */
export function memoryLeases(): Ports["leases"] {
  return { driver: new MemoryLeases(), agent: new MemoryLeases() };
}

class MemoryLeases implements Leases {
  readonly #records = new Map<RunId, LeaseRecord>();

  async take(runId: RunId, holder: LeaseHolder, isGone: (other: LeaseRecord) => boolean): Promise<LeaseAnswer> {
    const previous = this.#records.get(runId);
    if (previous !== undefined && !previous.released && !isGone(previous)) return { taken: false, by: previous };
    const epoch = (previous?.epoch ?? 0) + 1;
    this.#records.set(runId, { ...holder, epoch, released: false, at: "" });
    return { taken: true, epoch, previous };
  }

  async renew(runId: RunId, epoch: number): Promise<boolean> {
    const record = this.#records.get(runId);
    return record?.epoch === epoch && !record.released;
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    const record = this.#records.get(runId);
    if (record?.epoch === epoch) record.released = true;
  }

  async holder(runId: RunId): Promise<LeaseRecord | undefined> {
    return this.#records.get(runId);
  }
}
