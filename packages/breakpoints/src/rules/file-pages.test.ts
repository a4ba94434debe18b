import { describe, expect, it } from "vitest";
import { pageOf } from "./file-pages.js";

/** All pages of a text. */
function pagesOf(text: string, longest: number): string[] {
  const bytes = Buffer.from(text);
  const pages: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = pageOf(bytes, from, longest);
    pages.push(page.text);
    from = page.next;
  }
  return pages;
}

describe("pages of a file", () => {
  it.each<[string, number, string[]]>([
    ["", 10, [""]],
    ["one\n", 10, ["one\n"]],
    ["one\ntwo\nthree\n", 8, ["one\ntwo\n", "three\n"]],
    ["one\ntwo", 5, ["one\n", "two"]],
    ["a long line\nthe end", 5, ["a lon", "g lin", "e\n", "the e", "nd"]],
    ["äöü", 3, ["ä", "ö", "ü"]],
    ["𝄞𝄞", 5, ["𝄞", "𝄞"]],
    ["\n\n\n", 1, ["\n", "\n", "\n"]],
  ])("%j in pages of %i bytes", (text, longest, pages) => {
    expect(pagesOf(text, longest)).toEqual(pages);
  });

  it("begin between characters, and end with the text, wherever they are asked for", () => {
    const text = Buffer.from("aäb");
    expect(pageOf(text, 2)).toEqual({ text: "b", from: 3, next: null, bytes: 4 });
    expect(pageOf(text, 99)).toEqual({ text: "", from: 4, next: null, bytes: 4 });
  });

  it("what is no UTF-8 comes to an end too", () => {
    const bytes = Buffer.alloc(10, 0x80);
    expect(pageOf(bytes, 0, 4)).toMatchObject({ from: 10, next: null });
    const mixed = Buffer.concat([Buffer.from("a"), bytes]);
    for (let from: number | null = 0; from !== null; ) {
      const { next } = pageOf(mixed, from, 4);
      expect(next === null || next > from).toBe(true);
      from = next;
    }
  });
});
