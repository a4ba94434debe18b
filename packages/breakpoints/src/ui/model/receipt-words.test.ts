import { expect, test } from "vitest";
import type { ReceiptRow } from "../../wire/notify-wire.js";
import { receiptWords } from "./receipt-words.js";
import type { WordPart } from "./word-parts.js";

const NOW = Date.parse("2026-01-10T23:05:00Z");
const ASKED = "2026-01-10T23:00:00Z";
const SENT = "2026-01-10T23:01:00Z";
const TAPPED = "2026-01-10T23:04:00Z";
const MORNING = "2026-01-11T07:00:00Z";

const common = { channel: "telegram", at: SENT, reminders: 0, repeated: false };

/** Times as themselves, words of others in brackets. */
function textOf(part: WordPart): string {
  if (typeof part === "string") return part;
  if ("said" in part) return `[${part.said}]`;
  return ("ago" in part ? part.ago : part.clock).slice(11, 16);
}

function said(receipt: Partial<ReceiptRow> & Pick<ReceiptRow, "state">): [string, string] {
  const { tone, parts } = receiptWords({ ...common, ...receipt }, NOW);
  return [tone, parts.map(textOf).join("")];
}

test.each<[string, Partial<ReceiptRow> & Pick<ReceiptRow, "state">, [string, string]]>([
  ["queued", { state: "queued", at: ASKED, due: MORNING }, ["quiet", "Waiting to be sent by Telegram at 07:00"]],
  [
    "held back",
    { state: "queued", channel: "ntfy", at: ASKED, due: MORNING, why: "quiet hours" },
    ["quiet", "Waiting to be sent by ntfy at 07:00 ([quiet hours])"],
  ],
  ["overdue", { state: "queued", at: ASKED, due: SENT }, ["quiet", "Waiting to be sent by Telegram"]],
  ["sending", { state: "sending", channel: "webhook" }, ["quiet", "Being sent by webhook"]],
  ["accepted", { state: "accepted" }, ["quiet", "Sent by Telegram 23:01"]],
  ["repeated", { state: "accepted", repeated: true }, ["quiet", "Sent again by Telegram 23:01"]],
  [
    "accepted, where nothing comes back",
    { state: "accepted", channel: "slack" },
    ["quiet", "Slack has accepted it 23:01; it cannot tell whether you saw it"],
  ],
  [
    "tapped",
    { state: "acknowledged", sentAt: SENT, at: TAPPED, why: "a button" },
    ["quiet", "Sent by Telegram 23:01 · tapped 23:04"],
  ],
  [
    "tapped in ntfy",
    { state: "acknowledged", channel: "ntfy", sentAt: SENT, at: TAPPED, why: "the action in ntfy" },
    ["quiet", "Sent by ntfy 23:01 · tapped 23:04"],
  ],
  [
    "answered, after reminders",
    { state: "acknowledged", sentAt: SENT, at: TAPPED, why: "a reply", reminders: 2 },
    ["quiet", "Sent by Telegram 23:01 · answered 23:04 · 2 reminders"],
  ],
  [
    "opened here",
    { state: "acknowledged", channel: "discord", sentAt: SENT, at: TAPPED, why: "opened in the inbox", reminders: 1 },
    ["quiet", "Sent by Discord 23:01 · opened here 23:04 · 1 reminder"],
  ],
  [
    "opened here, after a message of which nobody knows",
    { state: "acknowledged", at: TAPPED, why: "opened in the inbox" },
    ["quiet", "Telegram: unknown whether it arrived · opened here 23:04"],
  ],
  [
    "acknowledged in a way that is not known here",
    { state: "acknowledged", sentAt: SENT, at: TAPPED, why: "constructor" },
    ["quiet", "Sent by Telegram 23:01 · seen 23:04 ([constructor])"],
  ],
  [
    "unknown",
    { state: "unknown", why: "it hung up. ", due: "2026-01-10T23:06:00Z" },
    ["needs", "Telegram: unknown whether it arrived: [it hung up]; will be sent again once"],
  ],
  ["unknown, and decided since", { state: "unknown" }, ["needs", "Telegram: unknown whether it arrived"]],
  [
    "unknown after a repeat",
    { state: "unknown", repeated: true },
    ["needs", "Telegram: unknown whether it arrived; sent again once"],
  ],
  [
    "failed",
    { state: "failed", channel: "ntfy", why: "status 503", due: "2026-01-10T23:06:00Z" },
    ["needs", "ntfy failed: [status 503]; next try at 23:06"],
  ],
  ["failed, and due", { state: "failed", why: "x", due: SENT }, ["needs", "Telegram failed: [x]; trying again"]],
  [
    "given up",
    { state: "failed", channel: "webhook", why: "status 404" },
    ["bad", "The webhook failed: [status 404]; given up"],
  ],
  [
    "dropped",
    { state: "dropped", why: "decided before it was due" },
    ["quiet", "Not sent by Telegram: [decided before it was due]"],
  ],
  [
    "of a channel that is not known here",
    { state: "accepted", channel: "pigeon" },
    ["quiet", "pigeon has accepted it 23:01; it cannot tell whether you saw it"],
  ],
])("B9: what is known of a notification is said, and no more: %s", (_, receipt, words) => {
  expect(said(receipt)).toEqual(words);
});
