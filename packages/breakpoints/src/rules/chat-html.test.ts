import { expect, test } from "vitest";
import { HOSTILE_MARKUP } from "../../../../tests/fixtures/browser/hostile-markup.js";
import { HOSTILE } from "../../../../tests/fixtures/hostile-text.js";
import { parseTelegramHtml } from "../../../../tests/fixtures/notify/telegram-html.js";
import { htmlOf, type Line, LONGEST_MESSAGE } from "./chat-html.js";

const lines = (text: string): Line[] => [
  [{ text, as: "b" }, text],
  [{ text, as: "blockquote" }],
  [{ text, href: `https://inbox.test/?q="${text}"` }],
];

test.each(Object.entries({ ...HOSTILE_MARKUP, HOSTILE }))("B4: %s stays text", (_, text) => {
  const { text: shown, tags } = parseTelegramHtml(htmlOf(lines(text)));
  expect(tags.map((tag) => tag.split(" ")[0])).toEqual(["b", "blockquote", "a"]);
  expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\u202e]/u);
  // As much of it as is plain.
  const [plain = ""] = /^[ -~]*/u.exec(text.trim()) ?? [];
  expect(shown).toContain(plain);
});

test("B4: whatever is too long is cut between characters, within the limit, and the foot stays", () => {
  for (const piece of ["&", "<b>", "😀", '"', "x\n", "\u202e", "é"])
    for (const longest of [100, 101, 102, 103, LONGEST_MESSAGE]) {
      const html = htmlOf([["1 "], [{ text: piece.repeat(5_000), as: "b" }], ["never seen"]], {
        foot: [["end"]],
        longest,
      });
      expect(html.length).toBeLessThanOrEqual(longest);
      const { text } = parseTelegramHtml(html);
      expect(text).toMatch(/^1 \n?[^]*\nend$/u);
      expect(text).not.toMatch(/\p{Cs}|never seen/u);
      expect(text).toContain("…");
    }
});

test("what fits is not changed", () => {
  expect(htmlOf([["a\tb & c\r\nd"], [""], [{ text: "e", as: "code" }]])).toBe("a\tb &amp; c\nd\n\n<code>e</code>");
});
