/** Watches the journals of runs that are not over; of very many, those that were written to last. */

interface Watched {
  stop: () => void;
  changedAt: number;
}

/** The others are noticed by the next look at all runs. */
const MAX_WATCHED = 256;

export class WatchedJournals {
  readonly #watched = new Map<string, Watched>();

  /** `watch` answers how to stop. */
  add(key: string, changedAt: number, watch: () => () => void): void {
    const known = this.#watched.get(key);
    if (known !== undefined) {
      known.changedAt = changedAt;
      return;
    }
    if (this.#watched.size >= MAX_WATCHED && !this.#makeRoom(changedAt)) return;
    this.#watched.set(key, { stop: watch(), changedAt });
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
      if (oldest === undefined || watched.changedAt < oldest.changedAt) oldest = { key, changedAt: watched.changedAt };
    if (oldest === undefined || oldest.changedAt >= changedAt) return false;
    this.remove(oldest.key);
    return true;
  }
}
