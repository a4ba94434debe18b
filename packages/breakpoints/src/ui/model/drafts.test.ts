import { expect, test } from "vitest";
import { draftKey, nameOfPlace, parseDraftKey, readDraft, storeDraft } from "./drafts.js";

const DAY = 24 * 60 * 60_000;

test("a draft is found again under its question and place, whatever is in their names", () => {
  for (const questionId of ["01ABC", "a.b/c", "ü%2E"])
    for (const place of ["reason", "file.3.base.4-9"])
      expect(parseDraftKey(draftKey(questionId, place))).toEqual({ questionId, place });
});

test("a draft keeps its text exactly", () => {
  const key = draftKey("q", "answer");
  expect(readDraft(key, storeDraft("  two\nlines ", 5), 6)).toEqual({ place: "answer", text: "  two\nlines ", at: 5 });
});

test("what is empty, foreign, damaged or a month old is no draft", () => {
  const key = draftKey("q", "answer");
  expect(readDraft(key, storeDraft("  ", 0), 0)).toBeUndefined();
  expect(readDraft(key, null, 0)).toBeUndefined();
  expect(readDraft(key, "{", 0)).toBeUndefined();
  expect(readDraft(key, '{"text":1,"at":2}', 0)).toBeUndefined();
  expect(readDraft("babysitter.token", storeDraft("x", 0), 0)).toBeUndefined();
  expect(readDraft("babysitter.draft.%", storeDraft("x", 0), 0)).toBeUndefined();
  expect(readDraft(key, storeDraft("x", 0), 29 * DAY)).toBeDefined();
  expect(readDraft(key, storeDraft("x", 0), 31 * DAY)).toBeUndefined();
});

test("places have names for people", () => {
  expect(["reason", "answer", "comment", "file.0.file.1-1"].map(nameOfPlace)).toEqual([
    "Reason",
    "Answer",
    "Comment",
    "Comment",
  ]);
});
