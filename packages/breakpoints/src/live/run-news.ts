/** Tells of cards that have changed, several at once: a run that is written to all the time is told a few times a second. */
import type { LiveEvents } from "../wire/inbox-wire.js";
import type { RunRow } from "../wire/run-wire.js";

const PAUSE_MS = 250;

export class RunNews {
  readonly #tell: (event: LiveEvents["runs"]) => void;
  /** Null for one that is gone. */
  readonly #waiting = new Map<string, RunRow | null>();
  #last = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (event: LiveEvents["runs"]) => void) {
    this.#tell = tell;
  }

  add({ changed, gone }: LiveEvents["runs"]): void {
    for (const id of gone) this.#waiting.set(id, null);
    for (const row of changed) this.#waiting.set(row.id, row);
    if (this.#waiting.size === 0 || this.#timer !== undefined) return;
    const wait = this.#last + PAUSE_MS - performance.now();
    if (wait <= 0) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), wait);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #flush(): void {
    this.#timer = undefined;
    this.#last = performance.now();
    const all = [...this.#waiting];
    this.#waiting.clear();
    this.#tell({
      changed: all.flatMap(([, row]) => row ?? []),
      gone: all.flatMap(([id, row]) => (row === null ? [id] : [])),
    });
  }
}
