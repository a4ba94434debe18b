import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asOutboxEntry,
  emptyOutbox,
  foldOutbox,
  noticeKey,
  type OutboxEntry,
  type OutboxState,
  outboxEntries,
} from "./outbox-state.js";

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 20, 8, minute)).toISOString();
const NOW = new Date(at(600));

function folded(entries: readonly OutboxEntry[]): OutboxState {
  const state = emptyOutbox();
  for (const entry of entries) foldOutbox(state, structuredClone(entry));
  return state;
}

const channel = fc.constantFrom("telegram", "ntfy");
const someSubject = fc.constantFrom("question:a", "question:b", "question:c", "run:r@1", "report:2026-01-20", "test:t");
const someSubjects = fc.uniqueArray(someSubject, { minLength: 1, maxLength: 3 });
const someMessage = fc.constantFrom("m1", "m2", "m3");
const retryAt = fc.option(fc.integer({ min: 0, max: 500 }).map(at), { nil: undefined });
const kind = fc.constantFrom("questions" as const, "reminder" as const, "trouble" as const, "test" as const);

/** A message belongs to one channel, and keeps its kind. */
const channelOf = (id: string): string => (id === "m3" ? "ntfy" : "telegram");

const content = fc.oneof(
  fc.record({
    type: fc.constant("QUEUED" as const),
    channel,
    subject: someSubject,
    due: fc.integer({ min: 0, max: 500 }).map(at),
  }),
  fc
    .record({
      message: someMessage,
      kind,
      subjects: someSubjects,
      attempt: fc.integer({ min: 1, max: 6 }),
      repeat: fc.boolean(),
    })
    .map((one) => ({ type: "SENDING" as const, ...one, channel: channelOf(one.message) })),
  fc.record({ type: fc.constant("ACCEPTED" as const), message: someMessage, ref: fc.jsonValue() }),
  fc.record({
    type: fc.constant("FAILED" as const),
    message: someMessage,
    reason: fc.string(),
    mayHaveArrived: fc.boolean(),
    retryAt,
  }),
  fc.record({ type: fc.constant("UNKNOWN" as const), message: someMessage, reason: fc.string(), retryAt }),
  fc.record({ type: fc.constant("DROPPED" as const), channel, subjects: someSubjects, why: fc.string() }),
  fc.record({ type: fc.constant("ACKNOWLEDGED" as const), channel, subjects: someSubjects, how: fc.string() }),
  fc.record({ type: fc.constant("EDITED" as const), message: someMessage, shows: fc.string() }),
  fc.record({ type: fc.constant("HEARD" as const), channel, cursor: fc.string() }),
  fc.record({ type: fc.constant("CHANNEL_PROBLEM" as const), channel, reason: fc.string() }),
  fc.record({ type: fc.constant("CHANNEL_WORKS" as const), channel }),
  fc.record({ type: fc.constant("CHANNEL_FORGOTTEN" as const), channel }),
);

/** One after the other, as they come in a log. */
const entries = fc
  .array(content, { maxLength: 40 })
  .map((all) => all.map((one, n) => JSON.parse(JSON.stringify({ ...one, at: at(n) })) as OutboxEntry));

describe("the outbox", () => {
  it("B9: a log that begins anew says the same as the one before", () => {
    fc.assert(
      fc.property(entries, (log) => {
        const state = folded(log);
        expect(folded(outboxEntries(state, NOW))).toEqual(state);
      }),
      { numRuns: 2_000 },
    );
  });

  it("what is written can be read, and lines that were damaged cannot", () => {
    fc.assert(
      fc.property(entries, (log) => {
        expect(log.map((entry) => asOutboxEntry(JSON.parse(JSON.stringify(entry))))).toEqual(log);
        expect(() => folded(log)).not.toThrow();
      }),
    );
    const sending = {
      type: "SENDING",
      at: "",
      message: "m",
      channel: "c",
      kind: "questions",
      subjects: ["a"],
      attempt: 1,
      repeat: false,
    };
    expect(asOutboxEntry(sending)).toEqual(sending);
    for (const damaged of [
      null,
      [],
      "SENDING",
      {},
      { type: "toString", at: "" },
      { type: "NEWER", at: "" },
      { ...sending, at: 7 },
      { ...sending, subjects: "a" },
      { ...sending, subjects: ["a", 1] },
      { ...sending, attempt: 0 },
      { ...sending, attempt: "1" },
      { ...sending, repeat: "yes" },
      { ...sending, kind: "tea" },
      { ...sending, tap: 1 },
      { type: "FAILED", at: "", message: "m", reason: "r" },
      { type: "FAILED", at: "", message: "m", reason: "r", mayHaveArrived: true, retryAt: 5 },
      { type: "UNKNOWN", at: "", message: "m", reason: "r", retryAt: {} },
      { type: "DROPPED", at: "", channel: "c", why: "w" },
    ])
      expect([damaged, asOutboxEntry(damaged)]).toEqual([damaged, undefined]);
  });

  it("what is unsettled stays for a year, the rest for a month", () => {
    const log: OutboxEntry[] = ["question:open", "question:decided"].flatMap((one) => [
      { type: "QUEUED", at: at(0), channel: "ntfy", subject: one, due: at(0) },
      {
        type: "SENDING",
        at: at(1),
        message: one,
        channel: "ntfy",
        kind: "questions",
        subjects: [one],
        attempt: 1,
        repeat: false,
      },
      { type: "ACCEPTED", at: at(1), message: one },
    ]);
    const state = folded([
      ...log,
      { type: "DROPPED", at: at(2), channel: "ntfy", subjects: ["question:decided"], why: "decided" },
    ]);
    const after = (days: number): string[] => {
      const kept = folded(outboxEntries(state, new Date(Date.parse(at(2)) + days * 24 * 60 * 60_000)));
      return [...kept.notices.values()].map(({ subject: one }) => one);
    };
    expect([after(29), after(31), after(366)]).toEqual([["question:open", "question:decided"], ["question:open"], []]);
  });

  it("a question that is asked again begins anew, and what was sent before is no longer about it", () => {
    const subject = "question:a";
    const send = (id: string, minute: number): OutboxEntry => ({
      type: "SENDING",
      at: at(minute),
      message: id,
      channel: "ntfy",
      kind: "questions",
      subjects: [subject],
      attempt: 1,
      repeat: false,
    });
    const state = folded([
      { type: "QUEUED", at: at(0), channel: "ntfy", subject, due: at(1) },
      { type: "QUEUED", at: at(1), channel: "ntfy", subject, due: at(2) },
      send("m1", 3),
      { type: "DROPPED", at: at(4), channel: "ntfy", subjects: [subject], why: "decided meanwhile" },
      { type: "QUEUED", at: at(5), channel: "ntfy", subject, due: at(6) },
    ]);
    const key = noticeKey("ntfy", subject);
    expect(state.notices.get(key)).toEqual({ channel: "ntfy", subject, queuedAt: at(5), due: at(6), reminders: 0 });
    expect(state.messages.size).toBe(0);
    foldOutbox(state, send("m2", 7));
    expect(state.notices.get(key)).toMatchObject({ message: "m2", sentAt: at(7) });
  });

  it("an attempt that is about less than the one before says nothing of the rest", () => {
    const send = (subjects: string[], attempt: number): OutboxEntry => ({
      type: "SENDING",
      at: at(attempt),
      message: "m",
      channel: "ntfy",
      kind: "reminder",
      subjects,
      attempt,
      repeat: false,
    });
    const queue = (subject: string): OutboxEntry => ({
      type: "QUEUED",
      at: at(0),
      channel: "ntfy",
      subject,
      due: at(0),
    });
    const state = folded([queue("a"), queue("b"), send(["a", "b"], 1), send(["a"], 2)]);
    expect([...state.notices.values()].map(({ message, reminders }) => [message, reminders])).toEqual([
      ["m", 1],
      [undefined, 0],
    ]);
  });
});
