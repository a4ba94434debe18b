/** What a person is told of a test while they wait for it, and when that is over. */
import * as notices from "@a5c-ai/babysitter-sdk/notify";
import { shownLine, shownTime } from "@a5c-ai/babysitter-sdk/notify";

export interface TestStep {
  channel: notices.ChannelName;
  /** One line. It says no more than is known. */
  text: string;
  /** `proved`: as far as the channel can. */
  outcome: "waiting" | "proved" | "failed";
  receipt: notices.Receipt | null;
}

const MAX_REASON = 200;

/** `unready`: why the channel cannot send yet. */
export function testStep(
  channel: notices.ChannelName,
  receipt: notices.Receipt | undefined,
  unready?: string,
): TestStep {
  const title = notices.channelTitle(channel);
  const said = receipt === undefined ? GONE : STATES[receipt.state](receipt, title, unready);
  return { channel, text: `${title}: ${said.text}`, outcome: said.outcome, receipt: receipt ?? null };
}

type Said = Pick<TestStep, "text" | "outcome">;

const GONE: Said = { text: "it was disabled meanwhile", outcome: "failed" };

type State = (receipt: notices.Receipt, title: string, unready: string | undefined) => Said;

const STATES: Readonly<Record<notices.ReceiptState, State>> = {
  queued: (_receipt, _title, unready) => ({ text: unready ?? "waiting to be sent …", outcome: "waiting" }),
  sending: () => ({ text: "being sent …", outcome: "waiting" }),
  accepted: ({ channel }, title) =>
    canProveTaps(channel)
      ? { text: `accepted by ${title} … waiting for your tap`, outcome: "waiting" }
      : { text: `${title} has accepted it; it cannot tell whether you have seen it`, outcome: "proved" },
  acknowledged: () => ({ text: "tapped; you can be reached there", outcome: "proved" }),
  unknown: ({ channel, why, due }) => ({
    text: `nobody knows whether it has arrived${because(why)}${due === undefined ? "" : again(due)}`,
    // Whoever taps it shows that it has.
    outcome: due !== undefined || canProveTaps(channel) ? "waiting" : "failed",
  }),
  failed: ({ why, due }) => ({
    text: `failed${because(why)}${due === undefined ? "" : again(due)}`,
    outcome: due === undefined ? "failed" : "waiting",
  }),
  dropped: ({ why }) => ({ text: `not sent${because(why)}`, outcome: "failed" }),
};

function canProveTaps(channel: string): boolean {
  return notices.CHANNEL_KINDS[channel as notices.ChannelName].proves === "acknowledged";
}

function because(why: string | undefined): string {
  return why === undefined ? "" : `: ${shownLine(why, MAX_REASON)}`;
}

function again(due: string): string {
  return `; the next attempt is at ${shownTime(due)}`;
}

/** `waiting` only once nobody waits any more. */
export function overallOutcome(steps: readonly TestStep[]): TestStep["outcome"] {
  if (steps.some(({ outcome }) => outcome === "failed")) return "failed";
  return steps.every(({ outcome }) => outcome === "proved") ? "proved" : "waiting";
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of 90s, 5m or 1h; undefined for anything else. */
export function parseWait(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,4})([smh])$/u.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] ?? 0);
}
