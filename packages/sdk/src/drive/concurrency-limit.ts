/** How many attempts may run at once: as many as the settings say, fewer while the machine has no room for them. */
import { BabysitterError } from "../model/errors.js";

/** After so long without trouble one more is tried. */
const RECOVERY_MS = 60_000;

export class ConcurrencyLimit {
  readonly #configured: number;
  readonly #nowMs: () => number;
  #lowered: { to: number; atMs: number } | undefined;
  #told = Number.POSITIVE_INFINITY;

  constructor(configured: number, nowMs: () => number = () => performance.now()) {
    this.#configured = configured;
    this.#nowMs = nowMs;
  }

  get value(): number {
    if (this.#lowered === undefined) return this.#configured;
    const { to, atMs } = this.#lowered;
    return Math.min(this.#configured, to + Math.floor((this.#nowMs() - atMs) / RECOVERY_MS));
  }

  /** There was no room for one more beside those that run. Answers what people should know, once per level. */
  lower(running: number, why: string): string | undefined {
    const to = Math.max(1, running);
    this.#lowered = { to, atMs: this.#nowMs() };
    if (to >= this.#told) return undefined;
    this.#told = to;
    const atOnce = to === 1 ? "One task runs at a time" : `At most ${to} tasks run at once`;
    return `${atOnce} from now on, not ${this.#configured}: ${why}`;
  }
}

/** Not even one has room. */
export function noRoom(why: string): BabysitterError {
  return new BabysitterError(
    "SYSTEM_REFUSED",
    `No task can be started, and no task is running that could free resources: ${why}`,
    {
      hint: "No attempt was spent. Raise the limits (`ulimit -n`, `ulimit -u`) or end other programs, then run the command again.",
    },
  );
}
