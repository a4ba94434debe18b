/** Opens the ways by which a person wants to be reached. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { Channel } from "./channel.js";
import type { ChannelParts } from "./channel-parts.js";
import { ntfyChannel } from "./ntfy.js";
import { discordChannel, slackChannel, webhookChannel } from "./webhook.js";

type Open = (parts: ChannelParts) => Promise<Channel>;

const OPENERS: Readonly<Record<notices.ChannelName, Open>> = {
  // Whoever does not use Telegram need not wait for it.
  telegram: async (parts) => (await import("./telegram/telegram-channel.js")).telegramChannel(parts),
  ntfy: async (parts) => ntfyChannel(parts),
  slack: async (parts) => slackChannel(parts),
  discord: async (parts) => discordChannel(parts),
  webhook: async (parts) => webhookChannel(parts),
};

/** In the order of the table of channels. */
export function openChannels(
  records: notices.ChannelRecords,
  partsFor: (name: notices.ChannelName, record: notices.ChannelRecord) => ChannelParts,
): Promise<Channel[]> {
  const opened = notices.CHANNELS.flatMap((name) => {
    const record = records[name];
    return record === undefined ? [] : [OPENERS[name](partsFor(name, record))];
  });
  return Promise.all(opened);
}
