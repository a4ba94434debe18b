/**
 * Words that were typed and not sent. They are kept in the browser, by question and place, until they are sent or thrown
 * away: a reload, another screen, the end of a session or somebody else's decision does not lose them.
 */
import { isBlank } from "./blank.js";

const PREFIX = "babysitter.draft.";
/** What nobody has come back to for so long is forgotten. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

export interface Draft {
  /** Where it was typed: `reason`, `answer`, `comment`, or a place of a file's reviewer. */
  place: string;
  text: string;
  at: number;
}

export function draftKey(questionId: string, place: string): string {
  return `${PREFIX}${encodeURIComponent(questionId)}:${place}`;
}

/** The question and the place of a key; nothing for keys of others. */
export function parseDraftKey(key: string): { questionId: string; place: string } | undefined {
  if (!key.startsWith(PREFIX)) return undefined;
  const rest = key.slice(PREFIX.length);
  const colon = rest.indexOf(":");
  if (colon < 0) return undefined;
  try {
    return { questionId: decodeURIComponent(rest.slice(0, colon)), place: rest.slice(colon + 1) };
  } catch {
    return undefined;
  }
}

export function storeDraft(text: string, at: number): string {
  return JSON.stringify({ text, at });
}

/** What is kept under a key, unless it is foreign or too old. */
export function readDraft(key: string, stored: string | null, now: number): Draft | undefined {
  const place = parseDraftKey(key)?.place;
  if (place === undefined || stored === null) return undefined;
  try {
    const { text, at } = JSON.parse(stored) as { text?: unknown; at?: unknown };
    if (typeof text !== "string" || typeof at !== "number" || isBlank(text) || now - at > KEPT_MS) return undefined;
    return { place, text, at };
  } catch {
    return undefined;
  }
}

/** What kind of text a draft is, for people. */
export function nameOfPlace(place: string): string {
  if (place === "reason") return "Reason";
  if (place === "answer") return "Answer";
  return "Comment";
}
