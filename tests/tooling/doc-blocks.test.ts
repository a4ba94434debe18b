import { describe, expect, it } from "vitest";
import { type CommandStep, compareOutput, readBlocks, readSteps, renderDifference } from "../../tools/doc-blocks.mjs";

const page = (...lines: string[]): string => `# Page\n\n${lines.join("\n")}\n`;
const run = (...lines: string[]): string => page("```console run", ...lines, "```");
const commandsOf = (text: string): Partial<CommandStep>[] =>
  readSteps(text).steps.map((step) => {
    if (step.kind === "file") throw new Error("a file");
    return { command: step.command, exit: step.exit, answers: step.answers, output: step.output };
  });
const problemsOf = (text: string): string[] => readSteps(text).problems.map(({ line, what }) => `${line}: ${what}`);

describe("blocks", () => {
  it("have a language, tags, the line of their fence and their text", () => {
    const { blocks, problems } = readBlocks(
      page("```js file=a/b.mjs append", "one();", "", "```", "text", "```", "```"),
    );
    expect(problems).toEqual([]);
    expect(blocks).toMatchObject([
      { line: 3, language: "js", run: false, append: true, file: "a/b.mjs", lines: ["one();", ""], text: "one();\n\n" },
      { line: 8, language: "", run: false, text: "" },
    ]);
  });

  it("may stand in a list, and contain fences of fewer marks", () => {
    const { blocks } = readBlocks(page("1. Do it:", "   ````md", "   ```js", "     x", "   ```", "   ````"));
    expect(blocks).toMatchObject([{ language: "md", lines: ["```js", "  x", "```"] }]);
  });

  it.each([
    ["an unclosed block", "```js\nx", /never closed/u],
    ["an unknown word", "```console runn\n$ x\n```", /"runn" means nothing/u],
    ["a language that is not run", "```bash run\n$ x\n```", /Only a console block/u],
    ["append without a file", "```js append\n```", /needs file=name/u],
    ["both a file and a run", "```console run file=x\n$ x\n```", /either run or written/u],
    ["a file elsewhere", "```js file=../x.mjs\n```", /does not name a file in the folder/u],
    ["an absolute file", "```js file=/etc/x\n```", /does not name a file in the folder/u],
    ["a file without a name", "```js file=\n```", /does not name a file in the folder/u],
    ["output before a command", "```console run\nhello\n$ x\n```", /Output before the first command/u],
    ["a block without a command", "```console run\n```", /no command/u],
    ["a command that does not end", "```console run\n$ x \\\n```", /goes nowhere/u],
  ])("%s is a problem with its line", (_, text, message) => {
    expect(problemsOf(page(text))).toEqual([expect.stringMatching(/^[34]: /u)]);
    expect(problemsOf(page(text))[0]).toMatch(message);
  });
});

describe("steps", () => {
  it("are commands with their output, and files between them", () => {
    const text = page("```js file=a.mjs", "a", "```", "```console run", "$ one", "1", "", "$ two", "```");
    expect(readSteps(text).steps).toEqual([
      { kind: "file", line: 3, file: "a.mjs", append: false, text: "a\n" },
      { kind: "command", line: 7, command: "one", exit: 0, answers: [], output: ["1"] },
      { kind: "command", line: 10, command: "two", exit: 0, answers: [], output: [] },
    ]);
  });

  it("a command continues behind a backslash, and output does not", () => {
    expect(commandsOf(run("$ one \\", "  two \\", "  three", "out \\", "more"))).toEqual([
      { command: "one \\\n  two \\\n  three", exit: 0, answers: [], output: ["out \\", "more"] },
    ]);
  });

  it("notes behind a command say its exit code and what is typed; other comments stay", () => {
    expect(
      commandsOf(run("$ a    # exit 3", "$ b # answer: n # answer: not yet # exit 1", "$ c # answer:", "$ d # why")),
    ).toMatchObject([
      { command: "a", exit: 3, answers: [] },
      { command: "b", exit: 1, answers: ["n", "not yet"] },
      { command: "c", exit: 0, answers: [""] },
      { command: "d # why", exit: 0, answers: [] },
    ]);
  });

  it("blocks without run, in any language, are no steps", () => {
    expect(readSteps(page("```console", "$ a", "```", "```js", "x", "```"))).toEqual({ steps: [], problems: [] });
  });
});

describe("output", () => {
  it.each([
    ["the same", ["a", "b"], ["a", "b"]],
    ["nothing", [], ["", ""]],
    ["empty lines around it and spaces at the ends", ["", "a  ", ""], ["a", "", ""]],
    ["anything within a line", ["run … done in … s"], ["run r-1 done in 0.3 s"]],
    ["nothing in the place of anything", ["a…"], ["a"]],
    ["signs that a pattern would read", ["(a|b)* [c] $ ^ \\ … /"], ["(a|b)* [c] $ ^ \\ x /"]],
    ["any number of lines", ["a", "…", "d"], ["a", "b", "c", "d"]],
    ["no line", ["a", "…", "d"], ["a", "d"]],
    ["everything", ["…"], ["a", "b"]],
    ["a second try", ["…", "a", "b"], ["a", "c", "a", "b"]],
  ])("agrees: %s", (_, expected, printed) => {
    expect(compareOutput(expected, printed)).toBeUndefined();
  });

  it.each([
    ["another line", ["a", "b"], ["a", "c"], { expected: 1, printed: 1 }],
    ["too little", ["a", "b"], ["a"], { expected: 1, printed: 1 }],
    ["too much", ["a"], ["a", "b"], { expected: 1, printed: 1 }],
    ["output where none is shown", [], ["a"], { expected: 0, printed: 0 }],
    ["another beginning of the line", ["…a"], ["ab"], { expected: 0, printed: 0 }],
    ["spaces in front", ["a"], [" a"], { expected: 0, printed: 0 }],
    ["an empty line between", ["a", "b"], ["a", "", "b"], { expected: 1, printed: 1 }],
    ["nothing of the end after any lines", ["a", "…", "z"], ["a", "b"], { expected: 2, printed: 1 }],
  ])("differs: %s", (_, expected, printed, place) => {
    expect(compareOutput(expected, printed)).toEqual(place);
  });

  it("a difference shows what agrees, what the page says and what was printed", () => {
    expect(renderDifference(["a", "b"], ["a", "c", "d"], { expected: 1, printed: 1 })).toBe(
      "    a\n  - b\n  + c\n  + d",
    );
    expect(renderDifference(["a"], ["a", "b"], { expected: 1, printed: 1 })).toBe("    a\n  - (the end)\n  + b");
  });
});
