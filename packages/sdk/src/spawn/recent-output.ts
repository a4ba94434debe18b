/** The last few kilobytes of what a child has printed, on both streams, for progress and messages. */
const KEPT_BYTES = 8 * 1024;

export class RecentOutput {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #listeners = new Set<(lastLine: string) => void>();

  add(pieces: readonly Buffer[]): void {
    if (pieces.length === 0) return;
    const ends = pieces.map((piece) => piece.subarray(-KEPT_BYTES));
    this.#bytes = Buffer.concat([this.#bytes, ...ends]).subarray(-KEPT_BYTES);
    if (this.#listeners.size === 0) return;
    const line = lastLineOf(this.text());
    if (line !== undefined) for (const listener of this.#listeners) listener(line);
  }

  text(): string {
    // The first character may have lost its first bytes.
    return this.#bytes.toString("utf8").replace(/^�{1,3}/u, "");
  }

  subscribe(listener: (lastLine: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Progress bars go back to the start of their line instead of to the next one. */
function lastLineOf(text: string): string | undefined {
  return text
    .split(/[\r\n]+/u)
    .findLast((line) => line.trim() !== "")
    ?.trim();
}
