import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible, visibleText } from "./visible.js";

const hiddenIn = (text: string): string[] =>
  visible(text).flatMap(({ text: piece, hidden }) => (hidden === undefined ? [] : [`${piece} ${hidden}`]));

describe("visible", () => {
  it("leaves text alone that hides nothing", () => {
    expect(visible("a\tb\nc é 漢字 مرحبا שלום")).toEqual([{ text: "a\tb\nc é 漢字 مرحبا שלום" }]);
    expect(visible("")).toEqual([]);
  });

  it("B8: names what reorders text, what acts on a terminal, and what has no width", () => {
    expect(hiddenIn("user\u202e \u2066// \u2069")).toEqual([
      "\\u{202e} right-to-left override",
      "\\u{2066} left-to-right isolate",
      "\\u{2069} end of an isolate",
    ]);
    expect(hiddenIn("\u001b[31m\r\u0007\u0000")).toEqual([
      "\\x1b escape",
      "\\x0d carriage return",
      "\\x07 bell",
      "\\x00 null character",
    ]);
    expect(hiddenIn("a\u200bb\ufeffc\u00add")).toEqual([
      "\\u{200b} zero-width space",
      "\\u{feff} byte order mark",
      "\\xad soft hyphen",
    ]);
    expect(hiddenIn("\u3164\u2800\u{e0041}\ud800")).toHaveLength(4);
  });

  it("keeps what emoji and scripts are joined with, one at a time", () => {
    for (const text of ["👩‍💻", "❤️", "1️⃣", "می‌خواهم", "👨‍👩‍👧"]) expect(visibleText(text)).toBe(text);
    expect(visibleText("pay\u200dpal")).toBe("pay\\u{200d}pal");
    expect(visibleText("é\u200d\u200d\u200dé")).toContain("\\u{200d}");
    expect(visibleText("❤\ufe0f\ufe0f\ufe01")).toBe("❤\ufe0f\\u{fe0f}\\u{fe01}");
  });

  it("says the same in pieces and as one string, and hides nothing in either", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const whole = visibleText(text);
        expect(
          visible(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(whole);
        expect(whole.replaceAll(/[\t\n]/g, "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b]/u);
      }),
    );
  });
});
