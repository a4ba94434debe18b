import * as fc from "fast-check";
import { expect, it } from "vitest";
import { addPage, emptyStore, endsWithBreak, hasCarriageReturns } from "./line-store.js";

const storeOf = (...pages: string[]) => {
  const store = emptyStore();
  for (const [index, text] of pages.entries())
    addPage(store, { text, from: index, next: index === pages.length - 1 ? null : index + 1, bytes: pages.length });
  return store;
};

it("B2: counts lines as the journal does, however the pages are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "bc", "\n", "\r\n", ""), { maxLength: 20 }), (pages) => {
      const text = pages.join("");
      const { lines } = storeOf(...pages);
      expect(lines).toEqual(text === "" ? [] : text.replace(/\n$/, "").split("\n"));
    }),
  );
});

it("knows how a text ends", () => {
  expect(endsWithBreak(storeOf("a\n", "b\n"))).toBe(true);
  expect(endsWithBreak(storeOf("a\n", "b"))).toBe(false);
  expect(endsWithBreak(storeOf())).toBe(true);
  expect(hasCarriageReturns(["a\r", "b\r", "c"])).toBe(true);
  expect(hasCarriageReturns(["a", "b\r", "c"])).toBe(false);
});
