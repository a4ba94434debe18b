import { describe, expect, it } from "vitest";
import { AnsiReader, ansiLines, hasAnsiColour } from "./ansi.js";

const ESC = "\u001b";
const line = (text: string) => ansiLines(text)[0];

describe("ansiLines", () => {
  it("B2: turns colours into names of ours, whichever way they are written", () => {
    expect(line(`${ESC}[31;1mred${ESC}[0m plain ${ESC}[96mcyan${ESC}[39m.`)).toEqual([
      { text: "red", kind: "ansi-red ansi-bold" },
      { text: " plain " },
      { text: "cyan", kind: "ansi-cyan" },
      { text: "." },
    ]);
    expect(line(`${ESC}[38;5;196ma${ESC}[38;2;0;120;255mb${ESC}[38:5:46mc${ESC}[48;5;21md`)).toEqual([
      { text: "a", kind: "ansi-red" },
      { text: "b", kind: "ansi-blue" },
      { text: "c", kind: "ansi-green" },
      { text: "d", kind: "ansi-green ansi-on-blue" },
    ]);
    expect(line(`${ESC}[38;5;244mgray`)).toEqual([{ text: "gray", kind: "ansi-gray" }]);
  });

  it("B8: hides no text: not in black on black, not by concealing, not by going back", () => {
    expect(line(`${ESC}[30;40mblack${ESC}[8mconcealed`)).toEqual([{ text: "black" }, { text: "concealed" }]);
    expect(line(`seen${ESC}[2K${ESC}[1Gafter`)).toEqual([{ text: "seen" }, { text: "after" }]);
  });

  it("leaves out titles, links and other sequences, and leaves halves of them for `visible`", () => {
    expect(line(`${ESC}]0;title\u0007a${ESC}]8;;https://evil.example${ESC}\\b${ESC}]8;;${ESC}\\c${ESC}(B`)).toEqual([
      { text: "a" },
      { text: "b" },
      { text: "c" },
    ]);
    expect(line(`a${ESC}[31`)).toEqual([{ text: `a${ESC}[31` }]);
    expect(line(`a${ESC}]0;no end`)).toEqual([{ text: `a${ESC}]0;no end` }]);
  });

  it("carries a colour over the end of a line until it is changed", () => {
    expect(ansiLines(`${ESC}[32ma\nb\n\n${ESC}[mc`)).toEqual([
      [{ text: "a", kind: "ansi-green" }],
      [{ text: "b", kind: "ansi-green" }],
      [{ text: "", kind: "ansi-green" }],
      [{ text: "c" }],
    ]);
  });

  it("reads any line first, also one that was added later", () => {
    const lines = [`${ESC}[31ma${ESC}[0m`, "b", `${ESC}[33mc`, "d"];
    const reader = new AnsiReader(lines);
    expect(reader.line(3)).toEqual([{ text: "d", kind: "ansi-yellow" }]);
    expect(reader.line(1)).toEqual([{ text: "b" }]);
    lines.push("e", `${ESC}[0;32mf`, "g");
    expect(reader.line(6)).toEqual([{ text: "g", kind: "ansi-green" }]);
    expect(reader.line(4)).toEqual([{ text: "e", kind: "ansi-yellow" }]);
  });

  it("gives up on a line of nothing but colours, not on its text", () => {
    const many = line(`${ESC}[31mx`.repeat(5_000)) ?? [];
    expect(many.length).toBeLessThan(2_100);
    expect(many.map(({ text }) => text).join("")).toContain("x");
  });

  it("knows a log by its colours", () => {
    expect(hasAnsiColour(`a ${ESC}[31mb`)).toBe(true);
    expect(hasAnsiColour(`a ${ESC}[2Kb [31m`)).toBe(false);
  });
});
