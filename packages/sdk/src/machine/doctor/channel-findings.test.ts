import { describe, expect, it } from "vitest";
import type { ChannelDescription } from "../../notify/describe-channels.js";
import type { ChannelFacts } from "../desk/inspect-channels.js";
import { findingsOfChannels } from "./channel-findings.js";

const AT = "2026-01-01T10:00:00.000Z";
const SLACK: ChannelDescription = {
  name: "slack",
  proves: "accepted",
  since: AT,
  fields: [],
  files: false,
  topics: [],
  waiting: 0,
  failed: [],
};
const BOUND = { ...SLACK, name: "telegram" as const, bound: { name: "Mia", at: AT } };

function facts(channels: ChannelDescription[], isSending = true): ChannelFacts {
  return { channels, isSending };
}

describe("what the doctor says of notifications", () => {
  it("B9: nothing where no channel is enabled, and that all is well where it is", () => {
    expect(findingsOfChannels(undefined, undefined)).toEqual([]);
    expect(findingsOfChannels(facts([SLACK, BOUND]), undefined)).toEqual([
      { check: "notifications", level: "ok", text: "Slack, Telegram; to try: babysitter notify:test" },
    ]);
  });

  it.each<[string, ChannelFacts, RegExp, RegExp]>([
    ["nobody sends", facts([SLACK], false), /nothing is sent by Slack/u, /^babysitter ui/u],
    [
      "a chat is not bound",
      facts([{ ...BOUND, bound: null }]),
      /does not know your chat/u,
      /extension link telegram$/u,
    ],
    [
      "a channel is broken",
      facts([{ ...SLACK, problem: { reason: "error 410", since: AT } }]),
      /Slack has not worked since .*: error 410/u,
      /notify:test slack$/u,
    ],
    [
      "something was given up",
      facts([{ ...SLACK, failed: [{ about: "question q", why: "404", at: AT }] }]),
      /Slack gave up on one message; .* about question q: 404/u,
      /extension list/u,
    ],
    [
      "a file is damaged",
      { problem: "Cannot use channels.json: it is not JSON.", hint: "Move it." },
      /not JSON/u,
      /Move it/u,
    ],
  ])("B9: %s, and how to mend it", (_, given, text, fix) => {
    expect(findingsOfChannels(given, undefined)).toEqual([
      { check: "notifications", level: "warning", text: expect.stringMatching(text), fix: expect.stringMatching(fix) },
    ]);
  });

  it("B9: an inbox that a question starts is fine, as long as nothing waits", () => {
    const inbox = { program: { is: "recorded", path: "/i" }, onDemand: true } as const;
    expect(findingsOfChannels(facts([SLACK], false), inbox)).toMatchObject([{ level: "ok" }]);
    expect(findingsOfChannels(facts([{ ...SLACK, waiting: 2 }], false), inbox)).toMatchObject([
      { level: "warning", text: expect.stringContaining("; 2 in the queue") as string, fix: "babysitter ui" },
    ]);
    const running = { url: "http://localhost:3184", apiUrl: "http://localhost:3185", pid: 7 };
    expect(findingsOfChannels(facts([SLACK], false), { ...inbox, running })).toMatchObject([
      { level: "warning", fix: "babysitter-breakpoints worker" },
    ]);
  });

  it("B9: several things at once", () => {
    const all = {
      ...BOUND,
      bound: null,
      problem: { reason: "r", since: AT },
      failed: [{ about: "a", why: "w", at: AT }],
    };
    expect(findingsOfChannels(facts([all, SLACK], false), undefined)).toHaveLength(4);
  });
});
