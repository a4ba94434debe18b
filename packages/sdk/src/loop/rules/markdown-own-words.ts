/** The words of a Markdown text that its author says, as opposed to those that are shown: code, comments, quotations. */
import type { Span } from "../../model/json-scan.js";
import { readBlocks } from "./markdown-blocks.js";

/**
 * The text, as long as before and with the same lines, but with a filler in place of every character that is shown
 * rather than said. Takes time in proportion to the text. Lines must end with `\n`.
 */
export function ownWords(text: string): string {
  const { hidden, paragraphs } = readBlocks(text);
  const inline = paragraphs.flatMap(({ start, end }) => inlineCode(text.slice(start, end), start));
  const words = blankOut(text, [...hidden, ...inline]);
  return blankOut(words, quotations(words));
}

/** Neither white space nor a letter nor a mark. */
const FILLER = "\0";

function blankOut(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(start, done);
    const to = Math.max(end, from);
    parts.push(text.slice(done, from), text.slice(from, to).replace(/[^\n]/g, FILLER));
    done = to;
  }
  return parts.join("") + text.slice(done);
}

/** Code between backticks, and comments, of one paragraph that begins at `offset`. */
function inlineCode(paragraph: string, offset: number): Span[] {
  const spans: Span[] = [];
  const closing = closingRuns(paragraph);
  const lastComment = paragraph.lastIndexOf("-->");
  const special = /\\.|`+|<!--/gs;
  for (let match = special.exec(paragraph); match !== null; match = special.exec(paragraph)) {
    const { 0: mark, index } = match;
    const behind = index + mark.length;
    let end: number | undefined;
    if (mark.startsWith("`")) end = closing(behind, mark.length);
    else if (mark === "<!--" && lastComment >= behind) end = paragraph.indexOf("-->", behind) + 3;
    if (end === undefined) continue;
    spans.push({ start: offset + index, end: offset + end });
    special.lastIndex = end;
  }
  return spans;
}

/** Finds the end of the next run of backticks of a length. The places asked for must not go back. */
function closingRuns(paragraph: string): (from: number, length: number) => number | undefined {
  const starts = new Map<number, number[]>();
  for (const { 0: run, index } of [...paragraph.matchAll(/`+/g)].toReversed()) {
    const known = starts.get(run.length);
    if (known === undefined) starts.set(run.length, [index]);
    else known.push(index);
  }
  return (from, length) => {
    const ahead = starts.get(length) ?? [];
    while ((ahead.at(-1) ?? from) < from) ahead.pop();
    const next = ahead.at(-1);
    return next === undefined ? undefined : next + length;
  };
}

/** Closing marks of those marks that only open. */
const CLOSING = new Map([
  ["“", "”"],
  ["‘", "’"],
]);
/** May be an apostrophe: too weak a sign to reach over an empty line. */
const SINGLE = ["'", "’"];

/** What stands between quotation marks, over several lines, too. A mark without its partner means nothing. */
function quotations(text: string): Span[] {
  const spans: Span[] = [];
  /** By closing mark: where it was opened. */
  const open = new Map<string, number>();
  for (const { 0: mark, index } of text.matchAll(/["“”'‘’]|\n[^\S\n]*(?=\n)/g)) {
    if (mark.startsWith("\n")) {
      for (const single of SINGLE) open.delete(single);
      continue;
    }
    const { opens, closes } = sidesOf(mark, text.charAt(index - 1), text.charAt(index + 1));
    const start = open.get(mark);
    if (closes && start !== undefined) {
      spans.push({ start, end: index + 1 });
      open.delete(mark);
    } else if (opens) open.set(CLOSING.get(mark) ?? mark, index);
  }
  return spans;
}

/** Which ends of a quotation a mark can be, by the characters before and behind it; none between letters, as in `don't`. */
function sidesOf(mark: string, before: string, behind: string): { opens: boolean; closes: boolean } {
  if (CLOSING.has(mark)) return { opens: true, closes: false };
  if (mark === "”") return { opens: false, closes: true };
  return {
    opens: mark !== "’" && /^(?:[\s([{*_]|$)/.test(before),
    closes: /^(?:[\s.,;:!?)\]}*_]|$)/.test(behind),
  };
}
