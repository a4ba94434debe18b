/** What queries of lists have in common. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_SEARCH = 200;
const MAX_WORDS = 8;

/** Searching does not tell capital letters apart, nor ways to write the same letter. */
export function searchable(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** In small letters; each must be found. */
export function wordsOf(search: string): string[] {
  if (search.length > MAX_SEARCH) throw wrong("search", `at most ${MAX_SEARCH} characters long`);
  return searchable(search)
    .split(/\s+/u)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
}

export function parseLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,6}$/u.test(text) ? Number(text) : 0;
  if (limit < 1) throw wrong("limit", `a number from 1 to ${MAX_LIMIT}`);
  return Math.min(limit, MAX_LIMIT);
}

/** A place in a list, for whoever asks for the next page: numbers to go by, and then an id. */
export type Cursor = readonly [...numbers: number[], id: string];

export function cursorText(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** `numbers`: how many there must be. */
export function parseCursor(text: string, numbers: number): { numbers: number[]; id: string } {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    throw wrong("after", "what an earlier page gave as next");
  }
  const parts = Array.isArray(value) ? (value as unknown[]) : [];
  const [given, id] = [parts.slice(0, -1), parts.at(-1)];
  if (given.length !== numbers || !given.every(Number.isSafeInteger) || typeof id !== "string")
    throw wrong("after", "what an earlier page gave as next");
  return { numbers: given as number[], id };
}

export function wrong(name: string, wanted: string): BabysitterError {
  return new BabysitterError("USAGE", `"${name}" must be ${wanted}.`);
}
