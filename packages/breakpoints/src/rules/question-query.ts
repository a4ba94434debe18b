/** Which questions a list shows, in which order, a page at a time. */
import { parseCursor, parseLimit, wordsOf, wrong } from "./query-parts.js";

/**
 * The place of a question in its list. Open ones: those that stop a whole run first, then the oldest first. Decided ones:
 * the newest first, so their times count backwards.
 */
export type QuestionCursor = readonly [group: number, time: number, id: string];

export interface QuestionQuery {
  state: "open" | "decided";
  /** In small letters; each must be found. */
  words: string[];
  after: QuestionCursor | undefined;
  limit: number;
}

export function parseQuery(given: (name: string) => string | undefined): QuestionQuery {
  const state = given("state") ?? "open";
  if (state !== "open" && state !== "decided") throw wrong("state", "open or decided");
  const after = given("after");
  return {
    state,
    words: wordsOf(given("search") ?? ""),
    after: after === undefined ? undefined : questionCursor(after),
    limit: parseLimit(given("limit")),
  };
}

function questionCursor(text: string): QuestionCursor {
  const {
    numbers: [group = 0, time = 0],
    id,
  } = parseCursor(text, 2);
  return [group, time, id];
}
