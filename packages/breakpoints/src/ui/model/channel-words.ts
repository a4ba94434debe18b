/** Channels, and what keeps them from working, in words. */
import type { NotifyTrouble } from "../../wire/notify-wire.js";
import { counted } from "./counted.js";
import { quoted, type WordPart } from "./word-parts.js";

const NAMES: Readonly<Record<string, string>> = {
  telegram: "Telegram",
  slack: "Slack",
  discord: "Discord",
  webhook: "The webhook",
};

export function channelName(name: string): string {
  return NAMES[name] ?? name;
}

/** As a heading. */
export function channelTitle(name: string): string {
  return name === "webhook" ? "Webhook" : channelName(name);
}

/** In the middle of a sentence. */
export function channelWord(name: string): string {
  return name === "webhook" ? "webhook" : channelName(name);
}

/** Channels where a person can show that a message has reached them. */
const CAN_TAP: readonly string[] = ["telegram", "ntfy"];

export function canTap(name: string): boolean {
  return CAN_TAP.includes(name);
}

export interface TroubleWords {
  lead: string;
  parts: WordPart[];
}

/** What keeps notifications from arriving, in a line. The gravest comes first. */
export function troubleWords(trouble: NotifyTrouble): TroubleWords {
  const { unreadable, worker, broken, waiting, givenUp } = trouble;
  if (unreadable !== undefined) return { lead: "Notifications are not working:", parts: [{ said: unreadable }] };
  const waits = waiting === 0 ? "" : `${counted(waiting, "notification is waiting", "notifications are waiting")}.`;
  if (worker === "none") return { lead: "Your notifications are not being sent.", parts: [waits] };
  const [first] = broken;
  if (first !== undefined && broken.length === 1) {
    const { name, reason, since } = first;
    const rest = waits === "" ? "." : `; ${waits}`;
    return {
      lead: `${channelName(name)} is not working:`,
      parts: [quoted(reason), ", since ", { clock: since }, rest],
    };
  }
  if (broken.length > 1)
    return { lead: `${listed(broken.map(({ name }) => channelName(name)))} are not working.`, parts: [waits] };
  return { lead: `${counted(givenUp, "notification was", "notifications were")} given up.`, parts: [] };
}

/** "a, b and c". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
