/** Reads a log: from its end, on while it grows, and back to its beginning. */
import type { FilePart } from "../model/run-source.js";
import { LogText } from "./log-text.js";

/** Enough to see how it ended, little enough to be there at once. */
export const FIRST_BYTES = 256 * 1024;
const EARLIER_BYTES = 1024 * 1024;

type ReadFrom = (from: number) => Promise<FilePart>;

export class LogReader {
  text: LogText | undefined;
  size = 0;
  isBusy = false;
  problem: unknown;
  /** How many lines came in front, and how often: whoever shows them keeps the place. */
  front = { lines: 0, times: 0 };
  readonly #readFrom: ReadFrom;
  readonly #changed: () => void;
  #isOver = false;

  constructor(readFrom: ReadFrom, changed: () => void) {
    this.#readFrom = readFrom;
    this.#changed = changed;
  }

  /** Nobody looks any more. */
  stop(): void {
    this.#isOver = true;
  }

  /** What is new at the end, or the end itself. */
  readOn(): Promise<void> {
    return this.#alone(async () => {
      let isMore = this.text === undefined ? await this.#begin() : true;
      while (isMore && !this.#isOver) isMore = await this.#more();
    });
  }

  readEarlier(): Promise<void> {
    return this.#alone(() => this.#earlier());
  }

  /** Back to the beginning. */
  readAll(): Promise<void> {
    return this.#alone(async () => {
      while ((this.text?.from ?? 0) > 0 && !this.#isOver) {
        await this.#earlier();
      }
    });
  }

  /** These answer whether there is still more. */
  async #begin(): Promise<boolean> {
    const { bytes, next, size } = await this.#readFrom(-FIRST_BYTES);
    this.text = new LogText(bytes, (next ?? size) - bytes.length);
    this.size = size;
    return next !== null;
  }

  async #more(): Promise<boolean> {
    const text = this.text as LogText;
    const { bytes, next, size } = await this.#readFrom(text.to);
    if (size < text.to) {
      // Another log has taken its place.
      return this.#begin();
    }
    text.append(bytes);
    this.size = size;
    return bytes.length > 0 && next !== null;
  }

  async #earlier(): Promise<void> {
    const { text } = this;
    if (text === undefined || text.from === 0) return;
    const from = Math.max(0, text.from - EARLIER_BYTES);
    const lines = text.prepend(await this.#between(from, text.from), from);
    this.front = { lines, times: this.front.times + 1 };
  }

  async #between(from: number, to: number): Promise<Uint8Array> {
    const whole = new Uint8Array(to - from);
    for (let at = 0; at < whole.length; ) {
      const { bytes } = await this.#readFrom(from + at);
      if (bytes.length === 0) throw new Error("Earlier output could not be read.");
      whole.set(bytes.subarray(0, whole.length - at), at);
      at += bytes.length;
    }
    return whole;
  }

  /** One at a time; who comes meanwhile is not needed. */
  async #alone(work: () => Promise<void>): Promise<void> {
    if (this.isBusy || this.#isOver) return;
    this.isBusy = true;
    this.#changed();
    try {
      await work();
      this.problem = undefined;
    } catch (error) {
      this.problem = error;
    }
    this.isBusy = false;
    if (!this.#isOver) this.#changed();
  }
}
