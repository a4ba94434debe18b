import { describe, expect, it } from "vitest";
import { Highlighter, highlightCode } from "./highlighter.js";
import { languageOf } from "./languages.js";

describe("highlightCode", () => {
  it("B2: names kinds of words line by line, and keeps every character", () => {
    const text = 'const a: number = 1; // why\n/* over\n<script> */ let s = "x";\n';
    const lines = highlightCode(text, "typescript") ?? [];
    expect(lines.map((spans) => spans.map((span) => span.text).join("")).join("\n")).toBe(text);
    expect(lines[0]).toContainEqual({ text: "const", kind: "code-keyword" });
    expect(lines[0]).toContainEqual({ text: "1", kind: "code-value" });
    expect(lines[1]).toEqual([{ text: "/* over", kind: "code-comment" }]);
    expect(lines[2]?.[0]).toEqual({ text: "<script> */", kind: "code-comment" });
    expect(lines[2]).toContainEqual({ text: '"x"', kind: "code-string" });
  });

  it("knows what stands inside other languages, and no language that it does not have", () => {
    const lines = highlightCode("<script>\nconst a = 1;\n</script>", "xml") ?? [];
    expect(lines[1]).toContainEqual({ text: "const", kind: "code-keyword" });
    expect(highlightCode("x", "cobol")).toBeUndefined();
    expect(highlightCode("x".repeat(300_000), "typescript")).toBeUndefined();
  });
});

describe("Highlighter", () => {
  it("colours a line of a long file without the others, and lines that are added later", () => {
    const lines = Array.from({ length: 5_000 }, (_value, n) => `const a${n} = ${n};`);
    lines[799] = "/* begins";
    lines[801] = "ends */";
    const highlighter = new Highlighter(lines, "typescript");
    expect(highlighter.line(4_321)).toContainEqual({ text: "4321", kind: "code-value" });
    expect(highlighter.line(800)).toEqual([{ text: "const a800 = 800;", kind: "code-comment" }]);
    lines.push("let last = true;");
    expect(highlighter.line(5_000)).toContainEqual({ text: "let", kind: "code-keyword" });
  });
});

describe("languageOf", () => {
  it("knows languages by their names and files by their endings", () => {
    expect(languageOf("src/a.tsx")).toBe("typescript");
    expect(languageOf("a", "JavaScript")).toBe("typescript");
    expect(languageOf("deep/Dockerfile")).toBe("dockerfile");
    expect(languageOf("Dockerfile.prod")).toBe("dockerfile");
    expect(languageOf("notes.txt")).toBeUndefined();
    expect(languageOf("a.constructor", "toString")).toBeUndefined();
  });
});
