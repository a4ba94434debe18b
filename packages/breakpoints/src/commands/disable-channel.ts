/** Disables a channel, and forgets whatever belongs to it. Once begun, a second call finishes what a crash has left. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { type InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { listed } from "../rules/channel-texts.js";
import type { Answer } from "./enable-channel.js";

export function disableChannel(desk: InboxDesk, channel: notices.ChannelName): Answer {
  const bound = desk.chats.bound(channel);
  const wasSent = [...desk.outbox.state().notices.values()].some((notice) => notice.channel === channel);
  const wasEnabled = desk.channels.disable(channel);
  const title = notices.channelTitle(channel);
  if (!wasEnabled && bound === undefined && !wasSent)
    return { document: { channel, enabled: false, forgotten: [] }, lines: [`${title} was not enabled.`] };
  forgetSent(desk, channel);
  const forgotten = [
    ...(wasEnabled ? [SECRETS[channel]] : []),
    ...(bound === undefined ? [] : [`the chat of ${shownLine(bound.name)}, with all its buttons`]),
    ...(wasSent ? ["what was sent there"] : []),
  ];
  return {
    document: { channel, enabled: false, forgotten },
    lines: [`${title} is disabled. Forgotten: ${listed(forgotten)}.`, LEFT[channel]],
  };
}

const SECRETS: Readonly<Record<notices.ChannelName, string>> = {
  telegram: "the token",
  ntfy: "the topics and the token",
  slack: "the address",
  discord: "the address",
  webhook: "the address and the secret",
};

/** What is not in our hands. */
const LEFT: Readonly<Record<notices.ChannelName, string>> = {
  telegram: "Messages in the chat stay. To revoke the token: /revoke at @BotFather.",
  ntfy: "Messages on the server expire there. You can unsubscribe from the topic in the app.",
  slack: "Messages stay there. To invalidate the address, remove the webhook in Slack.",
  discord: "Messages stay there. To invalidate the address, delete the webhook in Discord.",
  webhook: "What was sent stays with the receiver.",
};

/** Whom a channel has reached, and what was sent there. */
export function forgetSent({ chats, outbox }: InboxDesk, channel: notices.ChannelName): void {
  chats.forget(channel);
  outbox.note({ type: "CHANNEL_FORGOTTEN", channel });
}
