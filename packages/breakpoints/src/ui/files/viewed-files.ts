/** Which files of a question somebody has looked at. The mark is for that very text: a new one has to be looked at. */
import type { FileHead } from "../../wire/inbox-wire.js";

/** Where marks are kept: the browser's storage. */
export interface MarkStore {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
}

const keyOf = (questionId: string): string => `babysitter.viewed.${encodeURIComponent(questionId)}`;
const markOf = ({ path, sha256 }: FileHead): string => `${path}\n${sha256 ?? ""}`;

export function readViewed(store: MarkStore, questionId: string): ReadonlySet<string> {
  try {
    const marks: unknown = JSON.parse(store.getItem(keyOf(questionId)) ?? "[]");
    return new Set(Array.isArray(marks) ? marks.filter((mark) => typeof mark === "string") : []);
  } catch {
    return new Set();
  }
}

export function isViewed(viewed: ReadonlySet<string>, file: FileHead): boolean {
  return viewed.has(markOf(file));
}

/** Keeps the marks. That they cannot be kept, as in a full storage, is no reason to fail. */
export function keepViewed(store: MarkStore, questionId: string, viewed: ReadonlySet<string>): void {
  try {
    store.setItem(keyOf(questionId), JSON.stringify([...viewed]));
  } catch {
    // They hold until the page is left.
  }
}

/** The marks with one more or less. */
export function markViewed(viewed: ReadonlySet<string>, file: FileHead, isViewedNow: boolean): ReadonlySet<string> {
  const marks = new Set(viewed);
  if (isViewedNow) marks.add(markOf(file));
  else marks.delete(markOf(file));
  return marks;
}
