import { expect, test } from "vitest";
import { missingGates } from "../model/code-versions.js";
import { scanGates } from "./gate-scan.js";

const gates = (text: string): string[] => scanGates(text, "p.mjs").map((gate) => gate.text);
/** Gates of the first text that the second one lacks. */
const lost = (before: string, after: string): string[] =>
  missingGates(scanGates(before, "p.mjs"), scanGates(after, "p.mjs")).map((gate) => gate.text);

test("finds calls in code, however they are written", () => {
  expect(gates("await ctx.breakpoint({ question: 'Go?' });")).toEqual(['{ question : "Go?" }']);
  expect(gates("ctx?.breakpoint('a'); ctx.breakpoint?.('b'); ctx\n  .breakpoint /* why */ ('c')")).toEqual([
    '"a"',
    '"b"',
    '"c"',
  ]);
  expect(gates("ctx.breakpoint<Answer<() => void>>('typed')")).toEqual(['"typed"']);
  expect(gates("log(`before ${await ctx.breakpoint(`${x})`)} after`)")).toHaveLength(1);
  expect(gates("ctx.breakpoint()")).toEqual([""]);
  expect(gates("ctx.breakpoint(ctx.breakpoint('inner'))")).toHaveLength(2);
});

test.each([
  ["a line comment", "// ctx.breakpoint('a')\nctx.log('b')"],
  ["a block comment", "/* \n ctx.breakpoint('a') \n*/"],
  ["a comment without end", "ctx.log('b') /* ctx.breakpoint('a')"],
  ["a string", `ctx.log("ctx.breakpoint('a')", 'it\\'s ctx.breakpoint()')`],
  ["the text of a template", "ctx.log(`ctx.breakpoint('a') \\${ctx.breakpoint('b')} $`)"],
  ["a regular expression", "if (/\\.breakpoint\\('a'\\)|[/]ctx.breakpoint('b')/u.test(x)) y()"],
  ["another name", "ctx.breakpoints('a'); ctx.my_breakpoint('a'); breakpoint('a'); ctx.breakpoint;"],
  ["a definition", "class A { breakpoint(x) { return x } }"],
])("does not take %s for a call", (_, text) => {
  expect(gates(text)).toEqual([]);
});

test.each([
  ["a division", "const a = b / 2; ctx.breakpoint('x'); const c = d / 3;"],
  ["a division behind brackets", "const a = (b) / f[1] / 2; // it's half\nctx.breakpoint('x')"],
  ["a division behind ++", "const a = i++ / 2; // isn't it\nctx.breakpoint('x')"],
  ["a regular expression with quotes", "const a = /[\"'`/]/; ctx.breakpoint('x')"],
  ["a regular expression behind a condition", "if (a) /'/.test(b);\nctx.breakpoint('x')"],
  ["a regular expression behind a keyword", "return /`/.test(b) || ctx.breakpoint('x')"],
  ["an apostrophe in a comment", "// it's\nctx.breakpoint('x')"],
  ["nested templates", "const a = `${b ? `${c}'` : '`'}`; ctx.breakpoint('x')"],
  ["a hashbang", "#!/usr/bin/env node it's\nctx.breakpoint('x')"],
  ["an escaped line break", "const a = 'b\\\n c'; ctx.breakpoint('x')"],
  ["a string that never ends", "const a = 'b\nctx.breakpoint('x')"],
])("sees a call behind %s", (_, text) => {
  expect(gates(text)).toEqual(['"x"']);
});

test("formatting, comments, quotes and trailing commas are no change", () => {
  const before = "await ctx.breakpoint({question:'Say \"yes\"?',options:['a','b']})";
  const after = `
    const answer = await context.breakpoint(
      {
        // Nobody is to miss this.
        question: "Say \\"yes\\"?",
        options: ["a", "b",],
      },
    );`;
  expect(lost(before, after)).toEqual([]);
  expect(lost(after, before)).toEqual([]);
});

test.each([
  ["removed", "ctx.log('Deploy?')"],
  ["commented out", "// ctx.breakpoint('Deploy?')\nctx.log('Deploy?')"],
  ["asked differently", "ctx.breakpoint('Deploy ?')"],
  ["given another argument", "ctx.breakpoint('Deploy?', { onReject: 'return' })"],
  ["made a string of", "ctx.log(\"ctx.breakpoint('Deploy?')\")"],
  ["replaced by another method", "ctx.breakpointed('Deploy?')"],
])("a gate that was %s is missing", (_, after) => {
  expect(lost("ctx.breakpoint('Deploy?')", after)).toEqual(['"Deploy?"']);
});

test("white space inside of texts counts", () => {
  expect(lost("ctx.breakpoint(`a  b`)", "ctx.breakpoint(`a b`)")).toHaveLength(1);
  expect(lost("ctx.breakpoint('a  b')", "ctx.breakpoint('a b')")).toHaveLength(1);
});

test("equal calls are counted, and the file does not matter", () => {
  const two = "ctx.breakpoint('a'); ctx.breakpoint('a');";
  expect(lost(two, "ctx.breakpoint('a');")).toHaveLength(1);
  expect(lost("ctx.breakpoint('a');", two)).toEqual([]);
  const moved = [...scanGates("ctx.breakpoint('a')", "b.mjs"), ...scanGates("ctx.breakpoint('a')", "c.mjs")];
  expect(missingGates(scanGates(two, "a.mjs"), moved)).toEqual([]);
});

test("a long text is scanned in time that grows with its length", () => {
  const line = "const a = `x${b}` + 'c' / 2; // it's\n/* * */ ctx.log(\"ctx.breakpoint()\");\n";
  const text = `${line.repeat(20_000)}${" ".repeat(200_000)}\`${"t".repeat(500_000)}\`;ctx.breakpoint('x')`;
  expect(gates(text)).toEqual(['"x"']);
});
