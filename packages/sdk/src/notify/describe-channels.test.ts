import { describe, expect, it } from "vitest";
import type { ChannelRecord } from "./channels.js";
import { describeChannels } from "./describe-channels.js";
import { emptyOutbox, foldOutbox, type OutboxEntry } from "./outbox-state.js";
import { receiptText } from "./receipt-text.js";
import type { Receipt } from "./receipts.js";

const AT = "2026-01-01T10:00:00.000Z";
const RECORD: ChannelRecord = {
  since: AT,
  fields: ["title"],
  files: false,
  topics: ["questions"],
  settings: { token: "a-secret", topic: "a-secret", url: "https://example.org/a-secret" },
};

function described(entries: readonly OutboxEntry[]): ReturnType<typeof describeChannels> {
  const state = emptyOutbox();
  for (const entry of entries) foldOutbox(state, entry);
  return describeChannels({ telegram: RECORD, slack: RECORD }, state, () => undefined);
}

function sent(message: string, subject: string): OutboxEntry[] {
  const channel = "slack";
  return [
    { type: "QUEUED", at: AT, channel, subject, due: AT },
    { type: "SENDING", at: AT, message, channel, kind: "questions", subjects: [subject], attempt: 1, repeat: false },
  ];
}

describe("channels for whoever looks at them", () => {
  it("B9: names what waits and what was given up, the newest first, and no secrets", () => {
    const failed = (message: string, reason: string, at: string, retryAt?: string): OutboxEntry => ({
      type: "FAILED",
      at,
      message,
      reason,
      mayHaveArrived: false,
      ...(retryAt === undefined ? {} : { retryAt }),
    });
    const [telegram, slack] = described([
      ...sent("m1", "question:q1"),
      failed("m1", "404", AT),
      ...sent("m2", "run:r1@17"),
      failed("m2", "410", "2026-01-01T11:00:00.000Z"),
      ...sent("m3", "report:2026-01-01"),
      failed("m3", "503", AT, "2026-01-01T12:00:00.000Z"),
      { type: "QUEUED", at: AT, channel: "slack", subject: "question:q2", due: AT },
      { type: "CHANNEL_PROBLEM", at: AT, channel: "slack", reason: "503" },
    ]);
    expect(slack).toMatchObject({
      proves: "accepted",
      waiting: 2,
      problem: { reason: "503", since: AT },
      failed: [
        { about: "trouble in run r1", why: "410" },
        { about: "question q1", why: "404" },
      ],
    });
    expect(slack).not.toHaveProperty("bound");
    expect(telegram).toMatchObject({ proves: "acknowledged", bound: null, waiting: 0, failed: [] });
    expect(JSON.stringify([telegram, slack])).not.toContain("a-secret");
  });

  it("B9: what was given up and sent again since is no longer given up", () => {
    const given: OutboxEntry = { type: "FAILED", at: AT, message: "m1", reason: "404", mayHaveArrived: false };
    const later = sent("m2", "question:q1").slice(1);
    const [, slack] = described([
      ...sent("m1", "question:q1"),
      given,
      ...later,
      { type: "ACCEPTED", at: AT, message: "m2" },
    ]);
    expect(slack?.failed).toEqual([]);
  });
});

describe("a receipt in words", () => {
  const receipt = (state: Receipt["state"], more: Partial<Receipt> = {}): string =>
    receiptText({ channel: "telegram", state, at: AT, reminders: 0, repeated: false, ...more });

  it.each<[string, RegExp]>([
    [receipt("queued", { due: AT }), /^Telegram: not sent yet, due at 2026/u],
    [receipt("accepted"), /accepted at .*, not tapped yet$/u],
    [receipt("accepted", { channel: "slack" }), /^Slack: accepted at .*; it cannot tell whether you have seen it$/u],
    [receipt("acknowledged", { sentAt: AT, why: "a button" }), /sent at .*, tapped at/u],
    [receipt("acknowledged", { why: "opened in the inbox" }), /^Telegram: opened in the inbox at/u],
    [receipt("unknown", { why: "no answer" }), /not known since .* whether it arrived: no answer/u],
    [receipt("failed", { why: "404" }), /failed at .*: 404; no more attempts$/u],
    [receipt("failed", { due: AT }), /; the next attempt is at 2026/u],
    [receipt("dropped", { why: "decided meanwhile" }), /not sent: decided meanwhile/u],
    [receipt("accepted", { reminders: 2, repeated: true }), /; sent twice, .* repeat; 2 reminders$/u],
    [receipt("failed", { channel: "\u001b[31mx", why: "\u001b[2J\nok" }), /^\P{Cc}*$/u],
  ])("B9: %s", (text, expected) => {
    expect(text).toMatch(expected);
  });
});
