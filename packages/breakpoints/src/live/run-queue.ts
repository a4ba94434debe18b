/** Reads runs one after the other, those that somebody waits for first, and lets other work in between. */
import { setImmediate as nextTurn } from "node:timers/promises";

interface Waiting {
  work: () => Promise<void>;
  done: (() => void)[];
}

export class RunQueue {
  readonly #urgent = new Map<string, Waiting>();
  readonly #others = new Map<string, Waiting>();
  readonly #onError: (error: unknown) => void;
  #idle: Promise<void> = Promise.resolve();
  #isWorking = false;
  #isClosed = false;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Settles once the run was read after this call; what waits already is not queued again. */
  add(key: string, work: () => Promise<void>, { urgent = false } = {}): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const waiting = this.#urgent.get(key) ?? this.#others.get(key) ?? { work, done: [] };
    if (urgent) this.#others.delete(key);
    if (urgent || !this.#urgent.has(key)) (urgent ? this.#urgent : this.#others).set(key, waiting);
    const done = new Promise<void>((resolve) => void waiting.done.push(resolve));
    if (!this.#isWorking) this.#idle = this.#work();
    return done;
  }

  /** Settles when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#isWorking) await this.#idle;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { done } of [...this.#urgent.values(), ...this.#others.values()]) for (const tell of done) tell();
    this.#urgent.clear();
    this.#others.clear();
    await this.drained();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    await nextTurn();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      try {
        await next.work();
      } catch (error) {
        this.#onError(error);
      }
      for (const tell of next.done) tell();
      await nextTurn();
    }
    this.#isWorking = false;
  }

  #next(): Waiting | undefined {
    for (const waiting of [this.#urgent, this.#others]) {
      for (const [key, next] of waiting) {
        waiting.delete(key);
        return next;
      }
    }
    return undefined;
  }
}
