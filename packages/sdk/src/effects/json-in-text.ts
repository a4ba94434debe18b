/**
 * Finds the answer in what a command line agent has printed: JSON among prose, logs and colours.
 *
 * All of it takes time in proportion to the text, whatever the text is. See {@link lastContainer}.
 */
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";

export type FoundAnswer =
  /** Values that may be meant, the likeliest first. */
  | { kind: "json"; candidates: [Json, ...Json[]] }
  | { kind: "text"; text: string }
  /** The agent itself says that it has failed. */
  | { kind: "failure"; message: string }
  | { kind: "nothing" };

/** Deeper values cannot be checked or written without a risk for the stack. */
const DEEPEST = 200;

/**
 * With `expectJson`, JSON counts wherever it is. Without, the text may be the answer, so that JSON counts
 * only on lines of its own: `[1]` in the middle of a sentence is a footnote.
 */
export function findAnswer(printed: string, expectJson: boolean): FoundAnswer {
  const text = withoutControlCodes(printed).trim();
  if (text === "") return { kind: "nothing" };
  const whole = parseWhole(text);
  const envelope = envelopeIn(whole) ?? envelopeIn(parseWhole(text.slice(text.lastIndexOf("\n") + 1)));
  if (envelope !== undefined) return openEnvelope(envelope, expectJson);
  return whole === undefined ? findAmongProse(text, expectJson) : { kind: "json", candidates: [whole.value] };
}

function findAmongProse(text: string, expectJson: boolean): FoundAnswer {
  const fenced = lastFencedJson(text);
  const span = lastContainer(text, (found) => expectJson || standsAlone(text, found));
  const bare = span && parseWhole(text.slice(span.start, span.end));
  const envelope = envelopeIn(bare);
  if (envelope !== undefined) return openEnvelope(envelope, expectJson);
  const [first, ...others] = [fenced, bare].filter((found) => found !== undefined).map(({ value }) => value);
  return first === undefined ? { kind: "text", text } : { kind: "json", candidates: [first, ...others] };
}

/** A value; wrapped, because null and undefined are different answers. */
interface Parsed {
  value: Json;
}

/** What Claude Code prints with `--output-format json`, or as the last line of `stream-json`. */
function envelopeIn(parsed: Parsed | undefined): JsonObject | undefined {
  const value = Array.isArray(parsed?.value) ? parsed.value.at(-1) : parsed?.value;
  if (!isJsonObject(value) || value["type"] !== "result") return undefined;
  return typeof value["result"] === "string" || typeof value["is_error"] === "boolean" ? value : undefined;
}

function openEnvelope(envelope: JsonObject, expectJson: boolean): FoundAnswer {
  const { result, is_error: isError, subtype, structured_output: structured } = envelope;
  const text = typeof result === "string" ? result.trim() : "";
  const failed = isError === true || (typeof subtype === "string" && subtype.startsWith("error"));
  const reason = typeof subtype === "string" ? subtype : "no reason was given";
  if (failed) return { kind: "failure", message: text || reason };
  if (structured !== undefined && structured !== null) return { kind: "json", candidates: [structured] };
  if (text === "") return { kind: "nothing" };
  const whole = parseWhole(text);
  return whole === undefined ? findAmongProse(text, expectJson) : { kind: "json", candidates: [whole.value] };
}

/** The text as one JSON value. */
function parseWhole(source: string): Parsed | undefined {
  const text = source.trim();
  // A nesting of millions of levels must not get as far as JSON.parse.
  if (/^[[{]/u.test(text) && new ContainerScan(text, 0).run() !== text.length) return undefined;
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

/** The last block between lines of ```json and ``` that holds JSON. */
function lastFencedJson(text: string): Parsed | undefined {
  const blocks: string[] = [];
  let from: number | undefined;
  for (const { 0: line, index, groups } of text.matchAll(/^[ \t]*(?:```+|~~~+)[ \t]*(?<language>[^\s`]*).*$/gmu)) {
    const language = groups?.["language"]?.toLowerCase();
    if (from !== undefined && language === "") blocks.push(text.slice(from, index));
    from = language === "json" ? index + line.length : undefined;
  }
  return blocks.reduceRight<Parsed | undefined>((found, block) => found ?? parseWhole(block), undefined);
}

/** From `start` up to, not including, `end`. */
interface Span {
  start: number;
  end: number;
}

/** Looks at white space only: a line may be as long as the text. */
function standsAlone(text: string, { start, end }: Span): boolean {
  let before = start - 1;
  while (text[before] === " " || text[before] === "\t") before -= 1;
  const after = text[endOf(BLANKS, text, end) ?? end];
  return (before < 0 || text[before] === "\n") && (after === undefined || after === "\n");
}

/**
 * The last complete object or array that is not inside of another one.
 *
 * Why it is linear: a scan that began at `i` and failed at `j` has met every bracket between them either
 * as structure or as part of a string. A bracket met as structure is marked: a scan that begins there
 * would end at the same place, so it is never begun. A scan that begins inside of a string has inside and
 * outside of strings exchanged, up to its end or the other's. So no place is passed more than twice.
 */
function lastContainer(text: string, accepts: (span: Span) => boolean): Span | undefined {
  const met = new Uint8Array(text.length);
  let best: Span | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code !== OPEN_BRACE && code !== OPEN_BRACKET) || met[at] === 1) continue;
    const scan = new ContainerScan(text, at, met);
    const end = scan.run();
    const { lastClosed } = scan;
    if (lastClosed !== undefined && lastClosed.end > (best?.end ?? 0) && accepts(lastClosed)) best = lastClosed;
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
const BLANKS = /[ \t\r]*/y;
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

  /** The end of the container that begins at the start; undefined when it is no JSON. */
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

const ESCAPE = "\u001B";
const BELL = "\u0007";

/** Colours, cursor movements, window titles and links taken out, as terminals understand them. */
function withoutControlCodes(text: string): string {
  const [first = "", ...rest] = text.replace(/^\uFEFF/u, "").split(ESCAPE);
  return rest.length === 0 ? first : first + rest.map(behindSequence).join("");
}

/** What is left of a text that followed an escape. */
function behindSequence(text: string): string {
  if (!text.startsWith("]")) return text.replace(/^(?:\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/u, "");
  // Ends with a bell, or with the next escape. One that never ends must not take the lines below it along.
  const bell = text.indexOf(BELL) + 1 || text.length;
  const line = text.indexOf("\n");
  return text.slice(line < 0 ? bell : Math.min(bell, line));
}
