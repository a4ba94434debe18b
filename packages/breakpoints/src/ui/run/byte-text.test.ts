import { describe, expect, it } from "vitest";
import type { FilePart } from "../model/run-source.js";
import { firstCharacter, readWhole, textPage, wholeLength } from "./byte-text.js";

const TEXT = "a ü € 😀 \u{feff}z\n";
const BYTES = new TextEncoder().encode(TEXT);

function partsOf(most: number): (from: number) => Promise<FilePart> {
  return (from) => {
    const bytes = BYTES.subarray(from, from + most);
    const end = from + bytes.length;
    return Promise.resolve({ bytes, next: end < BYTES.length ? end : null, size: BYTES.length });
  };
}

describe("parts of files as text", () => {
  it.each([1, 2, 3, 4, 5, 7, 100])("cut after every %d bytes, no character is torn", async (most) => {
    const readFrom = partsOf(Math.max(4, most));
    let text = "";
    for (let from: number | null = 0; from !== null; ) {
      const page = textPage(await readFrom(from), from);
      text += page.text;
      from = page.next;
    }
    expect(text).toBe(TEXT);
    expect(await readWhole(partsOf(most))).toEqual(BYTES);
  });

  it("the beginning of a character is found at both ends", () => {
    const euro = new TextEncoder().encode("€");
    expect([0, 1, 2, 3].map((length) => wholeLength(euro.subarray(0, length)))).toEqual([0, 0, 0, 3]);
    expect([0, 1, 2].map((from) => firstCharacter(euro.subarray(from)))).toEqual([0, 2, 1]);
  });

  it("bytes that are no text at all are not waited for", () => {
    expect(wholeLength(new Uint8Array([0x80, 0x80, 0x80, 0x80]))).toBe(4);
    const page = textPage({ bytes: new Uint8Array([0xf0]), next: 1, size: 9 }, 0);
    expect(page.next).toBe(1);
  });

  it("a source that does not get on is no endless loop", async () => {
    const stuck = (): Promise<FilePart> => Promise.resolve({ bytes: new Uint8Array(), next: 0, size: 5 });
    await expect(readWhole(stuck)).rejects.toThrow("cannot be read");
  });
});
