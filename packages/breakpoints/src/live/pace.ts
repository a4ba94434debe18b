/** Holds back what comes too often: a run that writes all the time is read a few times a second. */
export class Pace {
  readonly #pauseMs: number;
  readonly #last = new Map<string, number>();
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** At once, or as soon as the pause since the last time is over; then once. */
  call(key: string, work: () => void): void {
    if (this.#waiting.has(key)) return;
    const now = performance.now();
    const wait = (this.#last.get(key) ?? Number.NEGATIVE_INFINITY) + this.#pauseMs - now;
    if (wait <= 0) {
      this.#last.set(key, now);
      work();
      return;
    }
    this.#waiting.set(
      key,
      setTimeout(() => {
        this.#waiting.delete(key);
        this.#last.set(key, performance.now());
        work();
      }, wait),
    );
  }

  forget(key: string): void {
    clearTimeout(this.#waiting.get(key));
    this.#waiting.delete(key);
    this.#last.delete(key);
  }

  close(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }
}
