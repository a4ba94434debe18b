/** Lets one loop wait for whatever comes first. */

/** Timers wrap around above this; and a laptop that slept must look at the clock again. */
const MAX_WAIT_MS = 30_000;

export class WakeUp {
  #called = false;
  #wake: (() => void) | undefined;

  /** Wakes the loop; remembered when it is not waiting. */
  call(): void {
    this.#called = true;
    this.#wake?.();
  }

  /** Waits until called, at most this long. */
  async wait(ms: number | undefined): Promise<void> {
    if (!this.#called) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(Math.max(ms ?? MAX_WAIT_MS, 1), MAX_WAIT_MS));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#called = false;
  }
}
