/**
 * Takes what a child prints on one stream into its log.
 *
 * How the log is known to be complete at the child's exit, without waiting for the stream to close
 * (which a daemon that has inherited it may never do): a write of the child has put its bytes into our
 * receive queue before it returns, so everything is in the queue when the child is dead. The read end does
 * not block; {@link drain} reads it until the kernel says EAGAIN, that is until the queue is empty. What
 * comes later was written by someone else.
 */
import { readSync } from "node:fs";
import type { Readable } from "node:stream";
import type { CappedLog } from "./capped-log.js";
import type { RecentOutput } from "./recent-output.js";
import type { SecretMask } from "./secret-mask.js";
import type { StreamSummary } from "./spawn-request.js";

/** More than any queue holds; someone who never ceases to print must not hold us. */
const DRAIN_LIMIT = 8 * 1024 * 1024;
const drainBuffer = Buffer.allocUnsafe(64 * 1024);

export interface StreamSinks {
  log: CappedLog;
  mask: SecretMask;
  recent: RecentOutput;
}

export class CapturedStream {
  readonly #source: Readable;
  readonly #sinks: StreamSinks;
  #bytes = 0;

  constructor(source: Readable, sinks: StreamSinks) {
    this.#source = source;
    this.#sinks = sinks;
    source.on("data", (piece: Buffer) => this.#take(piece));
    source.on("error", () => undefined);
  }

  /** Reads all that is there now. The stream itself holds nothing back: it flows. */
  drain(): void {
    const fd = descriptorOf(this.#source);
    if (fd === undefined) return;
    for (let total = 0, count = 1; count > 0 && total < DRAIN_LIMIT; total += count) {
      count = readAvailable(fd);
      this.#take(drainBuffer.subarray(0, count));
    }
  }

  /** Takes the last of it, lets go of the stream and closes the log. */
  finish(): StreamSummary {
    this.drain();
    this.#source.destroy();
    this.#pass(this.#sinks.mask.cutOff());
    return { bytes: this.#bytes, ...this.#sinks.log.close() };
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pass(this.#sinks.mask.push(piece));
  }

  #pass(pieces: readonly Buffer[]): void {
    for (const piece of pieces) this.#sinks.log.write(piece);
    this.#sinks.recent.add(pieces);
  }
}

/** Bytes put into the drain buffer; 0 when the queue is empty or the stream has ended. */
function readAvailable(fd: number): number {
  try {
    return readSync(fd, drainBuffer, 0, drainBuffer.length, null);
  } catch {
    return 0;
  }
}

/** Node does not publish the descriptor of a pipe; it has had this place in all versions. */
function descriptorOf(source: Readable): number | undefined {
  const { _handle: handle } = source as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined;
}
