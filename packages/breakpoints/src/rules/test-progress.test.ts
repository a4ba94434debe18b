import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { describe, expect, it } from "vitest";
import { overallOutcome, parseWait, type TestStep, testStep } from "./test-progress.js";

function step(state: notices.ReceiptState, more: Partial<notices.Receipt> = {}): TestStep {
  const receipt = { channel: "telegram", state, at: "2026-01-01T00:00:00Z", reminders: 0, repeated: false, ...more };
  return testStep(receipt.channel as notices.ChannelName, receipt);
}

describe("a test while somebody waits for it", () => {
  it.each<[TestStep, TestStep["outcome"], RegExp]>([
    [step("queued"), "waiting", /^Telegram: waiting to be sent/u],
    [step("sending"), "waiting", /being sent/u],
    [step("accepted"), "waiting", /accepted by Telegram … waiting for your tap/u],
    [step("acknowledged"), "proved", /tapped/u],
    [step("accepted", { channel: "slack" }), "proved", /cannot tell whether you have seen it/u],
    [step("failed", { why: "503", due: "2026-01-01T00:01:00Z" }), "waiting", /failed: 503; the next attempt/u],
    [step("failed", { why: "404" }), "failed", /failed: 404$/u],
    [step("unknown", { why: "no answer" }), "waiting", /nobody knows whether it has arrived: no answer/u],
    [step("unknown", { channel: "slack", due: "2026-01-01T00:01:00Z" }), "waiting", /next attempt/u],
    [step("unknown", { channel: "slack" }), "failed", /nobody knows/u],
    [step("dropped", { why: "too old" }), "failed", /not sent: too old/u],
    [step("failed", { why: "\u001b[2J\nAll channels work." }), "failed", /^Telegram: failed: \P{Cc}*$/u],
    [testStep("slack", undefined), "failed", /disabled meanwhile/u],
    [testStep("telegram", step("queued").receipt ?? undefined, "not bound"), "waiting", /^Telegram: not bound$/u],
  ])("B9: %j is %s", ({ text, outcome }, expected, said) => {
    expect([outcome, text]).toEqual([expected, expect.stringMatching(said)]);
  });

  it("B9: succeeds only when everything is proved that can be", () => {
    const [proved, waiting, failed] = [step("acknowledged"), step("accepted"), step("failed")];
    expect(
      [
        [proved, proved],
        [proved, waiting],
        [waiting, failed],
        [failed, proved],
      ].map(overallOutcome),
    ).toEqual(["proved", "waiting", "failed", "failed"]);
  });

  it.each([
    ["90s", 90_000],
    ["5m", 300_000],
    ["1h", 3_600_000],
    ["5", undefined],
    ["-5m", undefined],
    ["99999m", undefined],
    ["", undefined],
  ])("waits for %j", (text, expected) => {
    expect(parseWait(text)).toBe(expected);
  });
});
