/** A text in pages of whole lines. */
import type { FilePage } from "../wire/inbox-wire.js";

const PAGE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * The page that begins at a byte. It ends with a line; a line that is longer than a page is divided between two
 * characters. A beginning inside a character is moved to the next one.
 */
export function pageOf(text: Buffer, from: number, longest = PAGE_BYTES): FilePage {
  const start = characterFrom(text, Math.min(from, text.length));
  const end = endOf(text, start, longest);
  return {
    text: text.toString("utf8", start, end),
    from: start,
    next: end < text.length ? end : null,
    bytes: text.length,
  };
}

function endOf(text: Buffer, start: number, longest: number): number {
  const limit = start + longest;
  if (limit >= text.length) return text.length;
  const line = text.lastIndexOf(NEWLINE, limit - 1);
  if (line >= start) return line + 1;
  let end = limit;
  while (end > start && isInside(text[end])) end -= 1;
  // Only what is no UTF-8 has that many bytes inside a character.
  return end === start ? limit : end;
}

function characterFrom(text: Buffer, from: number): number {
  let start = from;
  while (start < text.length && isInside(text[start])) start += 1;
  return start;
}

/** All bytes of a character but the first begin with these two bits. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
