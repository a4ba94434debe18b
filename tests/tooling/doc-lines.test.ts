import { describe, expect, it } from "vitest";
import { programLines, shellCommands, slashLines } from "../../tools/doc-lines.mjs";

const wordsOf = (script: string): string[][] => shellCommands(script).map(({ words }) => words);

describe("a script", () => {
  it.each([
    ["words and quotes", `a 'b c' "d \\"e\\"" f\\ g`, [["a", "b c", 'd "e"', "f g"]]],
    ["an empty word", "a '' b", [["a", "", "b"]]],
    ["several commands", "a b; c && d | e || f\ng", [["a", "b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
    ["a command in a word", 'X=$(a b "$C") d', [["X="], ["a", "b", "$C"], ["d"]]],
    ["comments", "a # b; c\n# d\ne#f g", [["a"], ["e#f", "g"]]],
    ["lines that continue", "a \\\n  b\nc", [["a", "b"], ["c"]]],
    ["redirections", "a > b 2>&1 < /dev/null c", [["a", "c"]]],
    ["placeholders", "a <run id> --x <y>", [["a", "run-id", "--x", "y"]]],
  ])("has %s", (_, script, words) => {
    expect(wordsOf(script)).toEqual(words);
  });

  it("knows where its commands begin", () => {
    expect(shellCommands("a\n\nb \\\n c\nd").map(({ at }) => at)).toEqual([0, 2, 4]);
  });
});

describe("lines of a program", () => {
  it("are found in shell blocks and in code, with their places", () => {
    const text = [
      "Use `p one` or `p two [run or id]`, not `q p`.",
      "```sh",
      "X=1 nohup p three &",
      "q; p four \\",
      "  --five",
      "```",
      "```console",
      "$ p six",
      "p is printed",
      "```",
      "```js",
      "p()",
      "```",
    ].join("\n");
    expect(programLines(text, "p")).toEqual([
      { line: 3, args: ["three"] },
      { line: 4, args: ["four", "--five"] },
      { line: 8, args: ["six"] },
      { line: 1, args: ["one"], inline: true },
      { line: 1, args: ["two"], inline: true },
    ]);
  });

  it("are the steps of a CI job, on one line or several", () => {
    const job = [
      "```yaml",
      "steps:",
      "  - run: p one",
      "  - run: |",
      "      p two \\",
      "        --x",
      "",
      "      p three",
    ];
    expect(programLines([...job, "    name: p four", "    run: p five", "```"].join("\n"), "p")).toEqual([
      { line: 3, args: ["one"] },
      { line: 5, args: ["two", "--x"] },
      { line: 8, args: ["three"] },
      { line: 10, args: ["five"] },
    ]);
  });

  it("leave out what stands for more", () => {
    expect(programLines("`p run … [options]`", "p")).toEqual([{ line: 1, args: ["run"], inline: true }]);
  });
});

describe("slash lines", () => {
  it("are found in any block and in code; paths are none", () => {
    const text =
      "Type `/babysitter:resume <run>` or `/babysit`, not `/babysitter`.\n\n```text\n/babysit Do it --x 'y: z'\n```\n";
    expect(slashLines(text)).toEqual([
      { line: 4, verb: "babysit", args: "Do it --x 'y: z'" },
      { line: 1, verb: "resume", args: "run", inline: true },
      { line: 1, verb: "babysit", args: "", inline: true },
    ]);
  });
});
