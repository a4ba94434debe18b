import { describe, expect, test } from "vitest";
import { forScreen } from "./for-screen.js";

const screen = { columns: 80 };

describe("C27: what is printed on a terminal", () => {
  test("is left alone as long as people can read it", () => {
    const text = `one\n\u001b[31mtwo\u001b[0m ${"x".repeat(500)}\n`;
    expect(forScreen(text, screen, "cmd")).toBe(text);
  });

  test.each([
    ["too many lines", Array.from({ length: 100_000 }, (_, index) => `line ${index}`)],
    ["one endless line", ["x".repeat(5_000_000)]],
    ["many long lines", Array.from({ length: 1_000 }, (_, index) => `line ${index} ${"y".repeat(5_000)}`)],
    ["wide characters", Array.from({ length: 1_000 }, () => "\u6f22".repeat(2_000))],
  ])("never fills more than a few screens: %s", (_name, lines) => {
    const shown = forScreen(`${lines.join("\n")}\n`, screen, "babysitter run:output r > output.json");
    expect(shown.length).toBeLessThan(40_000);
    expect(shown).toContain("all of it: babysitter run:output r > output.json)");
    expect(shown.endsWith("\n")).toBe(true);
    expect(shown.startsWith(lines[0]?.slice(0, 30) ?? "")).toBe(true);
    // What to do next is said at the end.
    expect(shown).toContain(lines.at(-1)?.slice(0, 30));
  });
});
