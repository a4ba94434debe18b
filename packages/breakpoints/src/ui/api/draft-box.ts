/** Where drafts are kept: the browser's own storage, or the tab's memory when there is none. */
import { signal } from "@preact/signals";
import { type Draft, draftKey, parseDraftKey, readDraft, storeDraft } from "../model/drafts.js";

const memory = new Map<string, string>();
/** Counts changes, so that what shows drafts is drawn again. */
const changes = signal(0);

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

export function draftText(questionId: string, place: string): string {
  const key = draftKey(questionId, place);
  return readDraft(key, stored(key), Date.now())?.text ?? "";
}

export function keepDraft(questionId: string, place: string, text: string): void {
  const key = draftKey(questionId, place);
  const kept = text.trim() === "" ? undefined : storeDraft(text, Date.now());
  try {
    if (kept === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, kept);
    memory.delete(key);
  } catch {
    if (kept === undefined) memory.delete(key);
    else memory.set(key, kept);
  }
  changes.value += 1;
}

/** Everything unsent of a question. */
export function draftsOf(questionId: string): Draft[] {
  void changes.value;
  return keys()
    .filter((key) => parseDraftKey(key)?.questionId === questionId)
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
