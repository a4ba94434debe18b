import { describe, expect, it } from "vitest";
import { emptyOutbox, foldOutbox, type OutboxEntry } from "./outbox-state.js";
import { receiptsFor } from "./receipts.js";

const S = "question:a";
const queued: OutboxEntry = { type: "QUEUED", at: "t0", channel: "ntfy", subject: S, due: "t1" };
const sending = (more: Partial<OutboxEntry & { type: "SENDING" }> = {}): OutboxEntry => ({
  type: "SENDING",
  at: "t2",
  message: "m",
  channel: "ntfy",
  kind: "questions",
  subjects: [S],
  attempt: 1,
  repeat: false,
  ...more,
});
const accepted: OutboxEntry = { type: "ACCEPTED", at: "t3", message: "m" };
const failed: OutboxEntry = { type: "FAILED", at: "t3", message: "m", reason: "no", mayHaveArrived: false };
const unknown: OutboxEntry = { type: "UNKNOWN", at: "t3", message: "m", reason: "gone" };
const dropped: OutboxEntry = { type: "DROPPED", at: "t4", channel: "ntfy", subjects: [S], why: "decided meanwhile" };
const tapped: OutboxEntry = { type: "ACKNOWLEDGED", at: "t5", channel: "ntfy", subjects: [S], how: "a button" };

const TABLE: [string, OutboxEntry[], object][] = [
  ["what waits", [queued], { state: "queued", at: "t0", due: "t1" }],
  ["what is on its way", [queued, sending()], { state: "sending", at: "t2" }],
  ["what the service has taken", [queued, sending(), accepted], { state: "accepted", at: "t3", sentAt: "t2" }],
  ["what failed for good", [queued, sending(), failed], { state: "failed", at: "t3", why: "no" }],
  [
    "what is tried again",
    [queued, sending(), { ...failed, retryAt: "t9" }],
    { state: "failed", at: "t3", why: "no", due: "t9" },
  ],
  ["what nobody knows", [queued, sending(), unknown], { state: "unknown", at: "t3", why: "gone" }],
  [
    "what nobody knows yet",
    [queued, sending(), { ...unknown, retryAt: "t9" }],
    { state: "unknown", at: "t3", why: "gone", due: "t9" },
  ],
  [
    "a repeat that arrived",
    [queued, sending(), unknown, sending({ at: "t4", attempt: 2, repeat: true }), { ...accepted, at: "t6" }],
    { state: "accepted", at: "t6", sentAt: "t4", repeated: true },
  ],
  [
    "what was accepted late",
    [queued, sending(), unknown, { ...accepted, at: "t6" }],
    { state: "accepted", at: "t6", sentAt: "t2" },
  ],
  [
    "what was accepted, whatever is said of it afterwards",
    [queued, sending(), accepted, { ...failed, at: "t6" }, { ...unknown, at: "t7" }],
    { state: "accepted", at: "t3", sentAt: "t2" },
  ],
  ["what was decided in time", [queued, dropped], { state: "dropped", at: "t4", why: "decided meanwhile" }],
  [
    "what failed and was decided then",
    [queued, sending(), failed, dropped],
    { state: "dropped", at: "t4", why: "decided meanwhile" },
  ],
  [
    "what was taken and decided then",
    [queued, sending(), accepted, dropped],
    { state: "accepted", at: "t3", sentAt: "t2" },
  ],
  [
    "what was tapped",
    [queued, sending(), accepted, tapped],
    { state: "acknowledged", at: "t5", why: "a button", sentAt: "t2" },
  ],
  [
    "what was tapped, whatever the service said",
    [queued, sending(), unknown, tapped],
    { state: "acknowledged", at: "t5", why: "a button", sentAt: "t2" },
  ],
  [
    "a reminder",
    [
      queued,
      sending(),
      accepted,
      sending({ at: "t6", message: "n", kind: "reminder" }),
      { ...accepted, at: "t7", message: "n" },
    ],
    { state: "accepted", at: "t7", sentAt: "t6", reminders: 1 },
  ],
];

function receiptAfter(log: readonly OutboxEntry[], seenAt?: string): object[] {
  const state = emptyOutbox();
  for (const entry of log) foldOutbox(state, structuredClone(entry));
  return receiptsFor(state, S, seenAt);
}

describe("receipts", () => {
  it.each(TABLE)("B9: %s", (_, log, expected) => {
    expect(receiptAfter(log)).toEqual([{ channel: "ntfy", reminders: 0, repeated: false, ...expected }]);
  });

  it("B9: opening it in the inbox acknowledges what was sent, and nothing else", () => {
    const states = TABLE.map(([name, log]) => [name, (receiptAfter(log, "t8")[0] as { state: string }).state]);
    expect(Object.fromEntries(states)).toMatchObject({
      "what waits": "queued",
      "what is on its way": "sending",
      "what the service has taken": "acknowledged",
      "what failed for good": "failed",
      "what nobody knows": "acknowledged",
      "what was decided in time": "dropped",
    });
  });

  it("are about their subject alone, by channel", () => {
    const other: OutboxEntry = { ...queued, channel: "slack" };
    const stranger: OutboxEntry = { ...queued, subject: "question:b" };
    expect(receiptAfter([queued, other, stranger])).toMatchObject([{ channel: "ntfy" }, { channel: "slack" }]);
  });
});
