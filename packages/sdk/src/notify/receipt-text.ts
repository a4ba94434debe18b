/** A receipt in words, which promise no more than it proves. */

import type { ChannelName } from "../model/channel-names.js";
import { shownTime } from "../model/shown-amounts.js";
import { shownLine } from "../model/shown-text.js";
import { CHANNEL_KINDS, channelTitle } from "./channel-kinds.js";
import type { Receipt, ReceiptState } from "./receipts.js";

const MAX_REASON = 200;

/** A receipt as one line. */
export function receiptText(receipt: Receipt): string {
  const { channel, state, at, reminders, repeated } = receipt;
  const more = [
    ...(repeated ? ["sent twice, the second time marked as a repeat"] : []),
    ...(reminders === 0 ? [] : [reminders === 1 ? "one reminder" : `${reminders} reminders`]),
  ];
  return `${channelTitle(channel)}: ${[STATES[state](receipt, shownTime(at)), ...more].join("; ")}`;
}

const STATES: Readonly<Record<ReceiptState, (receipt: Receipt, at: string) => string>> = {
  queued: ({ due }) => `not sent yet${due === undefined ? "" : `, due at ${shownTime(due)}`}`,
  sending: (_, at) => `being sent since ${at}`,
  accepted: ({ channel }, at) =>
    canBeTapped(channel)
      ? `accepted at ${at}, not tapped yet`
      : `accepted at ${at}; it cannot tell whether you have seen it`,
  acknowledged: ({ why, sentAt }, at) =>
    `${sentAt === undefined ? "" : `sent at ${shownTime(sentAt)}, `}${why === "opened in the inbox" ? why : "tapped"} at ${at}`,
  unknown: ({ why }, at) => `not known since ${at} whether it arrived${because(why)}`,
  failed: ({ why, due }, at) =>
    `failed at ${at}${because(why)}; ${due === undefined ? "no more attempts" : `the next attempt is at ${shownTime(due)}`}`,
  dropped: ({ why }, at) => `not sent${because(why)} (${at})`,
};

function canBeTapped(channel: string): boolean {
  return Object.hasOwn(CHANNEL_KINDS, channel) && CHANNEL_KINDS[channel as ChannelName].proves === "acknowledged";
}

function because(why: string | undefined): string {
  return why === undefined ? "" : `: ${shownLine(why, MAX_REASON)}`;
}
