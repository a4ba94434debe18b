/** How many columns a text takes on a terminal, counted rather too high than too low: a line must never wrap. */
import { visible } from "../../model/shown-text.js";
import { withoutColours } from "../../model/terminal-text.js";

/** First and last code points that take two columns: East Asian scripts and full-width forms. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x1b2ff],
  [0x1f1e6, 0x1f2ff],
  [0x20000, 0x3fffd],
];
const EMOJI = /^\p{Emoji_Presentation}$/u;
/** Combining marks, joiners and variation selectors. */
const WIDTHLESS = /^[\p{Mn}\p{Me}\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]$/u;
const PLAIN = /^[ -~]*$/;
const EMOJI_STYLE = 0xfe0f;

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  let last = 0;
  for (const character of text) {
    // Asks for the picture form of the character before it, which is wide.
    const own = character.codePointAt(0) === EMOJI_STYLE ? Math.min(1, 2 - last) : widthOf(character);
    width += own;
    last = own;
  }
  return width;
}

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (WIDTHLESS.test(character)) return 0;
  return EMOJI.test(character) || WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

let graphemes: Intl.Segmenter | undefined;

/** The beginning of a text that fits, with a mark where something is missing. */
export function cutToWidth(text: string, width: number, mark: string): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(mark);
  if (room < 0) return "";
  if (PLAIN.test(text)) return text.slice(0, room) + mark;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let kept = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment);
    if (used > room) break;
    kept += segment;
  }
  return kept + mark;
}

/** More than any screen shows; what is longer is not looked at. */
const LINE_LIMIT = 1000;

/** A text from anyone as part of one line: breaks become spaces, everything else that acts on a terminal shows. */
export function oneLine(text: string): string {
  const start = text.length > LINE_LIMIT ? text.slice(0, LINE_LIMIT) : text;
  if (PLAIN.test(start)) return start;
  return visible(start.replaceAll(/[\t\n\v\f\u0085\u2028\u2029]+/g, " "));
}

/** What takes a tool back to the beginning of its line. */
const REDRAWN = /\r|\u001B\[(?:2K|[01]?G)/u; // oxlint-disable-line no-control-regex -- escape sequences are control characters

/** A line that a tool wrote for a terminal of its own: without its colours, and of a redrawn line the last form. */
export function toolLine(text: string): string {
  const plain = withoutColours(text.slice(0, 4 * LINE_LIMIT)).trimEnd();
  return oneLine(plain.split(REDRAWN).at(-1) as string);
}
