import { describe, expect, it } from "vitest";
import { findTags, promiseMatches } from "./promise-grammar.js";

const TAG = "<promise>DONE</promise>";
const isSaid = (text: string): boolean => promiseMatches([text], "DONE");

describe("a long text", () => {
  it("is read in one go, whatever it is", { timeout: 60_000 }, () => {
    const patterns = [
      "<promise>",
      "</promise>",
      TAG,
      `${TAG} `,
      `${TAG}\n`,
      `${TAG}\n\n`,
      `*${TAG}`,
      "x",
      " ",
      "\n",
      "\r",
    ];
    patterns.push(
      "\t",
      "\u00A0",
      "`",
      "` ",
      "`` ` ",
      "\\`",
      "```\n",
      "~",
      "~~~\n",
      "- ",
      "* ",
      "1. ",
      "-\n",
      "> ",
      ">\n",
    );
    patterns.push(
      "  - x\n",
      "\t- x\n",
      "<!--",
      "<!-- ",
      "-->",
      "x <!--",
      "<!--\n",
      '"',
      ' "',
      '" ',
      "'",
      " '",
      "“",
      "”",
    );
    patterns.push("“”", "’", "*", "_", "✅ ", "🎉", "a. ", "!)", "\n\n ", "(", "1", "a", "#", "\0");
    for (const pattern of patterns) {
      const long = pattern.repeat(Math.floor(150_000 / pattern.length));
      expect(isSaid(`${TAG}\n\n${long}`)).toBe(true);
      expect(findTags(`${long}\n\nx ${long} ${TAG}x`, "promise")).toBeInstanceOf(Array);
    }
    const runs = Array.from({ length: 1400 }, (_, length) => "`".repeat(length)).join(" ");
    expect(isSaid(`${runs}\n${TAG}`)).toBe(true);
  });
});
