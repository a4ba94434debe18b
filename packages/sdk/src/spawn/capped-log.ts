/**
 * A log file that keeps its beginning and its end.
 *
 * It is written in order as the output comes, so that it can be read at any time and after a crash. When
 * the part behind the head has grown to more than twice of what may stay, its older bytes are dropped: a
 * byte is moved once on average, and the file never gets larger than about one and a half of the limit.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { makeFolders } from "../files/make-folders.js";
import type { SpawnProblem } from "./spawn-request.js";

/** Logs hold whatever a task prints: nobody else's business. */
const FILE_MODE = 0o600;
const DIR_MODE = 0o700;
/** Small limits would otherwise rewrite the file with every few bytes. */
const MIN_EXCESS = 64 * 1024;

export class CappedLog {
  readonly #fd: number;
  readonly #headLimit: number;
  readonly #tailLimit: number;
  /** Bytes in the file. */
  #size = 0;
  /** Where the tail begins, once there is a gap. */
  #tailStart: number;
  #leftOut = 0;
  #writeError: SpawnProblem | undefined;

  constructor(path: string, limitBytes: number) {
    this.#headLimit = Math.floor(limitBytes / 2);
    this.#tailLimit = limitBytes - this.#headLimit;
    this.#tailStart = this.#headLimit;
    makeFolders(dirname(path), DIR_MODE, 2);
    this.#fd = openEmpty(path);
    try {
      // Only what is a file: someone may have named /dev/null, which belongs to everyone.
      if (fstatSync(this.#fd).isFile()) fchmodSync(this.#fd, FILE_MODE);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  /** Never throws: a full disk must not disturb the child, nor the one who waits for it. */
  write(piece: Uint8Array): void {
    this.#unlessBroken(() => {
      this.#writeAt(this.#size, piece);
      this.#size += piece.length;
      if (this.#excess() > Math.max(this.#tailLimit, MIN_EXCESS)) this.#dropMiddle();
    });
  }

  close(): { truncated: boolean; writeError?: SpawnProblem } {
    this.#unlessBroken(() => {
      if (this.#excess() > 0) this.#dropMiddle();
    });
    // Also what could not be written earlier may be told only now.
    this.#record(() => closeSync(this.#fd));
    return {
      truncated: this.#leftOut > 0,
      ...(this.#writeError === undefined ? {} : { writeError: this.#writeError }),
    };
  }

  /** How much more there is behind the head than may stay. */
  #excess(): number {
    return this.#size - this.#tailStart - this.#tailLimit;
  }

  #dropMiddle(): void {
    this.#leftOut += this.#excess();
    const tail = this.#readAt(this.#size - this.#tailLimit, this.#tailLimit);
    const gap = Buffer.from(`\n[babysitter: ${this.#leftOut} bytes omitted]\n`);
    this.#writeAt(this.#headLimit, gap);
    this.#tailStart = this.#headLimit + gap.length;
    this.#writeAt(this.#tailStart, tail);
    this.#size = this.#tailStart + tail.length;
    ftruncateSync(this.#fd, this.#size);
  }

  #unlessBroken(work: () => void): void {
    if (this.#writeError === undefined) this.#record(work);
  }

  /** The first error stays. */
  #record(work: () => void): void {
    try {
      work();
    } catch (error) {
      const { code = "UNKNOWN", message } = error as NodeJS.ErrnoException;
      this.#writeError ??= { code, message };
    }
  }

  #readAt(position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#fd, buffer, done, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  }

  #writeAt(position: number, data: Uint8Array): void {
    let done = 0;
    while (done < data.length) done += writeSync(this.#fd, data, done, data.length - done, position + done);
  }
}

const { O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A link that someone has put in its place is replaced: what it leads to is not ours to overwrite. */
function openEmpty(path: string): number {
  const open = (): number => openSync(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, FILE_MODE);
  try {
    return open();
  } catch (error) {
    // Linux says ELOOP, BSD EMLINK.
    if (!["ELOOP", "EMLINK"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    unlinkSync(path);
    return open();
  }
}
