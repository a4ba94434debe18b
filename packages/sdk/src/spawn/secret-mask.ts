/** Keeps secret values out of what is written, also when a value arrives in pieces. */

const MASK = Buffer.from("***");
/** Shorter values occur by chance everywhere; masking them would only make the text unreadable. */
export const MIN_SECRET = 4;

export function maskSecrets(text: string, values: readonly string[]): string {
  const mask = new SecretMask(values);
  return Buffer.concat([...mask.push(Buffer.from(text)), ...mask.flush()]).toString("utf8");
}

/** From `start` up to, not including, `end`. */
interface Span {
  start: number;
  end: number;
}

/** Masks a stream of bytes. Pieces it returns may share memory with the piece that was pushed. */
export class SecretMask {
  readonly #values: Buffer[];
  /** The end of the stream so far, as far as it may be the beginning of a value. */
  #held: Buffer = Buffer.alloc(0);
  /** How many bytes of `#held` belong to a value that has been masked already. */
  #covered = 0;

  constructor(values: readonly string[]) {
    const usable = values.filter((value) => value.length >= MIN_SECRET);
    this.#values = [...new Set(usable)].map((value) => Buffer.from(value));
  }

  push(piece: Buffer): Buffer[] {
    if (this.#values.length === 0) return [piece];
    const data = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    return this.#release(data, this.#undecidedFrom(data));
  }

  flush(): Buffer[] {
    return this.#release(this.#held, this.#held.length);
  }

  /** What is before `end`, masked; the rest is held. */
  #release(data: Buffer, end: number): Buffer[] {
    const out: Buffer[] = [];
    let done = 0;
    for (const span of this.#spans(data)) {
      // The one at the beginning may continue a value whose mask is out.
      const continues = span.start === 0 && this.#covered > 0;
      if (span.start >= end && !continues) break;
      out.push(data.subarray(done, span.start));
      if (!continues) out.push(MASK);
      done = span.end;
    }
    if (done < end) out.push(data.subarray(done, end));
    this.#covered = Math.max(done - end, 0);
    this.#held = Buffer.from(data.subarray(end));
    return out.filter((part) => part.length > 0);
  }

  /** Everything secret in order; values that overlap make one span, so that no end of one shows. */
  #spans(data: Buffer): Span[] {
    const found: Span[] = this.#covered > 0 ? [{ start: 0, end: this.#covered }] : [];
    for (const value of this.#values) {
      for (let at = data.indexOf(value); at >= 0; at = data.indexOf(value, at + 1)) {
        found.push({ start: at, end: at + value.length });
      }
    }
    const merged: Span[] = [];
    for (const span of found.toSorted((a, b) => a.start - b.start)) {
      const last = merged.at(-1);
      if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
      else merged.push(span);
    }
    return merged;
  }

  /** Where the longest end of the data begins that is the beginning, not the whole, of a value. */
  #undecidedFrom(data: Buffer): number {
    let from = data.length;
    for (const value of this.#values) {
      const first = value[0] as number;
      let at = data.indexOf(first, Math.max(data.length - value.length + 1, 0));
      while (at >= 0 && at < from && !data.subarray(at).equals(value.subarray(0, data.length - at))) {
        at = data.indexOf(first, at + 1);
      }
      if (at >= 0) from = Math.min(from, at);
    }
    return from;
  }
}
