import { describe, expect, it } from "vitest";
import { transcriptLine } from "./transcript-line.js";

describe("lines of a transcript", () => {
  it("say who, when, which tool, and whether more was said", () => {
    expect(transcriptLine({ who: "user", text: "Fix it." })).toEqual({
      who: "prompt",
      at: null,
      name: null,
      text: "Fix it.",
      cut: false,
    });
    expect(
      transcriptLine({ who: "agent", tool: "Bash", text: "{}", at: "2026-01-20T08:00:00.000Z", cut: true }),
    ).toEqual({
      who: "agent",
      at: "2026-01-20T08:00:00.000Z",
      name: "Bash",
      text: "{}",
      cut: true,
    });
    expect(transcriptLine({ who: "tool", text: "no", failed: true })).toMatchObject({ who: "tool", failed: true });
    const long = transcriptLine({ who: "agent", text: `${"x".repeat(19_999)}😀 and more` });
    expect([long.text, long.cut]).toEqual(["x".repeat(19_999), true]);
  });
});
