/** Finds JSON in any text, in time in proportion to the text, whatever the text is. See {@link lastContainer}. */
import type { Json } from "./json.js";

/** Deeper values cannot be checked or written without a risk for the stack. */
const DEEPEST = 200;

/** A value; wrapped, because null and undefined are different answers. */
export interface Parsed {
  value: Json;
}

/** From `start` up to, not including, `end`. */
export interface Span {
  start: number;
  end: number;
}

/** The text as one JSON value. */
export function parseWhole(source: string): Parsed | undefined {
  const text = source.trim();
  // A nesting of millions of levels must not get as far as JSON.parse.
  if (/^[[{]/u.test(text) && new ContainerScan(text, 0).run() !== text.length) return undefined;
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

/**
 * The last complete object or array that is not inside another complete one. `accepts` is also told
 * whether it is complete in itself, or a part of something that was begun before it and never ended.
 *
 * Why it is linear: a scan that began at `i` and failed at `j` has met every bracket between them either
 * as structure or as part of a string. A bracket met as structure is marked: a scan that begins there
 * would end at the same place, so it is never begun. A scan that begins inside a string has inside and
 * outside strings exchanged, up to its end or the other's. So no place is passed more than twice.
 */
export function lastContainer(text: string, accepts: (span: Span, complete: boolean) => boolean): Span | undefined {
  const met = new Uint8Array(text.length);
  let best: Span | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code !== OPEN_BRACE && code !== OPEN_BRACKET) || met[at] === 1) continue;
    const scan = new ContainerScan(text, at, met);
    const end = scan.run();
    const { lastClosed } = scan;
    if (lastClosed !== undefined && lastClosed.end > (best?.end ?? 0) && accepts(lastClosed, end !== undefined))
      best = lastClosed;
    if (end !== undefined) at = end - 1;
  }
  return best;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const SMALL_U = 0x75;
/** Every character that may follow a backslash, apart from `u`. */
const ESCAPES = new Set(['"', "\\", "/", "b", "f", "n", "r", "t"].map((character) => character.charCodeAt(0)));
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const HEX = /[0-9a-fA-F]{4}/y;

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/** Follows the grammar of JSON from an opening bracket on, without making anything of it. */
class ContainerScan {
  /** The outermost of the containers that have ended last. */
  lastClosed: Span | undefined;
  readonly #text: string;
  readonly #met: Uint8Array | undefined;
  readonly #opens: number[] = [];
  #at: number;
  #expected: Expected = "value";

  constructor(text: string, start: number, met?: Uint8Array) {
    this.#text = text;
    this.#at = start;
    this.#met = met;
  }

  /** The end of the container that begins at the start; undefined if it is not JSON. */
  run(): number | undefined {
    do {
      this.#at = endOf(SPACE, this.#text, this.#at) ?? this.#at;
      if (!this.#step()) return undefined;
    } while (this.#opens.length > 0);
    return this.#at;
  }

  #step(): boolean {
    switch (this.#text.charAt(this.#at)) {
      case "{":
        return this.#open("key or end");
      case "[":
        return this.#open("value or end");
      case "}":
        return this.#close(OPEN_BRACE, "key or end");
      case "]":
        return this.#close(OPEN_BRACKET, "value or end");
      case ",":
        return this.#pass("comma or end", this.#innermost() === OPEN_BRACE ? "key" : "value");
      case ":":
        return this.#pass("colon", "value");
      case '"':
        return this.#scalar(endOfString(this.#text, this.#at), this.#expected.startsWith("key"));
      default:
        return this.#scalar(endOf(SCALAR, this.#text, this.#at), false);
    }
  }

  #open(next: Expected): boolean {
    if (!this.#expected.startsWith("value") || this.#opens.length >= DEEPEST) return false;
    if (this.#met !== undefined) this.#met[this.#at] = 1;
    this.#opens.push(this.#at);
    return this.#pass(this.#expected, next);
  }

  #close(opened: number, whenEmpty: Expected): boolean {
    if (this.#innermost() !== opened) return false;
    if (this.#expected !== "comma or end" && this.#expected !== whenEmpty) return false;
    const start = this.#opens.pop() as number;
    this.lastClosed = { start, end: this.#at + 1 };
    return this.#pass(this.#expected, "comma or end");
  }

  #pass(only: Expected, next: Expected): boolean {
    if (this.#expected !== only) return false;
    this.#at += 1;
    this.#expected = next;
    return true;
  }

  #scalar(end: number | undefined, isKey: boolean): boolean {
    if (end === undefined || !(isKey || this.#expected.startsWith("value"))) return false;
    this.#at = end;
    this.#expected = isKey ? "colon" : "comma or end";
    return true;
  }

  #innermost(): number | undefined {
    const open = this.#opens.at(-1);
    return open === undefined ? undefined : this.#text.charCodeAt(open);
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 0x20) return undefined;
    if (code !== BACKSLASH) continue;
    at += 1;
    const escape = text.charCodeAt(at);
    if (escape === SMALL_U && endOf(HEX, text, at + 1) !== undefined) at += 4;
    else if (!ESCAPES.has(escape)) return undefined;
  }
  return undefined;
}
