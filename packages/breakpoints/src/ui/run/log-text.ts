/** A log as lines: its end first, what comes is added behind, and what was before in front. */
import { firstCharacter, makeDecoder } from "./byte-text.js";

const NEWLINE = 10;

export class LogText {
  /** Grows at its end; another array when something came in front. */
  lines: string[] = [];
  /** Which bytes of the log are here. */
  from: number;
  to: number;
  /** The first line is there from its beginning. */
  #startsLine: boolean;
  /** The last line may go on. */
  #isOpen = false;
  readonly #decoder = makeDecoder();

  /** `bytes` stand at `from`. Of a line that began before, nothing is kept where another one follows. */
  constructor(bytes: Uint8Array, from: number) {
    const skipped = from === 0 ? 0 : startIn(bytes);
    this.from = from + skipped;
    this.to = this.from;
    this.#startsLine = from === 0 || bytes[skipped - 1] === NEWLINE;
    this.append(bytes.subarray(skipped));
  }

  append(bytes: Uint8Array): void {
    this.to += bytes.length;
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return;
    const pieces = text.split("\n");
    if (this.#isOpen) pieces[0] = `${this.lines.pop() ?? ""}${pieces[0] ?? ""}`;
    this.#isOpen = pieces.at(-1) !== "";
    if (!this.#isOpen) pieces.pop();
    // One by one: as arguments of one call they may be too many.
    for (const piece of pieces) this.lines.push(piece);
  }

  /** `bytes` stand at `from`, and end where the first line here begins. Answers how many lines they are. */
  prepend(bytes: Uint8Array, from: number): number {
    const skipped = from === 0 ? 0 : startIn(bytes);
    const pieces = makeDecoder().decode(bytes.subarray(skipped)).split("\n");
    const last = pieces.pop() ?? "";
    const rest = this.#startsLine ? this.lines : [`${last}${this.lines[0] ?? ""}`, ...this.lines.slice(1)];
    const added = pieces.length;
    this.lines = pieces.concat(rest);
    this.from = from + skipped;
    this.#startsLine = from === 0 || bytes[skipped - 1] === NEWLINE;
    return added;
  }
}

/** Where the first whole line begins; in a line without an end, the first whole character. */
function startIn(bytes: Uint8Array): number {
  const end = bytes.indexOf(NEWLINE) + 1;
  return end > 0 && end < bytes.length ? end : firstCharacter(bytes);
}
