/** Enables a channel, and shows how to reach it from a phone. Only people do that. */
import { randomBytes } from "node:crypto";
import { BabysitterError } from "@a5c-ai/babysitter-sdk";
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import { type InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { DeliveryProblem } from "../channels/channel.js";
import { Bot } from "../channels/telegram/bot.js";
import { newChannel } from "../rules/channel-record.js";
import { NOBODY_SENDS, sendsText } from "../rules/channel-texts.js";
import { type EnableRequest, isUnprotected } from "../rules/extension-arguments.js";
import { forgetSent } from "./disable-channel.js";

/** What a command answers: one document for programs, and lines for people. */
export interface Answer {
  document: object;
  lines: string[];
}

/** 128 bits: nobody finds it by trying. */
const TOPIC_BYTES = 16;

export async function enableChannel(desk: InboxDesk, request: EnableRequest): Promise<Answer> {
  const { channel } = request;
  const before = desk.channels.all()[channel];
  const made = newChannel(request, before, { now: new Date().toISOString(), newTopic });
  const { record, isSame } = made;
  const asked = channel === "telegram" ? await withBotName(record) : { record };
  // What was sent to somebody else must not be taken for sent: rather forgotten for nothing than kept in error.
  if (!isSame) forgetSent(desk, channel);
  desk.channels.enable(channel, asked.record);
  const way = wayTo(desk, channel, asked);
  const { fields, files, topics, since } = record;
  const { publicUrl } = desk.notifySettings();
  const notes = [...notesOn(channel, record), ...((await desk.hasWorker()) ? [] : [NOBODY_SENDS])];
  return {
    document: { channel, enabled: true, since, fields, files, topics, asBefore: isSame, ...way.document, notes },
    lines: [
      `${notices.channelTitle(channel)} is enabled${before === undefined ? "" : isSame ? ", as before" : ", replacing the previous one"}.`,
      ...way.lines,
      sendsText(record, publicUrl),
      ...notes,
      `To try it: babysitter notify:test ${channel}`,
    ],
  };
}

function newTopic(): string {
  return `babysitter-${randomBytes(TOPIC_BYTES).toString("hex")}`;
}

interface Asked {
  record: notices.ChannelRecord;
  /** Why the service could not be asked. */
  unreachable?: string;
}

/** As it may stand in a link. */
const BOT_NAME = /^\w{3,64}$/u;
const PATIENCE_MS = 10_000;

async function withBotName(record: notices.ChannelRecord): Promise<Asked> {
  try {
    const bot = await Bot.open(record.settings);
    const { username } = await bot.me(AbortSignal.timeout(PATIENCE_MS));
    if (!BOT_NAME.test(username)) return { record, unreachable: "it did not say what the bot is called" };
    return { record: { ...record, settings: { ...record.settings, bot: username } } };
  } catch (error) {
    if (!(error instanceof DeliveryProblem)) throw error;
    if (error.outcome !== "refused") return { record, unreachable: error.message };
    throw new BabysitterError("CHANNEL_REFUSED", `${error.message}.`, {
      hint: "@BotFather shows the tokens of your bots: /mybots, API Token. Nothing was changed.",
    });
  }
}

/** How somebody gets to what a channel sends; for a chat, a link that binds it. */
function wayTo(desk: InboxDesk, channel: notices.ChannelName, { record, unreachable }: Asked): Answer {
  const { bot, server = "", topic = "" } = record.settings;
  if (channel === "ntfy") return subscribeTo(server, topic);
  if (channel !== "telegram") return { document: {}, lines: [] };
  const bound = desk.chats.bound(channel);
  if (bound !== undefined)
    return {
      document: { bot: bot ?? null, bound: { name: bound.name, at: bound.at } },
      lines: [`Your chat stays bound: ${shownLine(bound.name)}.`, ...unreachableLines(unreachable)],
    };
  if (bot === undefined) return { document: { bot: null, link: null }, lines: unreachableLines(unreachable) };
  const { link: secret, expires } = desk.chats.makeLink(channel);
  const link = `https://t.me/${bot}?start=${secret}`;
  return {
    document: { bot, link, expires, ...(unreachable === undefined ? {} : { unreachable }) },
    lines: [
      ...unreachableLines(unreachable),
      "Open this link on your phone within 10 minutes and tap Start. It binds your chat and works once:",
      `  ${link}`,
      "Until then nothing is sent.",
    ],
  };
}

function unreachableLines(why: string | undefined): string[] {
  if (why === undefined) return [];
  return [
    `Could not ask Telegram about the bot (${why}). The token is saved; once Telegram can be reached: babysitter extension link telegram`,
  ];
}

function subscribeTo(server: string, topic: string): Answer {
  return {
    document: { server, topic, subscribe: `${server}/${topic}` },
    lines: [
      `In the ntfy app, subscribe to this topic${server === "https://ntfy.sh" ? "" : ` on the server ${server}`}:`,
      `  ${topic}`,
      "Anyone who knows its name can read what is sent there, so keep it secret.",
    ],
  };
}

const SHORT_TOPIC = 16;

function notesOn(channel: notices.ChannelName, { settings, files }: notices.ChannelRecord): string[] {
  const { server, url, apiRoot, topic } = settings;
  const isOpen = [server, url, apiRoot].some((address) => address !== undefined && isUnprotected(address));
  return [
    ...(isOpen
      ? ["The address is not encrypted: anyone on the network path can read what is sent, and send in your name."]
      : []),
    ...(topic !== undefined && topic.length < SHORT_TOPIC
      ? ["The topic is short enough to be guessed. To get a random one, leave out --topic."]
      : []),
    ...(files && channel !== "telegram" ? ["Only Telegram can send files; --files has no effect here."] : []),
  ];
}

/** A new link for a chat, or what to subscribe to. */
export async function linkChannel(desk: InboxDesk, channel: notices.ChannelName): Promise<Answer> {
  const record = desk.channels.all()[channel];
  if (record === undefined) throw notEnabled(channel);
  if (channel !== "telegram" && channel !== "ntfy")
    throw new BabysitterError("USAGE", `${notices.channelTitle(channel)} needs no link: it sends to its address.`, {
      hint: "babysitter extension list",
    });
  if (channel === "ntfy") return wayTo(desk, channel, { record });
  const asked = await withBotName(record);
  // Somebody may have disabled it while Telegram was asked: what is forgotten stays forgotten.
  if (desk.channels.all()[channel]?.settings["token"] !== record.settings["token"]) throw notEnabled(channel);
  desk.channels.enable(channel, asked.record);
  const way = wayTo(desk, channel, asked);
  return { document: { channel, ...way.document }, lines: way.lines };
}

export function notEnabled(channel: notices.ChannelName): BabysitterError {
  return new BabysitterError("CHANNEL_NOT_ENABLED", `${notices.channelTitle(channel)} is not enabled.`, {
    hint: `babysitter extension enable ${channel}`,
    details: { channel },
  });
}
