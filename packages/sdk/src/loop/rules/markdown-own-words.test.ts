import { describe, expect, it } from "vitest";
import { ownWords } from "./markdown-own-words.js";

/**
 * Every `x` of the lines is to be shown rather than said, every `o` said. Gives nothing when that is so, else the lines
 * as they were taken.
 */
function misread(...lines: string[]): string[] {
  const text = lines.join("\n");
  const words = ownWords(text);
  const read = Array.from({ length: text.length }, (_, at) => {
    const char = text.charAt(at);
    if (char === "\n" || words.charAt(at) === "\n") return words.charAt(at);
    if (char !== "x" && char !== "o") return char;
    return words.charAt(at) === "\0" ? "x" : "o";
  });
  const result = read.join("");
  return result === text && words.length === text.length ? [] : result.split("\n");
}

describe("fenced code", () => {
  it("is shown up to a line of as many marks", () => {
    expect(misread("o", "```x", "x", "```", "o")).toEqual([]);
    expect(misread("o", "~~~ x `x` ~~~", "x", "~~~~~ ", "o")).toEqual([]);
    expect(misread("````", "x", "```", "x", "````", "o")).toEqual([]);
    expect(misread("~~~", "x", "```", "x", "~~~~", "o", "~~~", "x")).toEqual([]);
    expect(misread("```", "x", "``` x", "x", "~~~", "x", "   ```\t", "o")).toEqual([]);
    expect(misread("```", "x", "", "    ```", "x", "\t```", "x")).toEqual([]);
    expect(misread("   ```", "x", "``", "", "x")).toEqual([]);
  });

  it("needs three marks, and no backtick behind those of the first line", () => {
    expect(misread("``", "o", "")).toEqual([]);
    expect(misread("~~", "o", "")).toEqual([]);
    expect(misread("o ```", "o", "")).toEqual([]);
    expect(misread("``` o ` o", "o", "")).toEqual([]);
    expect(misread("```x```", "o")).toEqual([]);
    expect(misread("~~~ x ~~~", "x")).toEqual([]);
  });

  it("ends a paragraph and a quotation", () => {
    expect(misread("o `o", "```", "x", "```", "o` o")).toEqual([]);
    expect(misread("> x", "```", "x", "```", "o")).toEqual([]);
  });

  it("may be in a list item", () => {
    expect(misread("- ```x", "  x", "  ```", "o")).toEqual([]);
    expect(misread("1. o", "   ```x", "   x", "   ```", "o")).toEqual([]);
    expect(misread("12. o", "", "       ```x", "       x", "       ```", "", "o")).toEqual([]);
    expect(misread("- o", "", "  ```", "x", "      ```", "  x", "     ```", "o")).toEqual([]);
  });
});

describe("indented code", () => {
  it("is shown from four columns on", () => {
    expect(misread("    x")).toEqual([]);
    expect(misread("\tx")).toEqual([]);
    expect(misread("  \tx")).toEqual([]);
    expect(misread("o", "", "    x", "", "      x", "   o")).toEqual([]);
    expect(misread("```", "x", "```", "    x")).toEqual([]);
    expect(misread("    - x", "    > x", "    ```", "o")).toEqual([]);
  });

  it("does not begin within a paragraph", () => {
    expect(misread("o", "    o", "\to", "    > o", "    ```", "o")).toEqual([]);
    expect(misread("> x", "    x")).toEqual([]);
  });

  it("is counted from where the text of the list item begins", () => {
    expect(misread("- o", "", "    o", "", "      x", "", "     o")).toEqual([]);
    expect(misread("- o", "", "\to", "", "\t\tx")).toEqual([]);
    expect(misread("1. o", "", "      o", "", "       x")).toEqual([]);
    expect(misread("10) o", "", "       o", "", "        x")).toEqual([]);
    expect(
      misread(
        "+ o",
        "  * o",
        "",
        "       o",
        "",
        "        x",
        "",
        "      o",
        "",
        "     o",
        "",
        "   o",
        "",
        "      x",
        "",
        " o",
        "",
        "    x",
      ),
    ).toEqual([]);
    expect(misread("- o", "o", "", "    x")).toEqual([]);
    expect(misread("-     x", "", "  o", "", "     o", "", "      x")).toEqual([]);
    expect(misread("-    o", "", "        o", "", "         x")).toEqual([]);
    expect(misread("-\to", "", "       o", "", "        x")).toEqual([]);
    expect(misread("-", "", "     o", "", "      x")).toEqual([]);
    expect(misread("- - o", "", "       o", "", "        x", "", "  o", "", "      x")).toEqual([]);
    expect(misread(" - o", "", "      o", "", "       x")).toEqual([]);
  });

  it("knows a list item by its marker", () => {
    for (const marker of ["-o", "1.o", "1234567890. o", "1: o", ". o", "a. o", "– o"])
      expect(misread(marker, "", "    x")).toEqual([]);
    for (const marker of ["- o", "+ o", "* o", "1. o", "1) o", "1.", "*\to"])
      expect(misread(marker, "", "    o")).toEqual([]);
    expect(misread("123456789) o", "", "              o", "", "               x")).toEqual([]);
    expect(misread("o 1. o", "", "    x")).toEqual([]);
  });
});

describe("a block quote", () => {
  it("is shown up to an empty line", () => {
    expect(misread(">x", "> x", ">", "   > x", "x", "", "o")).toEqual([]);
    expect(misread("o", "> x", "x", "- x", " \t", "o")).toEqual([]);
    expect(misread("o > o", "o")).toEqual([]);
    expect(misread("- > x", "  x", "", "  o")).toEqual([]);
    expect(misread("1. - > x", "", "o")).toEqual([]);
  });

  it("ends a paragraph", () => {
    expect(misread("o `o", "> x", "", "o` o")).toEqual([]);
    expect(misread("> x ``` x", "", "o")).toEqual([]);
    expect(misread("o `o", "> x", "    x", "", "o` o")).toEqual([]);
  });
});

describe("HTML", () => {
  it("is shown when it is a comment or preformatted, with the whole of its lines", () => {
    expect(misread("o", "<!-- x -->", "o")).toEqual([]);
    expect(misread("  <!-- x", "", "x", "```", "x --> x", "o")).toEqual([]);
    expect(misread("<pre>", "x", "", "x", "</pre> x", "o")).toEqual([]);
    expect(misread("<!--", "x", "</pre>", "x")).toEqual([]);
    expect(misread("<pre>x</pre> x", "o")).toEqual([]);
    expect(misread("<preface>o", "o", "<!o", "o")).toEqual([]);
    expect(misread("o `o", "<!-- x -->", "o` o")).toEqual([]);
    expect(misread("> x", "<!-- x -->", "o")).toEqual([]);
  });

  it("within a paragraph is a comment only if it ends there", () => {
    expect(misread("o <!-- x", "x --> o <!-- x --> o")).toEqual([]);
    expect(misread("o <!-- o", "", "o --> o")).toEqual([]);
    expect(misread("o --> o <!-- o", "o")).toEqual([]);
    expect(misread("o <!-- x ` x --> o ` o")).toEqual([]);
    expect(misread("o `<!-- x` o --> o")).toEqual([]);
  });
});

describe("inline code", () => {
  it("is shown between runs of backticks of one length", () => {
    expect(misread("o `x` o ``x ` x`` o `x`", "o ```x`` x` x", "x``` o")).toEqual([]);
    expect(misread("o ` o `` o ``` o")).toEqual([]);
    expect(misread("o `` o ` x ` o ``` o")).toEqual([]);
    expect(misread("o `x", "x` o", "o `o", "", "o` o")).toEqual([]);
    expect(misread("`x` o `x` o `o")).toEqual([]);
  });

  it("ends with its list item", () => {
    expect(misread("- o `o", "- o` o", "- o `x", "  x` o")).toEqual([]);
  });

  it("does not begin with an escaped backtick, but ends with one", () => {
    expect(misread("\\`o` o")).toEqual([]);
    expect(misread("\\`o`` o")).toEqual([]);
    expect(misread("\\a o --> o")).toEqual([]);
    expect(misread("\\`o `x` o")).toEqual([]);
    expect(misread("\\\\`x` o")).toEqual([]);
    expect(misread("`x\\` o `o")).toEqual([]);
    expect(misread("\\``x` o")).toEqual([]);
    expect(misread("o \\", "`x` o")).toEqual([]);
  });
});

describe("a quotation", () => {
  it("is shown between its marks, over several lines, too", () => {
    expect(misread('o "x x" o', '"x', 'x" o')).toEqual([]);
    expect(misread('o ("x") o ["x"] {"x"} *"x"* _"x"_ "x". "x", "x"; "x": "x"! "x"? o')).toEqual([]);
    expect(misread('"', "x", "", "x", '"', "o")).toEqual([]);
    expect(misread("o “x", "", "x” o")).toEqual([]);
    expect(misread("o 'x", "x' o ‘x", "x’ o")).toEqual([]);
    expect(misread("o “x ‘x’ x” o", "o \"x 'x' x\" o", "o ‘x “x’ x” o")).toEqual([]);
  });

  it("in single marks ends with its paragraph", () => {
    expect(misread("o 'o", "", "o' o")).toEqual([]);
    expect(misread("o ‘o", " \t", "o’ o")).toEqual([]);
    expect(misread("o 'x", "x' o", "", "o 'x' o")).toEqual([]);
  });

  it("needs both marks, each where it can be", () => {
    expect(misread('5" o 6" o', "o don't o won't o", "o don’t o won’t o")).toEqual([]);
    expect(misread('o "o o', "", "o ”o “o")).toEqual([]);
    expect(misread('"o "x" o')).toEqual([]);
    expect(misread('o "x"')).toEqual([]);
    expect(misread("o“x”o", "o‘x’ o")).toEqual([]);
    expect(misread("o ’o o’ o", "o ”o o” o", "“ o “ x ” o ” o", "‘ o ‘ x ’ o ’ o")).toEqual([]);
    expect(misread("“o “x” o”")).toEqual([]);
    expect(misread("o's 'x's x' o", "o ‘x’s x’ o")).toEqual([]);
    expect(misread('o"o"o', 'o" "o o')).toEqual([]);
    expect(misread("o 'x\" x' o\"")).toEqual([]);
  });

  it("is not begun or ended by code", () => {
    expect(misread('o `"` o', 'o" o')).toEqual([]);
    expect(misread('o "o', "```", '"', "```", "o", '> x" x', "", "o")).toEqual([]);
    expect(misread('"x `"` x" o')).toEqual([]);
  });
});

describe("all of it", () => {
  it("is said where nothing is special", () => {
    for (const text of ["", "\n", "o", "\n\no\n", "\0", "\uD83D", "a\r\nb"]) expect(ownWords(text)).toBe(text);
  });

  it("is replaced character by character", () => {
    expect(ownWords("a `🎉b` c\n> d\n")).toBe("a \0\0\0\0\0 c\n\0\0\0\n");
  });
});
