import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { describe, expect, it } from "vitest";
import { changedQuestions, questionOf, receiptTexts, troubleOf } from "./notice-states.js";

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

function folded(...entries: notices.NewEntry[]): notices.OutboxState {
  const state = notices.emptyOutbox();
  for (const [minute, entry] of entries.entries()) notices.foldOutbox(state, { ...entry, at: at(minute) });
  return state;
}

const queued = (subject: string, channel = "telegram"): notices.NewEntry => ({
  type: "QUEUED",
  channel,
  subject,
  due: at(60),
});

const sending = (subject: string, channel = "telegram"): notices.NewEntry => ({
  type: "SENDING",
  message: `${channel} ${subject}`,
  channel,
  kind: "questions",
  subjects: [subject],
  attempt: 1,
  repeat: false,
});

const failed = (subject: string, retryAt?: string): notices.NewEntry => ({
  type: "FAILED",
  message: `telegram ${subject}`,
  reason: "status 500",
  mayHaveArrived: false,
  ...(retryAt === undefined ? {} : { retryAt }),
});

const given = (subject: string): notices.NewEntry[] => [queued(subject), sending(subject), failed(subject)];
const all = { channels: ["telegram", "ntfy"], worker: "here", matters: () => true } as const;

describe("how notifications fare", () => {
  it("counts what is still to be sent, and what was given up", () => {
    const state = folded(
      queued("question:a"),
      queued("question:b", "ntfy"),
      queued("question:c"),
      sending("question:c"),
      failed("question:c", at(90)),
      queued("question:d"),
      { type: "DROPPED", channel: "telegram", subjects: ["question:d"], why: "decided" },
      ...given("question:e"),
      ...given("report:2026-01-01"),
    );
    expect([notices.waitingOf(state, "telegram"), notices.waitingOf(state, "ntfy")]).toEqual([2, 1]);
    expect(notices.givenUpOf(state, "telegram")).toEqual([
      { subject: "report:2026-01-01", why: "status 500", at: at(12) },
      { subject: "question:e", why: "status 500", at: at(9) },
    ]);
    expect(notices.givenUpOf(state, "ntfy")).toEqual([]);
  });

  it("B9: is no trouble while all is well, or nothing is enabled", () => {
    const state = folded(queued("question:a"), { type: "CHANNEL_PROBLEM", channel: "slack", reason: "gone" });
    expect(troubleOf(state, all)).toBeNull();
    expect(troubleOf(state, { ...all, worker: "elsewhere" })).toBeNull();
    expect(troubleOf(state, { ...all, worker: "none", channels: [] })).toBeNull();
  });

  it("B9: is trouble when a channel does not work, when nobody sends, and when something was given up", () => {
    const state = folded(queued("question:a"), queued("question:b", "ntfy"), {
      type: "CHANNEL_PROBLEM",
      channel: "telegram",
      reason: "401",
    });
    const broken = [{ name: "telegram", reason: "401", since: at(2) }];
    expect(troubleOf(state, all)).toEqual({ worker: "here", broken, waiting: 1, givenUp: 0 });
    expect(troubleOf(state, { ...all, worker: "none" })).toMatchObject({ worker: "none", waiting: 2 });
    const gone = folded(...given("question:a"), ...given("question:b"));
    const matters = ({ subject }: { subject: string }): boolean => subject === "question:a";
    expect(troubleOf(gone, { ...all, matters })).toMatchObject({ broken: [], givenUp: 1 });
    expect(troubleOf(gone, { ...all, matters: () => false })).toBeNull();
  });

  it("B9: knows the questions of which another thing is known now, and no others", () => {
    const before = folded(queued("question:a"), queued("question:a", "ntfy"), queued("question:b"), queued("report:x"));
    const after = folded(
      queued("question:a"),
      queued("question:a", "ntfy"),
      queued("question:b"),
      queued("report:x"),
      sending("question:a"),
      sending("question:a", "ntfy"),
      sending("report:x"),
      queued("question:c:1"),
    );
    expect(changedQuestions(receiptTexts(before), receiptTexts(after))).toEqual(["a", "c:1"]);
    expect(changedQuestions(receiptTexts(after), receiptTexts(after))).toEqual([]);
    expect(changedQuestions(receiptTexts(after), receiptTexts(notices.emptyOutbox()))).toEqual(["a", "b", "c:1"]);
    expect([questionOf("question:x:y"), questionOf("report:2026")]).toEqual(["x:y", undefined]);
  });
});
