/**
 * Keeps secret values out of what is written, also when a value arrives in pieces. The text is read in several ways
 * at once: as it is, with URL escapes undone, with those of JSON and JavaScript undone, and with the line ends removed
 * that some encoders put into long values.
 *
 * Each byte is looked at once per way: the time does not depend on what the text or the secrets look like.
 */
import { SecretWords } from "./secret-words.js";

const MASK = Buffer.from("***");

export function maskSecrets(text: string, values: readonly string[]): string {
  if (values.length === 0) return text;
  const mask = new SecretMask(values);
  const out = [...mask.push(Buffer.from(text)), ...mask.flush()];
  return mask.found ? Buffer.concat(out).toString("utf8") : text;
}

/** From `start` up to, not including, `end`. */
interface Span {
  start: number;
  end: number;
}

/** Masks a stream of bytes. Pieces it returns may share memory with the piece that was pushed. */
export class SecretMask {
  readonly #readers: Reader[];
  /** The end of the stream so far, as far as it may be the beginning of a value. */
  #held: Buffer = Buffer.alloc(0);
  /** Where in the stream it begins. */
  #heldAt = 0;
  /** What is secret in it; the mask of a span that begins earlier is out. */
  #spans: Span[] = [];
  /** Something has been masked. */
  found = false;

  constructor(values: readonly string[]) {
    const words = SecretWords.of(values);
    this.#readers = words.longest === 0 ? [] : WAYS.map((way) => new Reader(words, way()));
  }

  push(piece: Buffer): Buffer[] {
    if (this.#readers.length === 0) return [piece];
    return this.#release(this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]), false);
  }

  /** The end of a text that is whole. */
  flush(): Buffer[] {
    return this.#release(this.#held, true);
  }

  /** The end of what somebody printed who may have been stopped in the middle of a value. */
  cutOff(): Buffer[] {
    return this.#release(this.#held, true, true);
  }

  /** What is decided, masked; the rest is held. */
  #release(data: Buffer, isLast: boolean, isCut = false): Buffer[] {
    const from = this.#heldAt;
    const spans = this.#readOn(data, isLast, isCut);
    const undecided = this.#readers.map((reader) => reader.undecidedFrom());
    const end = isLast ? from + data.length : Math.min(from + data.length, ...undecided);
    const out: Buffer[] = [];
    let done = from;
    for (const span of spans) {
      if (span.start >= end) break;
      out.push(data.subarray(done - from, Math.max(span.start - from, 0)));
      if (span.start >= from) out.push(MASK);
      done = Math.min(span.end, end);
    }
    out.push(data.subarray(done - from, end - from));
    this.found ||= spans.length > 0;
    this.#spans = spans.filter((span) => span.end > end);
    this.#held = Buffer.from(data.subarray(end - from));
    this.#heldAt = end;
    return out.filter((part) => part.length > 0);
  }

  /** Everything secret in order; values that overlap make one span, so that no end of one shows. */
  #readOn(data: Buffer, isLast: boolean, isCut: boolean): Span[] {
    const found = [this.#spans, ...this.#readers.map((reader) => reader.read(data, this.#heldAt, isLast))].flat();
    if (isCut) found.push(...this.#readers.flatMap((reader) => reader.unfinished()));
    const merged: Span[] = [];
    for (const span of found.toSorted((a, b) => a.start - b.start)) {
      const last = merged.at(-1);
      if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
      else merged.push({ ...span });
    }
    return merged;
  }
}

/** How the bytes of a text become those that are compared. */
interface Way {
  /** Bytes at which something else than the byte itself may be meant. */
  special: string;
  /** What is meant at such a byte; `position` is its place in the stream. */
  decode: (data: Buffer, at: number, isLast: boolean, position: number) => Meant;
}

/** A byte (or NOTHING) in the low nine bits, and above them the number of bytes that say it. */
type Meant = number;

const NOTHING = 256;
/** It depends on what comes next. */
const UNDECIDED: Meant = 0;
const [LINE_FEED, RETURN, PERCENT, BACKSLASH] = [0x0a, 0x0d, 0x25, 0x5c];
const [SMALL_R, SMALL_U] = [0x72, 0x75];
/** By letter, n t b f v. */
const ESCAPED = new Map([
  [0x6e, 0x0a],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x76, 0x0b],
]);
const DIGITS = new Map(
  Array.from(Buffer.from("0123456789abcdef0123456789ABCDEF"), (digit, index) => [digit, index % 16]),
);
/** A text may end by chance with fewer bytes of a value. */
const TELLING = 8;
/** Nobody wraps lines earlier. */
const MIN_WRAPPED = 40;

const WAYS: readonly (() => Way)[] = [
  () => ({ special: "\r", decode: withoutReturn }),
  () => ({ special: "\r%", decode: urlEscape }),
  () => ({ special: "\r\\", decode: jsonEscape }),
  unwrapping,
];

function meant(byte: number, length: number): Meant {
  return (length << 9) | byte;
}

/** Before a line feed a carriage return means nothing. */
function withoutReturn(data: Buffer, at: number, isLast: boolean): Meant {
  if (at + 1 === data.length && !isLast) return UNDECIDED;
  return meant(data[at + 1] === LINE_FEED ? NOTHING : RETURN, 1);
}

function urlEscape(data: Buffer, at: number, isLast: boolean): Meant {
  if (data[at] === RETURN) return withoutReturn(data, at, isLast);
  if (at + 2 >= data.length && !isLast) return UNDECIDED;
  const byte = hexAt(data, at + 1, 2);
  return byte === undefined ? meant(PERCENT, 1) : meant(byte, 3);
}

/** What JSON, JavaScript and shells have in common. Escapes beyond ASCII are among the words. */
function jsonEscape(data: Buffer, at: number, isLast: boolean): Meant {
  if (data[at] === RETURN) return withoutReturn(data, at, isLast);
  const kind = data[at + 1];
  if (kind === undefined) return isLast ? meant(BACKSLASH, 1) : UNDECIDED;
  if (kind === SMALL_R) return meant(NOTHING, 2);
  if (kind !== SMALL_U) return meant(ESCAPED.get(kind) ?? kind, 2);
  if (at + 5 >= data.length && !isLast) return UNDECIDED;
  const unit = hexAt(data, at + 2, 4);
  return unit !== undefined && unit < 0x80 ? meant(unit, 6) : meant(BACKSLASH, 1);
}

/** The end of a long line may be there only because someone has wrapped it. */
function unwrapping(): Way {
  let lineFrom = 0;
  return {
    special: "\r\n",
    decode: (data, at, isLast, position) => {
      if (data[at] === RETURN) return withoutReturn(data, at, isLast);
      const isWrapped = position - lineFrom >= MIN_WRAPPED;
      lineFrom = position + 1;
      return meant(isWrapped ? NOTHING : LINE_FEED, 1);
    },
  };
}

function hexAt(data: Buffer, at: number, length: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + length; index += 1) {
    const digit = DIGITS.get(data[index] ?? 0);
    if (digit === undefined) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

/** What kinds of bytes there are for a way to read, by byte. */
interface Tables {
  isSpecial: Uint8Array;
  /** Neither special nor the beginning of a word. */
  isPlain: Uint8Array;
}

const knownTables = new WeakMap<SecretWords, Map<string, Tables>>();

/** Made once for each list of secrets. */
function tablesOf(words: SecretWords, special: string): Tables {
  const ofWords = knownTables.get(words) ?? new Map<string, Tables>();
  knownTables.set(words, ofWords);
  const tables = ofWords.get(special) ?? makeTables(words, special);
  ofWords.set(special, tables);
  return tables;
}

function makeTables(words: SecretWords, special: string): Tables {
  const isSpecial = new Uint8Array(256);
  for (const byte of Buffer.from(special)) isSpecial[byte] = 1;
  return { isSpecial, isPlain: isSpecial.map((is, byte) => (is === 0 && words.first[byte] === 0 ? 1 : 0)) };
}

/** Reads the stream in one way. All places are counted from the beginning of the stream. */
class Reader {
  readonly #words: SecretWords;
  readonly #decode: Way["decode"];
  readonly #tables: Tables;
  /** Where the last bytes that were compared begin: as many as the longest word has, or more. */
  #starts: Float64Array | undefined;
  readonly #last: number;
  #compared = 0;
  #node = 0;
  #next = 0;

  constructor(words: SecretWords, { special, decode }: Way) {
    this.#words = words;
    this.#decode = decode;
    this.#tables = tablesOf(words, special);
    this.#last = 2 ** Math.ceil(Math.log2(words.longest + 1)) - 1;
  }

  /** What is found in `data`, which begins at `dataAt`, behind what has been read before. */
  read(data: Buffer, dataAt: number, isLast: boolean): Span[] {
    const words = this.#words;
    const { isPlain, isSpecial } = this.#tables;
    const spans: Span[] = [];
    let node = this.#node;
    let at = this.#next - dataAt;
    for (; at < data.length; at += 1) {
      let byte = data[at] as number;
      // Most of a text is read here.
      if (node === 0 && isPlain[byte] === 1) continue;
      const start = at;
      if (isSpecial[byte] === 1) {
        const code = this.#decode(data, at, isLast, dataAt + at);
        if (code === UNDECIDED) break;
        byte = code & 0x1ff;
        at += (code >> 9) - 1;
        if (byte === NOTHING) continue;
      }
      node = words.step(node, byte);
      if (node === 0) continue;
      this.#compared += 1;
      this.#starts ??= new Float64Array(this.#last + 1);
      this.#starts[this.#compared & this.#last] = dataAt + start;
      const found = words.found[node] as number;
      if (found > 0) addSpan(spans, { start: this.#startOf(found), end: dataAt + at + 1 });
    }
    this.#node = node;
    this.#next = dataAt + at;
    return spans;
  }

  /** Where the longest end of what was read begins that may be the beginning of a word. */
  undecidedFrom(): number {
    return this.#node === 0 ? this.#next : this.#startOf(this.#words.depth[this.#node] as number);
  }

  /** What has been read of a word at the end of the text, if it gives away too much. */
  unfinished(): Span[] {
    const depth = this.#words.depth[this.#node] as number;
    return depth < TELLING ? [] : [{ start: this.#startOf(depth), end: this.#next }];
  }

  /** Where the last `count` compared bytes begin. */
  #startOf(count: number): number {
    return this.#starts?.[(this.#compared - count + 1) & this.#last] as number;
  }
}

/** Each span ends behind those before it. */
function addSpan(spans: Span[], span: Span): void {
  for (let last = spans.at(-1); last !== undefined && span.start < last.end; last = spans.at(-1)) {
    span.start = Math.min(span.start, last.start);
    spans.pop();
  }
  spans.push(span);
}
