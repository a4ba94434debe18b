import { describe, expect, it } from "vitest";
import { findInHelp, findProse } from "../../tools/prose.mjs";

const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
const found = (text: string, isReference = false): string[] =>
  findProse(text, { isReference }).map(({ line, text: said }) => `${line} ${said}`);

describe("plain English", () => {
  it.each([
    ["a long sentence", `\nShort one.\nA ${words(40)}.`, ["3 A w0 w1 w2 w3 w4 …"]],
    ["a long cell of a table", `| a | ${words(41)} |`, ["1 w0 w1 w2 w3 w4 w5 …"]],
    ["a long item", `- one\n- ${words(41)}`, ["2 w0 w1 w2 w3 w4 w5 …"]],
    ["a word twice", "It is the the end.", ["1 the the"]],
    ["a word twice over a line", "It is\nthe\nthe end.", ["2 the the"]],
    ["a phrase", "The run goes on.", ["1 goes on"]],
    ["a phrase in a heading", "# Inside of it", ["1 Inside of"]],
    ["a phrase in a link", "See [what goes on](x.md).", ["1 goes on"]],
    [
      "a stack of passives",
      "What is made is kept until it was read, and then it is removed.",
      ["1 What is made is kept until …"],
    ],
  ])("%s is an offence, with its line", (_, text, offences) => {
    expect(found(text)).toEqual(offences);
  });

  it.each([
    ["forty words", `${words(40)}.`],
    ["two sentences", `${words(30)}. And ${words(30)}.`],
    ["two sentences of which one begins with code", `${words(30)}. \`x\` ${words(30)}.`],
    ["words that introduce a list", `${words(30)}:\n- ${words(30)}`],
    ["code in a line", "Use `goes on` or `a a` and `x` `x`."],
    ["a block", "```text\nThe the run goes on.\n```"],
    ["a quotation", "> It goes on on."],
    ["a comment", "<!-- it goes on\non and on -->"],
    ["what is generated", "<!-- generated:x -->\nIt goes on.\n<!-- /generated -->"],
    ["what may stand twice", "He knew that that was it."],
    ["three passives", "What is made is kept until it is read."],
  ])("%s is fine", (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it("tables of reference pages are not read", () => {
    expect(found("| it goes on |\nIt goes on.", true)).toEqual(["2 goes on"]);
  });

  it("is what help texts are in, all parts of them", () => {
    const [long, fine] = [`A ${words(40)}.`, "Shows a run."];
    const command = { name: "x:y", summary: fine, positionals: [{ help: fine }], options: { a: { help: fine } } };
    const wrong = [
      { ...command, summary: long },
      { ...command, details: `${fine} ${long}` },
      { ...command, positionals: [{ help: fine }, { help: long }] },
      { ...command, options: { a: { help: fine }, b: { help: long } } },
    ];
    expect(findInHelp([command])).toEqual([]);
    for (const one of wrong)
      expect(findInHelp([command, one])).toEqual([
        { name: "x:y", what: "a sentence of 41 words; at most 40", text: "A w0 w1 w2 w3 w4 …" },
      ]);
  });
});
