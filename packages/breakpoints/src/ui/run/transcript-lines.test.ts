import { describe, expect, it } from "vitest";
import type { TranscriptLine } from "../../wire/run-wire.js";
import { beginningOf, callText, isLong, matching } from "./transcript-lines.js";

const said = (text: string, name: string | null = null): TranscriptLine => ({
  who: name === null ? "agent" : "tool",
  at: null,
  name,
  text,
  cut: false,
});

describe("what is shown of a conversation", () => {
  it("long outputs are folded, and begin with their first line", () => {
    expect(isLong("short\n".repeat(11))).toBe(false);
    expect(isLong("short\n".repeat(12))).toBe(true);
    expect(isLong("x".repeat(1_501))).toBe(true);
    expect(beginningOf("\n  first\nsecond")).toBe("first");
    expect(beginningOf("x".repeat(500))).toHaveLength(120);
  });

  it("a command reads as in a terminal, and what is no command stays as it is", () => {
    expect(callText("Bash", '{"command":"npm test\\nls","description":"x"}')).toBe("$ npm test\nls");
    for (const text of ['{"command":7}', '{"command":"npm te', "null"]) expect(callText("Bash", text)).toBe(text);
    expect(callText("Read", '{"command":"x"}')).toBe('{"command":"x"}');
    expect(callText(null, '{"command":"x"}')).toBe('{"command":"x"}');
  });

  it("words are looked for in what was said and in the names of tools", () => {
    const all = [said("Tests pass"), said("ls", "Bash"), said("done")];
    expect(matching(all, " tests ")).toEqual([all[0]]);
    expect(matching(all, "bash")).toEqual([all[1]]);
    expect(matching(all, " ")).toBe(all);
  });
});
