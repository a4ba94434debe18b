import { describe, expect, it } from "vitest";
import { CHANNELS } from "../model/channel-names.js";
import { CHANNEL_KINDS, describeChannel } from "./channel-kinds.js";

describe("what is told of a channel", () => {
  it("B9: none claims more than its service can prove", () => {
    const proves = CHANNELS.map((name) => [name, CHANNEL_KINDS[name].proves, CHANNEL_KINDS[name].decides]);
    expect(proves).toEqual([
      ["telegram", "acknowledged", true],
      ["ntfy", "acknowledged", false],
      ["slack", "accepted", false],
      ["discord", "accepted", false],
      ["webhook", "accepted", false],
    ]);
  });

  it.each(CHANNELS)("no secret of %s is in it", (name) => {
    const { settings } = CHANNEL_KINDS[name];
    const values = settings.map(({ name: setting }) => [
      setting,
      ["url", "server"].includes(setting) ? "https://hooks.test:8443/SECRET?SECRET#SECRET" : "SECRET",
    ]);
    const { target } = describeChannel(name, { settings: Object.fromEntries(values) as Record<string, string> });
    expect(target).not.toContain("SECRET");
    expect(target).toContain(name === "telegram" ? "no chat yet" : "hooks.test:8443");
  });

  it("an address that is none is not shown at all", () => {
    expect(describeChannel("slack", { settings: { url: "hooks SECRET" } }).target).toBe(
      "an address that cannot be used",
    );
  });

  it("a chat is named by whose it is", () => {
    expect(describeChannel("telegram", { settings: {} }, { name: "@mia" }).target).toBe("the chat of @mia");
  });
});
