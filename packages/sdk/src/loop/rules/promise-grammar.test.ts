import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTags, normalised, promiseMatches, saidTags, withExactTags } from "./promise-grammar.js";

const TAG = "<promise>DONE</promise>";
const isSaid = (...blocks: string[]): boolean => promiseMatches(blocks, "DONE");

const saidIn = (texts: readonly string[]): string[] => texts.filter((text) => isSaid(text));
const unsaidIn = (texts: readonly string[]): string[] => texts.filter((text) => !isSaid(text));

describe("L4: promise matching is exact, case-sensitive, white-space-normalised, without globbing", () => {
  it("L4: exact and case-sensitive", () => {
    for (const said of [
      "done",
      "Done",
      "DONE!",
      "DONE.",
      "DON",
      "DONE DONE",
      "",
      "DÖNE",
      "`DONE`",
      "**DONE**",
      "D\u200BONE",
    ])
      expect(promiseMatches([`<promise>${said}</promise>`], "DONE")).toBe(false);
    expect(isSaid(TAG)).toBe(true);
    expect(promiseMatches(["<promise>`npm test` is *green*</promise>"], "`npm test` is *green*")).toBe(true);
  });

  it("L4: white space is normalised on both sides", () => {
    expect(promiseMatches(["<promise> All   tests\r\n\tpassing\u00A0</promise>"], "  All tests\u00A0 passing\n")).toBe(
      true,
    );
    expect(promiseMatches(["<promise>All tests</promise>"], "Alltests")).toBe(false);
    expect(normalised("\r\n a \t\u00A0\u3000b\u2028\rc\n\n")).toBe("a b c");
    expect(normalised("a\0 \u200B b")).toBe("a\0 \u200B b");
    expect(normalised(" \n ")).toBe("");
  });

  it("L4: neither side is a pattern", () => {
    for (const [said, promise] of [
      ["D*", "DONE"],
      ["DONE", "D*"],
      ["DONE", "D.NE"],
      ["DONE", ".*"],
      ["DONE", "[A-Z]+"],
      ["D?NE", "DONE"],
      ["", "(|x)"],
    ] as const)
      expect(promiseMatches([`<promise>${said}</promise>`], promise)).toBe(false);
    for (const text of [
      "D*",
      "^(a|b)+$",
      "\\",
      "$&",
      "[",
      "a < b > c",
      "</p>",
      "שלום עולם",
      "🎉 fertig",
      "a\0b",
      "\u202Eabc",
    ])
      expect(promiseMatches([`<promise>${text}</promise>`], text)).toBe(true);
  });

  it("L4: across text blocks, any of the tags counts for what only has to be said", () => {
    expect(isSaid("Part one.", TAG, "Part two.")).toBe(true);
    expect(isSaid(`<promise>OTHER</promise>\n\n${TAG}\n\n<promise>LAST</promise>`)).toBe(true);
    expect(isSaid("<promise>DO", "NE</promise>")).toBe(false);
    expect(isSaid()).toBe(false);
  });

  it("an empty promise is never said", () => {
    for (const promise of ["", " ", "\n\u00A0"])
      expect(promiseMatches(["<promise></promise>", "<promise> </promise>"], promise)).toBe(false);
  });
});

describe("tags of several names", () => {
  const text =
    "<promise>a</promise>\n\n<loop-blocked>b</loop-blocked>\n\n<promise>c</promise>\n\n`<promise>d</promise>`";

  it("are given in the order of the text", () => {
    expect(saidTags(text)).toEqual([
      { name: "promise", content: "a" },
      { name: "loop-blocked", content: "b" },
      { name: "promise", content: "c" },
    ]);
    expect(saidTags(text, ["loop-blocked", "loop-complete"])).toEqual([{ name: "loop-blocked", content: "b" }]);
    expect(saidTags("Nothing.")).toEqual([]);
  });

  it("can be meant, with capitals and white space in them", () => {
    expect(withExactTags("< Promise >X</ PROMISE\n>\n<Loop-Complete>y</loop-complete >")).toBe(
      "<promise>X</promise>\n<loop-complete>y</loop-complete>",
    );
    expect(withExactTags("<promises>X</p> a < b > c <promise id='1'>")).toBe(
      "<promises>X</p> a < b > c <promise id='1'>",
    );
  });
});

describe("a tag", () => {
  it("has to be written to the letter", () => {
    expect(
      saidIn([
        "DONE",
        "promise DONE",
        "<promise>DONE",
        "DONE</promise>",
        "</promise>DONE<promise>",
        "<promise>DONE<promise>",
        "<promise/>DONE</promise>",
        '<promise id="1">DONE</promise>',
        "<promise >DONE</promise>",
        "< promise>DONE</promise>",
        "<promise>DONE</promise >",
        "<promise>DONE</ promise>",
        "<PROMISE>DONE</PROMISE>",
        "<Promise>DONE</promise>",
        "<promise>DONE</Promise>",
        "<pro\nmise>DONE</promise>",
        "<promise\n>DONE</promise>",
        "<promise>DONE</pro\nmise>",
        "<promises>DONE</promises>",
        "&lt;promise&gt;DONE&lt;/promise&gt;",
        "[promise]DONE[/promise]",
        "<loop-complete>DONE</loop-complete>",
        "\\<promise>DONE</promise>",
      ]),
    ).toEqual([]);
  });

  it("gives its content, in the order of the text, and only that of the name asked for", () => {
    const text =
      "<promise>a</promise>\n\n<loop-blocked>why</loop-blocked>\n<promise>\n b\n\n c\n</promise>\n<promise></promise>";
    expect(findTags(text, "promise")).toEqual(["a", "b c", ""]);
    expect(findTags(text, "loop-blocked")).toEqual(["why"]);
    expect(findTags(text, "loop-complete")).toEqual([]);
  });

  it("may span lines with lists and code in it", () => {
    expect(
      findTags(
        "Finished.\n\n<loop-complete>\nAll success criteria satisfied:\n- `npm test`: ✓\n- [lint]: ✓\n\n```\nok\n```\n</loop-complete>\n",
        "loop-complete",
      ),
    ).toEqual(["All success criteria satisfied: - `npm test`: ✓ - [lint]: ✓ ``` ok ```"]);
    expect(findTags('<loop-blocked>\r\nno access\r\nto "prod"\r\n</loop-blocked>\r\nBye.', "loop-blocked")).toEqual([
      'no access to "prod"',
    ]);
  });

  it("within another one of its name does not count, nor does that", () => {
    const find = (text: string): string[] => findTags(text, "promise");
    expect(find(`<promise>${TAG}</promise>`)).toEqual([]);
    expect(find(`<promise>\n${TAG}\n</promise>`)).toEqual([]);
    expect(find(`<promise>\n${TAG}\n${TAG}\n</promise>`)).toEqual([]);
    expect(find(`<promise>\n<promise>\n${TAG}\n</promise>\n${TAG}\n</promise>`)).toEqual([]);
    expect(find(`<promise>A</promise>\n<promise>\n${TAG}\n</promise>\n<promise>B</promise>`)).toEqual(["A", "B"]);
  });

  it("counts in spite of one that is only opened or only closed", () => {
    expect(
      unsaidIn([
        `I use the <promise> tag now.\n\n${TAG}`,
        `<promise>\n${TAG}`,
        `</promise>\n${TAG}`,
        `${TAG}\n</promise>`,
        `${TAG}\n<promise>`,
        `Between <promise> and </promise> I write it.\n${TAG}\nBye.`,
      ]),
    ).toEqual([]);
  });

  it("counts each time it is said", () => {
    expect(findTags(`${TAG}\n${TAG}\n\n${TAG}`, "promise")).toEqual(["DONE", "DONE", "DONE"]);
    expect(findTags(`${TAG} ${TAG}`, "promise")).toEqual([]);
    expect(findTags(`${TAG}${TAG}\nBye.`, "promise")).toEqual([]);
    expect(findTags(`${TAG} and ${TAG}\n${TAG}`, "promise")).toEqual(["DONE"]);
  });
});

describe("alone on its lines", () => {
  it("a tag counts wherever the lines are", () => {
    expect(
      unsaidIn([
        TAG,
        `\n\n  ${TAG}  \n\n`,
        `Implementation complete!\n\n${TAG}`,
        `Text without an end\n${TAG}\nMore text`,
        `- one\n- two\n${TAG}`,
        `- one\n${TAG}\n- two`,
        `${TAG}\nall of it works`,
        `Works.\n${TAG}\nall of it`,
        `It works\n\n${TAG}\n\nall of it`,
        `\r\nDone!\r\n${TAG}\r\nBye.`,
        `Old Mac\r${TAG}\rBye.`,
        "<promise>\nDONE\n</promise>\nBye.",
        "Bye.\n<promise>DONE\n</promise>",
        "<promise>\r\n\r\nDONE</promise>\t\nBye.",
        `\uFEFF${TAG}\nBye.`,
        `\u00A0${TAG}\u00A0\nBye.`,
        `# Result\n${TAG}\n---\nBye.`,
        `${TAG}\n\n\`\`\`\nnever closed`,
      ]),
    ).toEqual([]);
  });

  it("a tag counts with emphasis and cheer around it", () => {
    expect(
      unsaidIn([
        `**${TAG}**\nBye.`,
        `__${TAG}__\nBye.`,
        `***${TAG}***\nBye.`,
        `✅ ${TAG}\nBye.`,
        `${TAG} ✔️\nBye.`,
        `🎉 **${TAG}** 🎉\nBye.`,
        `✓☑✨${TAG}\nBye.`,
      ]),
    ).toEqual([]);
  });

  it("a tag does not count with anything else beside it", () => {
    expect(
      saidIn([
        `x ${TAG}`,
        `${TAG} x`,
        `${TAG}.`,
        `${TAG} yet.\nBye.`,
        `- ${TAG}`,
        `* ${TAG}`,
        `  * ✅ ${TAG}`,
        `+ ${TAG}`,
        `1. ${TAG}`,
        `12) ${TAG}`,
        `a. ${TAG}`,
        `- [x] ${TAG}`,
        `# ${TAG}`,
        `| ${TAG} |`,
        `| ${TAG}`,
        `~~${TAG}~~`,
        `(${TAG})`,
        `"${TAG}"`,
        `'${TAG}'`,
        `“${TAG}”`,
        `\`${TAG}\``,
        `❌ ${TAG}`,
        `🚫 ${TAG}`,
        `🎊 ${TAG}`,
        `${TAG} 🚫`,
        `→ ${TAG}`,
        `│ ${TAG} │`,
        `\u200B${TAG}`,
        `\0${TAG}`,
        `x <promise>\nDONE\n</promise>\nBye.`,
        `<promise>\nDONE\n</promise> x\nBye.`,
        `<promise> means <promise>DONE</promise>`,
      ]),
    ).toEqual([]);
  });

  it("a tag does not count where a sentence was only broken into lines", () => {
    expect(
      saidIn([
        `I will not output\n${TAG}\nuntil all is green.`,
        `I will not output  \n  ${TAG}\n  yet.`,
        `When all is green I say:\n${TAG}\nbut not before.`,
        `There are 3 times 7\n${TAG}\nélan.`,
        `So,\n${TAG}\nas I said;`,
        `So;\n${TAG}\nas I said.`,
      ]),
    ).toEqual([]);
    expect(unsaidIn([`I will not output\n${TAG}\nUntil all is green.`, `Green!\n${TAG}\nand so on.`])).toEqual([]);
  });

  it("L4: a tag after a colon is announced, and said only when nothing follows", () => {
    expect(
      saidIn([
        `I can not yet say:\n\n${TAG}\n\nbecause the tests are red.`,
        `I can not yet say:\n\n${TAG}\n\nThe tests are red.`,
        `**Not yet:**\n${TAG}\nBye.`,
        `Not yet: 🎉\n\n \n${TAG}\n\n\nBye.`,
        `还不能说：\n\n${TAG}\n\n测试失败。`,
        `Done:\n${TAG}\nBye.`,
        `Not yet:\n\n${TAG}\n\n\`\`\`\nnpm test\n\`\`\``,
        `Not yet:\n\n${TAG}\n\n> red`,
        `Not yet:\n\n${TAG}\n\n<promise>OTHER</promise>`,
      ]),
    ).toEqual([]);
    expect(
      unsaidIn([
        `All is green, so I say:\n\n${TAG}`,
        `All is green, so I say:\n${TAG}\n\n`,
        `**Result:**\n\n${TAG} 🎉\n\n✅\n`,
        `Result: green.\n\n${TAG}\n\nBye.`,
      ]),
    ).toEqual([]);
  });
});

describe("at the end of a text", () => {
  it("L4: a tag after a finished statement counts", () => {
    expect(
      unsaidIn([
        `All done. ${TAG}`,
        `All done.${TAG}\n\n`,
        `All done! ${TAG}`,
        `**All done.** ${TAG}`,
        `**All done!** ✅ **${TAG}**`,
        `All done 🎉! 🎉 ${TAG} 🎉\n ✅\n`,
        `All done (twice.) ${TAG}`,
        `All (really) done.) ${TAG}`,
        `All done (twice). ${TAG}`,
        `I ran \`npm test\`. ${TAG}`,
        `完成了。${TAG}`,
        `完成了！${TAG}`,
        `काम हो गया। ${TAG}`,
        `تم العمل. ${TAG}`,
        `کام ہو گیا۔ ${TAG}`,
        `Noël e\u0301te\u0301. ${TAG}`,
        `- All done. ${TAG}`,
        `Earlier text\nAll done. <promise>\nDONE\n</promise>`,
        `The <promise> tag comes now.\nAll done. ${TAG}`,
      ]),
    ).toEqual([]);
  });

  it("L4: a tag in a negation or an intention does not count", () => {
    expect(
      saidIn([
        `Hey! I will not output ${TAG}`,
        `I won't output ${TAG}`,
        `I don't say ${TAG}`,
        `I never say ${TAG}`,
        `Not yet ${TAG}`,
        `Not yet: ${TAG}`,
        `Not yet, ${TAG}`,
        `Not yet... ${TAG}`,
        `Not yet… ${TAG}`,
        `Not yet - ${TAG}`,
        `I go on until I can say ${TAG}`,
        `I would output ${TAG}`,
        `When done I'll say ${TAG}`,
        `When done I'll say: ${TAG}`,
        `When done I'll say 🎉 ${TAG}`,
        `Once green → ${TAG}`,
        `Shall I say it? ${TAG}`,
        `I'd print, e.g. ${TAG}`,
        `That is, i.e. ${TAG}`,
        `Step 2. ${TAG}`,
        `Plan B. ${TAG}`,
        `Answer: ${TAG}`,
        `All done ${TAG}`,
        `2. ${TAG}`,
        `! ${TAG}`,
        `10! ${TAG}`,
        `All done. I will not say ${TAG}`,
        `All done. "${TAG}`,
        `The <promise> tag. ${TAG}`,
        `All done.\n\nNot: ${TAG}`,
      ]),
    ).toEqual([]);
  });

  it("a tag behind a statement does not count when anything follows", () => {
    expect(
      saidIn([
        `All done. ${TAG} x`,
        `All done. ${TAG}\nBye.`,
        `All done. ${TAG}\n\n\n.`,
        `All done. ${TAG}\n<promise>`,
        `All done. ${TAG} ${TAG}`,
        `All done. ${TAG}\n> quoted`,
        `All done. ${TAG}\n\`\`\``,
      ]),
    ).toEqual([]);
  });
});

describe("any text", () => {
  const word = fc.constantFrom(
    "All",
    "done.",
    "not",
    "yet",
    "tests",
    "I",
    "`code`",
    "a < b",
    "5 > 4",
    "(x)",
    "été",
    "漢字",
    "🎉",
    "<promise>",
    "\0",
  );
  const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `x ${words.join(" ")}`);
  const paragraph = fc
    .tuple(fc.constantFrom("", "- ", "1. ", "# ", "  "), fc.array(line, { minLength: 1, maxLength: 4 }))
    .map(([mark, lines]) => mark + lines.join("\n"));
  const paragraphs = fc.array(paragraph, { maxLength: 5 }).map((all) => all.join("\n\n"));
  const tagged = fc
    .tuple(paragraphs, paragraphs, fc.constantFrom(TAG, "<promise>\nDONE\n</promise>", `**${TAG}**`))
    .map(([above, below, tag]) => `${above}\n\n${tag}\n\n${below}`);

  it("with a tag on a line of its own between two paragraphs says it", () => {
    fc.assert(
      fc.property(tagged, fc.constantFrom("\n", "\r\n", "\r"), (text, lineEnd) => {
        expect(isSaid(text.replaceAll("\n", lineEnd))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("does not say it any more once it is fenced, quoted, indented or commented out", () => {
    const prefixed = (text: string, mark: string): string => text.replace(/^/gm, mark);
    const wraps: ((text: string) => string)[] = [
      (text) => `\`\`\`\n${text}\n\`\`\``,
      (text) => `~~~~~ md\n${text}\n~~~~~`,
      (text) => `- item\n\n  \`\`\`\`\n${prefixed(text, "  ")}`,
      (text) => prefixed(text, "> "),
      (text) => prefixed(text, "        "),
      (text) => prefixed(text, "\t\t"),
      (text) => prefixed(text, "| "),
      (text) => `<!-- \n${text}\n-->`,
      (text) => `<pre>\n${text}\n</pre>`,
      (text) => `"${text}"`,
      (text) => `He wrote: “${text}”`,
    ];
    fc.assert(
      fc.property(tagged, fc.constantFrom(...wraps), paragraphs, (text, wrap, around) => {
        expect(isSaid(`${around}\n\n${wrap(text)}\n\n${around}`)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("never makes it fail, and gives nothing that is not in it", () => {
    const marks = [
      "<promise>",
      "</promise>",
      "a",
      "A",
      ".",
      " ",
      "\n",
      "\r",
      "\t",
      "    ",
      "`",
      "```",
      "~~~",
      ">",
      "- ",
    ];
    marks.push("1. ", "<!--", "-->", '"', "'", "“", "”", "’", "\\", "*", "\0", "\uD83D", "🎉");
    const pieces = fc.constantFrom(...marks);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        const whole = normalised(text);
        expect(findTags(text, "promise").filter((content) => !whole.includes(content))).toEqual([]);
      }),
      { numRuns: 5000 },
    );
  });
});
