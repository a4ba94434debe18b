/** What is known of a notification, in words that claim no more than that. */
import type { ReceiptRow } from "../../wire/notify-wire.js";
import { canTap, channelName, channelWord } from "./channel-words.js";
import { counted } from "./counted.js";
import type { Tone } from "./decision-words.js";
import { joined, quoted, type WordPart } from "./word-parts.js";

export interface ReceiptWords {
  tone: Extract<Tone, "quiet" | "needs" | "bad">;
  parts: WordPart[];
}

export function receiptWords(receipt: ReceiptRow, now: number): ReceiptWords {
  const { state, due } = receipt;
  const tone = state === "unknown" ? "needs" : state === "failed" ? (due === undefined ? "bad" : "needs") : "quiet";
  return { tone, parts: joined([WORDS[state](receipt, now), reminded(receipt)], " · ") };
}

type Wording = (receipt: ReceiptRow, now: number) => WordPart[];

const WORDS: Readonly<Record<ReceiptRow["state"], Wording>> = {
  queued: ({ channel, due, why }, now) => [
    `Waiting to be sent by ${channelWord(channel)}`,
    ...(isAhead(due, now) ? [" at ", { clock: due }] : []),
    ...(why === undefined ? [] : [" (", { said: why }, ")"]),
  ],
  sending: ({ channel }) => [`Being sent by ${channelWord(channel)}`],
  accepted: ({ channel, at, sentAt = at, repeated }) =>
    canTap(channel)
      ? ["Sent", again(repeated), ` by ${channelWord(channel)} `, { ago: sentAt }]
      : [`${channelName(channel)} has accepted it `, { ago: sentAt }, "; it cannot tell whether you saw it"],
  acknowledged: (receipt) => joined([arrival(receipt), reaction(receipt)], " · "),
  unknown: ({ channel, why, repeated, due }) => [
    `${channelName(channel)}: unknown whether it arrived`,
    ...because(why),
    repeated ? "; sent again once" : due === undefined ? "" : "; will be sent again once",
  ],
  failed: ({ channel, why, due }, now) => [
    `${channelName(channel)} failed`,
    ...because(why),
    ...(due === undefined
      ? ["; given up"]
      : isAhead(due, now)
        ? ["; next try at ", { clock: due }]
        : ["; trying again"]),
  ],
  dropped: ({ channel, why }) => [`Not sent by ${channelWord(channel)}`, ...because(why)],
};

/** How a person has shown that it has reached them. Channels name other ways as they like. */
const REACTIONS: Readonly<Record<string, string>> = {
  "a button": "tapped",
  "the action in ntfy": "tapped",
  "a reply": "answered",
  "a message": "viewed there",
  "opened in the inbox": "opened here",
};

function reaction({ why = "", at }: ReceiptRow): WordPart[] {
  const word = Object.hasOwn(REACTIONS, why) ? REACTIONS[why] : undefined;
  if (word !== undefined) return [`${word} `, { ago: at }];
  return ["seen ", { ago: at }, ...(why === "" ? [] : [" (", { said: why }, ")"])];
}

/** Opening it here says nothing about whether the message has arrived elsewhere. */
function arrival({ channel, sentAt, repeated }: ReceiptRow): WordPart[] {
  if (sentAt === undefined) return [`${channelName(channel)}: unknown whether it arrived`];
  return ["Sent", again(repeated), ` by ${channelWord(channel)} `, { ago: sentAt }];
}

function again(repeated: boolean): string {
  return repeated ? " again" : "";
}

function reminded({ reminders }: ReceiptRow): WordPart[] {
  return reminders === 0 ? [] : [counted(reminders, "reminder")];
}

function because(why: string | undefined): WordPart[] {
  return why === undefined || why === "" ? [] : [": ", quoted(why)];
}

function isAhead(due: string | undefined, now: number): due is string {
  return due !== undefined && Date.parse(due) > now;
}
