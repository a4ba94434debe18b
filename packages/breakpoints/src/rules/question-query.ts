/** Which questions a list shows, in which order, a page at a time. */
import { BabysitterError } from "@a5c-ai/babysitter-sdk";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_SEARCH = 200;
const MAX_WORDS = 8;

/**
 * The place of a question in its list. Open ones: those that stop a whole run first, then the oldest first. Decided ones:
 * the newest first, so their times count backwards.
 */
export type Cursor = readonly [group: number, time: number, id: string];

export interface QuestionQuery {
  state: "open" | "decided";
  /** In small letters; each must be found. */
  words: string[];
  after: Cursor | undefined;
  limit: number;
}

export function parseQuery(given: (name: string) => string | undefined): QuestionQuery {
  const state = given("state") ?? "open";
  if (state !== "open" && state !== "decided") throw wrong("state", "open or decided");
  const after = given("after");
  return {
    state,
    words: wordsOf(given("search") ?? ""),
    after: after === undefined ? undefined : parseCursor(after),
    limit: parseLimit(given("limit")),
  };
}

/** Searching does not tell capital letters apart, nor ways to write the same letter. */
export function searchable(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

export function cursorText(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function wordsOf(search: string): string[] {
  if (search.length > MAX_SEARCH) throw wrong("search", `at most ${MAX_SEARCH} characters long`);
  return searchable(search)
    .split(/\s+/u)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
}

function parseCursor(text: string): Cursor {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    throw wrong("after", "what an earlier page gave as next");
  }
  const [group, time, id, ...more] = Array.isArray(value) ? (value as unknown[]) : [];
  if (!Number.isSafeInteger(group) || !Number.isSafeInteger(time) || typeof id !== "string" || more.length > 0)
    throw wrong("after", "what an earlier page gave as next");
  return [group as number, time as number, id];
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,6}$/u.test(text) ? Number(text) : 0;
  if (limit < 1) throw wrong("limit", `a number from 1 to ${MAX_LIMIT}`);
  return Math.min(limit, MAX_LIMIT);
}

function wrong(name: string, wanted: string): BabysitterError {
  return new BabysitterError("USAGE", `"${name}" must be ${wanted}.`);
}
