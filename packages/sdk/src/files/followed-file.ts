import { readRegularFrom } from "./read-regular-file.js";

/** At most this much is read at once. */
const PIECE = 1024 * 1024;

/** A file that someone else is writing to, read piece by piece. A file that is not there, or cannot be read, has nothing new. */
export class FollowedFile {
  readonly #file: string;
  #at: number;
  #id: string | undefined;

  /** `from`: where to begin; what is before that is not read. */
  constructor(file: string, from = 0) {
    this.#file = file;
    this.#at = from;
  }

  /** What has come since the last time; empty when there is nothing new. */
  next(): Buffer {
    try {
      const found = readRegularFrom(this.#file, this.#at, PIECE);
      if (found.kind !== "file") return Buffer.alloc(0);
      const isOther = this.#id !== undefined && this.#id !== found.id;
      this.#id = found.id;
      // Another file has taken its place, or its middle was dropped.
      if (isOther || found.size < this.#at) {
        this.#at = isOther ? 0 : found.size;
        return isOther ? this.next() : Buffer.alloc(0);
      }
      this.#at += found.bytes.length;
      return found.bytes;
    } catch {
      return Buffer.alloc(0);
    }
  }
}

/** The lines of such a file. */
export class FollowedLines {
  readonly #file: FollowedFile;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = new FollowedFile(file);
  }

  /** The lines that are complete by now; at the end also the last one, whether it is complete or not. */
  next({ isEnd = false } = {}): string[] {
    const lines: string[] = [];
    for (let piece = this.#file.next(); piece.length > 0; piece = this.#file.next()) {
      const text = Buffer.concat([this.#rest, piece]);
      const end = text.lastIndexOf(0x0a) + 1;
      // A line longer than a piece is cut: nobody reads it.
      const whole = end === 0 && text.length > PIECE ? text.length : end;
      const complete = whole === 0 ? [] : text.subarray(0, whole).toString("utf8").replace(/\n$/, "").split("\n");
      for (const line of complete) lines.push(line);
      this.#rest = text.subarray(whole);
    }
    if (isEnd && this.#rest.length > 0) {
      lines.push(this.#rest.toString("utf8"));
      this.#rest = Buffer.alloc(0);
    }
    return lines;
  }
}
