import { describe, expect, it } from "vitest";
import type { TurnBreak } from "../../loop/transcript/turn.js";
import type { TranscriptRow } from "./transcript-rows.js";
import { turnBreakOf } from "./turn-break.js";

const said: TranscriptRow = {
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text: "Hm." }] },
};
const typed: TranscriptRow = { type: "user", message: { role: "user", content: "What is oak?" } };
const interrupted: TranscriptRow = {
  type: "user",
  message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
};
const CUT =
  "A hook blocked the turn from ending 9 consecutive times — overriding and ending turn. For Stop/SubagentStop hooks, check stop_hook_active.";
const cut: TranscriptRow = {
  type: "system",
  subtype: "informational",
  content: CUT,
  level: "warning",
};
const failed: TranscriptRow = {
  type: "assistant",
  isApiErrorMessage: true,
  message: { role: "assistant", model: "<synthetic>", content: [{ type: "text", text: "API Error: 529" }] },
};
const noise: TranscriptRow = { type: "file-history-snapshot", messageId: "m" };

describe("why a turn has no end", () => {
  const ofTool: TranscriptRow = {
    type: "user",
    message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user for tool use]" }] },
  };

  it.each<[string, TranscriptRow[], TurnBreak | undefined]>([
    ["a person interrupted it", [said, interrupted, noise], { kind: "interrupted" }],
    ["a person interrupted a tool", [said, ofTool], { kind: "interrupted" }],
    ["the host cut it", [said, cut, noise], { kind: "cut" }],
    ["the model could not be asked", [said, failed, noise], { kind: "failed", message: "API Error: 529" }],
    ["nothing is said", [said, noise], undefined],
    ["there are no rows", [], undefined],
  ])("%s", (_, rows, expected) => {
    expect(turnBreakOf(rows)).toEqual(expected);
    // The prompt that asks the question may be written down by then.
    expect(turnBreakOf([...rows, typed])).toEqual(expected);
  });

  it("came to its end, and nobody has decided about it", () => {
    const timestamp = "2026-03-01T10:00:00.000Z";
    const ended = (reason: string | null): TranscriptRow => ({
      ...said,
      timestamp,
      message: { role: "assistant", content: [{ type: "text", text: "Done." }], stop_reason: reason },
    });
    for (const reason of ["end_turn", "stop_sequence", "max_tokens"])
      expect(turnBreakOf([ended(reason), noise, typed])).toEqual({ kind: "ended", at: timestamp });
    for (const reason of ["tool_use", null]) expect(turnBreakOf([ended(reason), noise])).toBeUndefined();
    expect(turnBreakOf([ended("end_turn"), interrupted])).toEqual({ kind: "interrupted" });
  });

  it("says nothing of breaks before the agent spoke again, nor of those of subagents", () => {
    for (const sign of [interrupted, cut, failed]) {
      expect(turnBreakOf([sign, said])).toBeUndefined();
      expect(turnBreakOf([said, { ...sign, isSidechain: true }])).toBeUndefined();
    }
  });

  it("is not deceived by an agent, or a person, that writes the same words", () => {
    const words = [{ type: "text", text: CUT }];
    expect(turnBreakOf([{ ...said, message: { role: "assistant", content: words } }])).toBeUndefined();
    expect(turnBreakOf([said, { ...typed, message: { role: "user", content: words } }])).toBeUndefined();
    const quoted = [{ type: "text", text: "It said [Request interrupted by user]." }];
    expect(turnBreakOf([said, { ...typed, message: { role: "user", content: quoted } }])).toBeUndefined();
  });
});
