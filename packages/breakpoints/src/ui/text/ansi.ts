/** Logs as a terminal would colour them. Colours become names; everything else that escapes do is left out. */
import type { Span } from "./spans.js";

interface Look {
  colour?: string;
  ground?: string;
  bold?: true;
  faint?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  inverse?: true;
}

/** Black and white are the colours of the page itself: a log cannot know which of them can be read there. */
const COLOURS = [undefined, "red", "green", "yellow", "blue", "magenta", "cyan", undefined] as const;
const PLAIN: Look = {};
/** One line with more changes of colour than this is no longer a log. */
const MAX_SPANS = 2_000;

// oxlint-disable no-control-regex -- escapes are what is looked for
/** Colours, other control sequences, titles and links (ended by a bell or ESC \), character sets, single escapes. */
const ESCAPE =
  /\u001b(?:\[([0-9:;<=>?]*)([ -/]*[@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g;
const HAS_COLOUR = /\u001b\[[0-9:;]*m/;
// oxlint-enable no-control-regex

export function hasAnsiColour(text: string): boolean {
  return HAS_COLOUR.test(text);
}

/** What is left to read of a line: the text of its spans. */
export function withoutEscapes(line: string): string {
  return line.includes("\u001b") ? line.replaceAll(ESCAPE, "") : line;
}

/** A colour that was set so many lines ago is taken to have ended: somebody jumps into the middle of a long log. */
const MAX_LINES_BACK = 5_000;

/** Reads lines in any order; a colour lasts until it is changed, also over the end of a line. More may be added. */
export class AnsiReader {
  readonly #lines: readonly string[];
  /** How lines begin, as far as that is known. */
  readonly #begins = new Map<number, Look>([[0, PLAIN]]);

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  line(index: number): Span[] {
    const { spans, look } = readLine(this.#lines[index] ?? "", this.#beginOf(index));
    this.#begins.set(index + 1, look);
    return spans;
  }

  /** Goes back to where it is known, which seldom is far: most lines end without a colour. */
  #beginOf(index: number): Look {
    let first = index;
    while (!this.#begins.has(first) && index - first < MAX_LINES_BACK && !endsPlain(this.#lines[first - 1] ?? ""))
      first -= 1;
    let look = this.#begins.get(first) ?? PLAIN;
    for (let at = first; at < index; at += 1) look = readLine(this.#lines[at] ?? "", look).look;
    this.#begins.set(index, look);
    return look;
  }
}

/** The last colour in the line is none. */
function endsPlain(line: string): boolean {
  for (let at = line.lastIndexOf("\u001b["); at >= 0; at = at === 0 ? -1 : line.lastIndexOf("\u001b[", at - 1)) {
    const codes = /^([\d;:]*)m/.exec(line.slice(at + 2, at + 64));
    if (codes !== null) return /^0*$/.test(codes[1] ?? "");
  }
  return false;
}

export function ansiLines(text: string): Span[][] {
  const lines = text.split("\n");
  const reader = new AnsiReader(lines);
  return lines.map((_line, index) => reader.line(index));
}

function readLine(line: string, begin: Look): { spans: Span[]; look: Look } {
  let look = begin;
  if (!line.includes("\u001b")) return { spans: [spanOf(line, look)], look };
  const spans: Span[] = [];
  let end = 0;
  for (const match of line.matchAll(ESCAPE)) {
    if (match.index > end && spans.length < MAX_SPANS) spans.push(spanOf(line.slice(end, match.index), look));
    if (spans.length < MAX_SPANS) end = match.index + match[0].length;
    if (match[2] === "m") look = restyle(look, match[1] ?? "");
  }
  if (end < line.length) spans.push(spanOf(line.slice(end), look));
  return { spans, look };
}

function spanOf(text: string, look: Look): Span {
  const { colour, ground, inverse } = look;
  const kinds = [
    colour === undefined ? undefined : `ansi-${colour}`,
    ground === undefined && inverse === undefined ? undefined : `ansi-on-${ground ?? "gray"}`,
    ...(["bold", "faint", "italic", "underline", "strike"] as const).map((key) =>
      look[key] === undefined ? undefined : `ansi-${key}`,
    ),
  ].filter((kind) => kind !== undefined);
  return kinds.length === 0 ? { text } : { text, kind: kinds.join(" ") };
}

const SWITCHES: Readonly<Record<number, Partial<Record<keyof Look, true | undefined>>>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: undefined, faint: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  29: { strike: undefined },
};

/** What one `ESC [ … m` makes of a look. What it does not know, such as hidden text, changes nothing. */
function restyle(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = { ...look };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0) next = {};
    else if (code === 38 || code === 48) {
      const [name, taken] = extendedColour(codes.slice(at + 1));
      next = code === 38 ? withColour(next, "colour", name) : withColour(next, "ground", name);
      at += taken;
    } else next = { ...next, ...SWITCHES[code], ...basicColour(code) } as Look;
  }
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
}

function withColour(look: Look, key: "colour" | "ground", name: string | undefined): Look {
  return { ...look, [key]: name };
}

function basicColour(code: number): Record<string, string | undefined> {
  if (code >= 30 && code <= 37) return { colour: COLOURS[code - 30] };
  if (code >= 40 && code <= 47) return { ground: COLOURS[code - 40] };
  if (code >= 90 && code <= 97) return { colour: code === 90 ? "gray" : COLOURS[code - 90] };
  if (code >= 100 && code <= 107) return { ground: code === 100 ? "gray" : COLOURS[code - 100] };
  if (code === 39) return { colour: undefined };
  return code === 49 ? { ground: undefined } : {};
}

/** One of 256 (`5;n`) or of all colours (`2;r;g;b`), as the nearest name, and how many codes it took. */
function extendedColour(codes: readonly number[]): [name: string | undefined, taken: number] {
  const [space, first = 0, second = 0, third = 0] = codes;
  if (space === 2) return [nearest(first, second, third), 4];
  if (space !== 5) return [undefined, 1];
  if (first < 8) return [COLOURS[first], 2];
  if (first < 16) return [first === 8 ? "gray" : COLOURS[first - 8], 2];
  if (first >= 232) return [first > 250 || first < 236 ? undefined : "gray", 2];
  const cube = first - 16;
  return [nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51), 2];
}

/** By hue alone: how light a colour may be is up to the page. */
function nearest(red: number, green: number, blue: number): string | undefined {
  const high = Math.max(red, green, blue);
  const spread = high - Math.min(red, green, blue);
  if (spread < 48) return high < 60 || high > 215 ? undefined : "gray";
  const sextant =
    high === red
      ? ((green - blue) / spread + 6) % 6
      : high === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4;
  return ["red", "yellow", "green", "cyan", "blue", "magenta"][Math.round(sextant) % 6];
}
