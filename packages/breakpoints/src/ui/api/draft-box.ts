/**
 * Where drafts are kept: in the browser's own storage, which all tabs share, and in the memory of the tab they were typed
 * in. There nobody else writes or clears them, and they are kept when there is no storage.
 */
import { signal } from "@preact/signals";
import { isBlank } from "../model/blank.js";
import { type Draft, draftKey, parseDraftKey, readDraft, storeDraft } from "../model/drafts.js";

const memory = new Map<string, string>();
/** Counts changes, so that what shows drafts is drawn again. */
const changes = signal(0);

function shared(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function stored(key: string): string | null {
  return memory.get(key) ?? shared(key);
}

export function draftText(questionId: string, place: string): string {
  const key = draftKey(questionId, place);
  return readDraft(key, stored(key), Date.now())?.text ?? "";
}

export function keepDraft(questionId: string, place: string, text: string): void {
  const key = draftKey(questionId, place);
  const before = stored(key);
  const kept = isBlank(text) ? undefined : storeDraft(text, Date.now());
  if (kept === undefined) memory.delete(key);
  else memory.set(key, kept);
  try {
    if (kept !== undefined) localStorage.setItem(key, kept);
    // What another tab has kept there since is not thrown away with it.
    else if (shared(key) === before) localStorage.removeItem(key);
  } catch {
    // The tab's own memory has it.
  }
  changes.value += 1;
}

/** It was sent, and is no draft any more, unless it was changed meanwhile. */
export function forgetSent(questionId: string, place: string, text: string): void {
  if (draftText(questionId, place) === text) keepDraft(questionId, place, "");
}

/** Everything unsent of a question, or of all. */
export function draftsOf(questionId?: string): Draft[] {
  void changes.value;
  return keys()
    .filter((key) => questionId === undefined || parseDraftKey(key)?.questionId === questionId)
    .flatMap((key) => readDraft(key, stored(key), Date.now()) ?? []);
}

function keys(): string[] {
  try {
    return [...new Set([...Object.keys(localStorage), ...memory.keys()])];
  } catch {
    return [...memory.keys()];
  }
}

/** Drafts that nobody has come back to. */
export function forgetOldDrafts(): void {
  for (const key of keys()) {
    const { questionId, place } = parseDraftKey(key) ?? {};
    if (questionId === undefined || place === undefined) continue;
    if (readDraft(key, stored(key), Date.now()) === undefined) keepDraft(questionId, place, "");
  }
}
