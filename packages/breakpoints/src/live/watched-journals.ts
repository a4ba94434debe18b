/** Watches the journals of runs that are not over; of very many, those that were written to last. */
import type { RunStamp } from "./run-stamps.js";

interface Watched {
  stop: () => void;
  /** As it was when it was read. */
  stamp: RunStamp;
}

/** The others are noticed by the next look at all runs. */
const MAX_WATCHED = 256;

export class WatchedJournals {
  readonly #watched = new Map<string, Watched>();

  /** `watch` answers how to stop. True when it was not watched before. */
  add(key: string, stamp: RunStamp, watch: () => () => void): boolean {
    const known = this.#watched.get(key);
    // Another directory in the same place is not the one that is watched.
    if (known?.stamp.directory === stamp.directory) {
      known.stamp = stamp;
      return false;
    }
    this.remove(key);
    if (this.#watched.size >= MAX_WATCHED && !this.#makeRoom(stamp.changedAt)) return false;
    this.#watched.set(key, { stop: watch(), stamp });
    return true;
  }

  stampOf(key: string): string | undefined {
    return this.#watched.get(key)?.stamp.stamp;
  }

  remove(key: string): void {
    this.#watched.get(key)?.stop();
    this.#watched.delete(key);
  }

  close(): void {
    for (const { stop } of this.#watched.values()) stop();
    this.#watched.clear();
  }

  #makeRoom(changedAt: number): boolean {
    let oldest: { key: string; changedAt: number } | undefined;
    for (const [key, watched] of this.#watched)
      if (oldest === undefined || watched.stamp.changedAt < oldest.changedAt)
        oldest = { key, changedAt: watched.stamp.changedAt };
    if (oldest === undefined || oldest.changedAt >= changedAt) return false;
    this.remove(oldest.key);
    return true;
  }
}
