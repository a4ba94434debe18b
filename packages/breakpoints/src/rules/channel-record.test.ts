import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { CHANNEL_KINDS } from "@a5c-ai/babysitter-sdk/notify";
import { describe, expect, it } from "vitest";
import { newChannel } from "./channel-record.js";
import type { EnableRequest } from "./extension-arguments.js";

const NOW = "2026-03-01T10:00:00.000Z";
const EARLIER = "2026-01-01T10:00:00.000Z";

function enabled(
  request: Partial<EnableRequest>,
  before?: Record<string, string>,
): { isSame: boolean; record: notices.ChannelRecord } {
  let made = 0;
  const newTopic = (): string => `topic-${(made += 1)}`;
  const record = before && { since: EARLIER, fields: [], files: true, topics: [], settings: before };
  return newChannel({ act: "enable", channel: "telegram", settings: {}, ...request }, record, { now: NOW, newTopic });
}

describe("what is kept of a channel", () => {
  it("B4: what is usual, where nothing was said", () => {
    expect(enabled({ settings: { token: "1:a" } })).toEqual({
      isSame: false,
      record: {
        since: NOW,
        fields: ["title", "run", "project", "link"],
        files: false,
        topics: ["questions", "trouble", "report"],
        settings: { token: "1:a" },
      },
    });
  });

  it("B4: what was there before, except for what is said now", () => {
    const { isSame, record } = enabled({ fields: ["risk"] }, { token: "1:a", bot: "b", username: "mia" });
    expect({ isSame, record }).toEqual({
      isSame: true,
      record: {
        since: EARLIER,
        fields: ["risk"],
        files: true,
        topics: [],
        settings: { token: "1:a", bot: "b", username: "mia" },
      },
    });
  });

  it.each<[string, Partial<EnableRequest>, Record<string, string>, boolean]>([
    ["a new token of the same bot", { settings: { token: "1:b" } }, { token: "1:a" }, true],
    ["the same name in other letters", { settings: { username: "MIA" } }, { token: "1:a", username: "mia" }, true],
    ["a name where there was none", { settings: { username: "mia" } }, { token: "1:a" }, true],
    ["another bot", { settings: { token: "11:a" } }, { token: "1:a" }, false],
    ["another person", { settings: { username: "bob" } }, { token: "1:a", username: "mia" }, false],
    ["another topic", { channel: "ntfy", settings: { topic: "t" } }, { server: "https://s", topic: "u" }, false],
    [
      "another server",
      { channel: "ntfy", settings: { server: "https://r" } },
      { server: "https://s", topic: "u" },
      false,
    ],
    ["a token for ntfy", { channel: "ntfy", settings: { token: "t" } }, { server: "https://s", topic: "u" }, true],
    ["another address", { channel: "slack", settings: { url: "https://a/" } }, { url: "https://b/" }, false],
    ["a secret", { channel: "webhook", settings: { secret: "s" } }, { url: "https://b/" }, true],
  ])("B4: with %s it leads to the same place or not", (_, request, before, expected) => {
    const { isSame, record } = enabled(request, before);
    expect([isSame, record.since]).toEqual([expected, expected ? EARLIER : NOW]);
  });

  it("B4: another bot has another name, and another server gets neither topic nor token", () => {
    expect(enabled({ settings: { token: "2:a" } }, { token: "1:a", bot: "b" }).record.settings).toEqual({
      token: "2:a",
    });
    const before = { server: "https://s", topic: "t", replyTopic: "r", token: "secret" };
    expect(enabled({ channel: "ntfy", settings: { server: "https://r" } }, before).record.settings).toEqual({
      server: "https://r",
      topic: "topic-1",
      replyTopic: "topic-2",
    });
    expect(enabled({ channel: "ntfy" }, before).record.settings).toEqual(before);
  });

  it.each(["telegram", "slack", "discord", "webhook"] as const)("B4: %s cannot do without its secret", (channel) => {
    expect(() => enabled({ channel })).toThrow(new RegExp(`${channel} needs`, "u"));
  });

  it("knows every setting that a channel takes", () => {
    for (const name of notices.CHANNELS) {
      const { settings } = CHANNEL_KINDS[name];
      const required = settings.filter(({ need }) => need === "required").map((one) => [one.name, "x"]);
      const made = settings.filter(({ need }) => need === "made").map((one) => one.name);
      const kept = enabled({ channel: name, settings: Object.fromEntries(required) as Record<string, string> });
      expect(Object.keys(kept.record.settings)).toEqual(expect.arrayContaining(made));
    }
  });
});
