/**
 * Tells the lines of a Markdown text that are code, quoted or commented out from its paragraphs.
 *
 * Follows CommonMark where that is cheap. Where it is not, a line is rather hidden than shown: in doubt the
 * agent was only talking about a tag.
 */
import type { Span } from "../../model/json-scan.js";

export interface Blocks {
  /** Lines that are not the author's own words, in order. */
  hidden: Span[];
  /** Runs of lines that belong together, in order. */
  paragraphs: Span[];
}

interface Reader extends Blocks {
  /** Columns where the texts of the open list items begin, the outermost first. */
  items: number[];
  inParagraph: boolean;
  /** A paragraph of a block quote goes on up to an empty line, whether its lines have a `>` or not. */
  inQuote: boolean;
  /** Set within a fence or comment: whether a line is the last one of it. */
  isLast: ((line: string) => boolean) | undefined;
}

/** From this column on, counted from where the text of its list item begins, a line is code. */
const CODE_INDENT = 4;
const RAW_HTML = [
  ["<!--", "-->"],
  ["<pre>", "</pre>"],
] as const;

export function readBlocks(text: string): Blocks {
  const reader: Reader = {
    hidden: [],
    paragraphs: [],
    items: [],
    inParagraph: false,
    inQuote: false,
    isLast: undefined,
  };
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (readLine(reader, line, { start, end }) === "hide") reader.hidden.push({ start, end });
    start = end + 1;
  }
  return { hidden: reader.hidden, paragraphs: reader.paragraphs };
}

function readLine(reader: Reader, line: string, span: Span): "hide" | "show" {
  if (reader.isLast !== undefined) {
    if (reader.isLast(line)) reader.isLast = undefined;
    return "hide";
  }
  if (line.trim() === "") {
    reader.inParagraph = false;
    reader.inQuote = false;
    return "show";
  }
  const at = enterItems(reader, line);
  // Within a paragraph no code begins, and with white space in front nothing else does.
  if (at === undefined && !reader.inParagraph) return "hide";
  const content = line.slice(at);
  if (content.startsWith(">")) {
    reader.inQuote = true;
    return "hide";
  }
  const opened = openFence(content, itemColumn(reader)) ?? openHtml(content);
  if (opened !== undefined) {
    reader.inParagraph = false;
    reader.inQuote = false;
    reader.isLast = opened.isLast;
    return "hide";
  }
  if (reader.inQuote) return "hide";
  addToParagraph(reader, span);
  return "show";
}

function addToParagraph(reader: Reader, { start, end }: Span): void {
  const last = reader.paragraphs.at(-1);
  if (reader.inParagraph && last !== undefined) last.end = end;
  else reader.paragraphs.push({ start, end });
  reader.inParagraph = true;
}

const itemColumn = (reader: Reader): number => reader.items.at(-1) ?? 0;

/** Leaves the list items that a line is not indented for and enters those that it begins; where its text is, if that is not code. */
function enterItems(reader: Reader, line: string): number | undefined {
  let place = skipSpaces(line, { at: 0, column: 0 });
  while (itemColumn(reader) > place.column) reader.items.pop();
  for (;;) {
    if (place.column - itemColumn(reader) >= CODE_INDENT) return undefined;
    const width = markerWidth(line, place.at);
    if (width === 0) return place.at;
    reader.inParagraph = false;
    const column = place.column + width;
    place = skipSpaces(line, { at: place.at + width, column });
    const isEmpty = place.at === line.length;
    reader.items.push(isEmpty || place.column - column > CODE_INDENT ? column + 1 : place.column);
  }
}

interface Place {
  at: number;
  /** Differs from the index where there are tabs. */
  column: number;
}

function skipSpaces(line: string, { at, column }: Place): Place {
  for (; line[at] === " " || line[at] === "\t"; at += 1) column += line[at] === "\t" ? 4 - (column % 4) : 1;
  return { at, column };
}

/** How long the list marker is that begins here: `-`, `+`, `*`, `1.` or `1)`, and white space behind it. */
function markerWidth(line: string, at: number): number {
  const marker = /(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/y;
  marker.lastIndex = at;
  return marker.exec(line)?.[0].length ?? 0;
}

type Opened = Pick<Reader, "isLast"> | undefined;

/** A fence ends with a line of at least as many of the same marks; without one it goes on to the end of the text. */
function openFence(content: string, column: number): Opened {
  const fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(content)?.[0];
  if (fence === undefined) return undefined;
  const isLast = (line: string): boolean => {
    const marks = line.trim();
    const isIndented = skipSpaces(line, { at: 0, column: 0 }).column - column >= CODE_INDENT;
    return !isIndented && marks.length >= fence.length && marks === fence.charAt(0).repeat(marks.length);
  };
  return { isLast };
}

/** A comment or preformatted text hides the whole of its first and last line, which may be the same. */
function openHtml(content: string): Opened {
  const end = RAW_HTML.find(([begin]) => content.startsWith(begin))?.[1];
  if (end === undefined) return undefined;
  const isLast = (line: string): boolean => line.includes(end);
  return { isLast: isLast(content) ? undefined : isLast };
}
