/** What there is to know about each way to reach a person, without opening it. */

import type { ChannelName } from "../model/channel-names.js";
import { shownLine } from "../model/shown-text.js";
import type { ChannelRecord } from "./channels.js";

export interface ChannelKind {
  /** As people write it. */
  title: string;
  /** How far a receipt can get: `acknowledged` where a person can tap, `accepted` where nothing comes back. */
  proves: "accepted" | "acknowledged";
  /** How a tap gets back, or why none does. */
  proof: string;
  /** Whether a message says afterwards what came of its question. */
  edits: boolean;
  /** Whether questions can be answered there. */
  decides: boolean;
  settings: readonly ChannelSetting[];
}

interface ChannelSetting {
  name: string;
  about: string;
  /** Nobody else may see it: it is in no list, log, receipt or answer of the server. */
  secret: boolean;
  /** `made`: babysitter makes it up where nobody gives it. */
  need: "required" | "optional" | "made";
  usual?: string;
}

const WEBHOOK_URL = "the address that the service has made; whoever knows it can write there";

/** What each channel needs, and what it can prove. */
export const CHANNEL_KINDS: Readonly<Record<ChannelName, ChannelKind>> = {
  telegram: {
    title: "Telegram",
    proves: "acknowledged",
    proof: "a button or a reply in the chat",
    edits: true,
    decides: true,
    settings: [
      { name: "token", about: "the token of your bot, from @BotFather", secret: true, need: "required" },
      {
        name: "username",
        about: "your own name in Telegram: no other account can be bound",
        secret: false,
        need: "optional",
      },
      {
        name: "apiRoot",
        about: "the Bot API server",
        secret: false,
        need: "optional",
        usual: "https://api.telegram.org",
      },
    ],
  },
  ntfy: {
    title: "ntfy",
    proves: "acknowledged",
    proof: 'the action "Got it", which publishes to a second topic that only your messages name',
    edits: true,
    decides: false,
    settings: [
      { name: "server", about: "the address of the server", secret: false, need: "optional", usual: "https://ntfy.sh" },
      { name: "topic", about: "the topic that your phone subscribes to", secret: true, need: "made" },
      { name: "replyTopic", about: "the topic that a tap publishes to", secret: true, need: "made" },
      { name: "token", about: "the access token, on a server that asks for one", secret: true, need: "optional" },
      {
        name: "replyToken",
        secret: true,
        need: "optional",
        about: "an access token that may only write to the reply topic; it is sent to the phone",
      },
    ],
  },
  slack: {
    title: "Slack",
    proves: "accepted",
    proof: "nothing comes back from a Slack webhook",
    edits: false,
    decides: false,
    settings: [{ name: "url", about: WEBHOOK_URL, secret: true, need: "required" }],
  },
  discord: {
    title: "Discord",
    proves: "accepted",
    proof: "nothing comes back from a Discord webhook",
    edits: true,
    decides: false,
    settings: [{ name: "url", about: WEBHOOK_URL, secret: true, need: "required" }],
  },
  webhook: {
    title: "Webhook",
    proves: "accepted",
    proof: "nothing comes back from a webhook",
    edits: false,
    decides: false,
    settings: [
      { name: "url", about: "the address of your own program", secret: true, need: "required" },
      { name: "secret", about: "what each document is signed with", secret: true, need: "optional" },
    ],
  },
};

const LONGEST_NAME = 40;

/** What people call a channel; one that is not known here goes by its own name. */
export function channelTitle(name: string): string {
  return Object.hasOwn(CHANNEL_KINDS, name) ? CHANNEL_KINDS[name as ChannelName].title : shownLine(name, LONGEST_NAME);
}

/** Where a channel sends to, in words and without secrets. `chat`: whose chat is bound. */
export function describeChannel(
  name: ChannelName,
  { settings }: Pick<ChannelRecord, "settings">,
  chat?: { name: string },
): { target: string; proves: ChannelKind["proves"] } {
  const { proves } = CHANNEL_KINDS[name];
  if (name === "telegram")
    return { proves, target: chat === undefined ? "no chat yet: open the start link" : `the chat of ${chat.name}` };
  if (name === "ntfy") return { proves, target: `a topic of ${hostOf(settings["server"] ?? "https://ntfy.sh")}` };
  return { proves, target: hostOf(settings["url"] ?? "") };
}

/** Of an address only this may be shown: the rest may be a secret. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "an address that cannot be used";
}
