import { expect, it } from "vitest";
import type { FileHead } from "../../wire/inbox-wire.js";
import { isViewed, keepViewed, markViewed, readViewed } from "./viewed-files.js";

const file: FileHead = { n: 0, path: "a.ts", sha256: "1", comparisons: [] };

function memory() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

it("B2: is kept for a question, and only for the text that was viewed", () => {
  const store = memory();
  keepViewed(store, "q1", markViewed(new Set(), file, true));
  expect(isViewed(readViewed(store, "q1"), file)).toBe(true);
  expect(isViewed(readViewed(store, "q1"), { ...file, sha256: "2" })).toBe(false);
  expect(isViewed(readViewed(store, "q2"), file)).toBe(false);
  expect(markViewed(readViewed(store, "q1"), file, false).size).toBe(0);
});

it("survives a storage that is full, forbidden or full of something else", () => {
  const store = memory();
  store.kept.set("babysitter.viewed.q1", "{oops");
  expect(readViewed(store, "q1").size).toBe(0);
  const refuse = (): never => {
    throw new Error("forbidden");
  };
  expect(readViewed({ getItem: refuse, setItem: refuse }, "q1").size).toBe(0);
  expect(() => keepViewed({ getItem: refuse, setItem: refuse }, "q1", new Set(["a"]))).not.toThrow();
});
