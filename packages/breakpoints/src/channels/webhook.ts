/** Webhooks: Slack's, Discord's, and a document of our own for any other program. Nothing comes back from them. */
import { createHmac } from "node:crypto";
import { describeChannel } from "@a5c-ai/babysitter-sdk/notify";
import { type Channel, DeliveryProblem, type Outgoing, type OutgoingItem } from "./channel.js";
import type { ChannelParts } from "./channel-parts.js";
import { type Delivery, deliver, USUAL_LIMITS } from "./http-delivery.js";
import { bodyLines, closingLines, fittingText, headingOf, type TextForm } from "./message-text.js";

const JSON_TYPE = { "Content-Type": "application/json" };

export function slackChannel({ record }: ChannelParts, limits = USUAL_LIMITS): Channel {
  const { url = "" } = record.settings;
  return {
    name: "slack",
    ...describeChannel("slack", record),
    send: async (message, signal) => {
      const body = JSON.stringify(slackDocument(message));
      const answer = await deliver({ url, method: "POST", headers: JSON_TYPE, body, reads: true }, signal, limits);
      if (answer.trim() !== "ok") throw new DeliveryProblem("in-doubt", "the response is not from Slack");
      return {};
    },
  };
}

/** Longer ones are shown in pieces. */
const SLACK_LONGEST = 4000;

const SLACK: TextForm = {
  // Mentions, links and channels all begin with one of these.
  escape: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  link: (url) => `<${url.replaceAll("&", "&amp;")}>`,
};

function slackDocument(message: Outgoing): object {
  const text = textOf(message, SLACK, SLACK_LONGEST);
  return { text, mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false };
}

export function discordChannel(
  { record }: ChannelParts,
  limits = USUAL_LIMITS,
): Channel & Required<Pick<Channel, "edit">> {
  const url = record.settings["url"] ?? "";
  return {
    name: "discord",
    ...describeChannel("discord", record),
    send: async (message, signal) => {
      const body = JSON.stringify(discordDocument(message));
      const request: Delivery = { url: discordUrl(url), method: "POST", headers: JSON_TYPE, body, reads: true };
      return { ref: discordId(await deliver(request, signal, limits)) };
    },
    edit: async (ref, message, signal) => {
      if (typeof ref !== "string" || !SNOWFLAKE.test(ref))
        throw new DeliveryProblem("refused", "the message is no longer known");
      const body = JSON.stringify(discordDocument(message));
      await deliver({ url: discordUrl(url, ref), method: "PATCH", headers: JSON_TYPE, body }, signal, limits);
    },
  };
}

const DISCORD_LONGEST = 2000;
const SNOWFLAKE = /^\d{1,25}$/u;
/** Links are not shown as pictures and cards. */
const SUPPRESS_EMBEDS = 4;

const DISCORD: TextForm = {
  // Everything that begins a mark, a mention, an emoji, a heading, a list or a link.
  escape: (text) => text.replaceAll(/[\\*_~`|<>#@:[\]()+=-]/gu, String.raw`\$&`).replace(/^(\d+)\./u, String.raw`$1\.`),
  link: (url) => `<${url}>`,
};

function discordDocument(message: Outgoing): object {
  return {
    content: textOf(message, DISCORD, DISCORD_LONGEST),
    allowed_mentions: { parse: [] },
    flags: SUPPRESS_EMBEDS,
  };
}

/** Discord answers what it calls a message only to whoever waits for it. */
function discordUrl(address: string, message?: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (message === undefined) url.searchParams.set("wait", "true");
  else url.pathname = `${url.pathname.replace(/\/+$/u, "")}/messages/${message}`;
  return url.href;
}

function discordId(answer: string): string {
  try {
    const { id } = JSON.parse(answer) as Record<string, unknown>;
    if (typeof id === "string" && SNOWFLAKE.test(id)) return id;
  } catch {
    // Whatever it is, it is none of Discord's.
  }
  throw new DeliveryProblem("in-doubt", "the response is not from Discord");
}

export function webhookChannel({ record }: ChannelParts, limits = USUAL_LIMITS): Channel {
  const { url = "", secret } = record.settings;
  return {
    name: "webhook",
    ...describeChannel("webhook", record),
    send: async (message, signal) => {
      const body = JSON.stringify(webhookDocument(message));
      const headers = { ...JSON_TYPE, "Babysitter-Message": message.id, ...signatureOf(body, secret) };
      await deliver({ url, method: "POST", headers, body }, signal, limits);
      return {};
    },
  };
}

/** What a webhook is sent. Fields may be added; what is there keeps its meaning as long as the version does. */
interface WebhookDocument {
  version: 1;
  /** The same for each attempt of a message, so that a receiver can tell repeats apart. */
  id: string;
  kind: Outgoing["kind"];
  /** It may have arrived before. */
  repeat: boolean;
  heading: string;
  /** Everything that it is about; a report, for one, has no item. */
  subjects: string[];
  items: WebhookItem[];
  lines: string[];
  link: string | null;
}

interface WebhookItem {
  subject: string;
  question: string | null;
  title: string;
  details: { name: string; text: string }[];
  link: string | null;
  outcome: string | null;
}

function webhookDocument(message: Outgoing): WebhookDocument {
  const { id, kind, repeat, heading, subjects, items, lines, link = null } = message;
  return { version: 1, id, kind, repeat, heading, subjects, items: items.map(webhookItem), lines, link };
}

function webhookItem({ subject, question, title, details, link, outcome }: OutgoingItem): WebhookItem {
  return { subject, question: question ?? null, title, details, link: link ?? null, outcome: outcome ?? null };
}

function signatureOf(body: string, secret: string | undefined): Record<string, string> {
  if (secret === undefined) return {};
  return { "Babysitter-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}` };
}

function textOf(message: Outgoing, form: TextForm, longest: number): string {
  const lines = [form.escape(headingOf(message)), ...bodyLines(message, form)];
  return fittingText(lines, closingLines(message, form), (text) => text.length <= longest);
}
