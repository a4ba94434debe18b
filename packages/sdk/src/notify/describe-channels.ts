/** The channels of a person for whoever looks at them: what they prove, what they send, and how they fare. No secrets. */

import type { ChannelName } from "../model/channel-names.js";
import { CHANNEL_KINDS } from "./channel-kinds.js";
import type { ChannelRecord, ChannelRecords, Field, Topic } from "./channels.js";
import type { BoundChat } from "./chat-state.js";
import type { OutboxState, Subject } from "./outbox-state.js";
import { type Receipt, receiptOf } from "./receipts.js";

/** One channel for whoever looks at it: no secrets. */
export interface ChannelDescription {
  name: ChannelName;
  /** How far a receipt can get: `acknowledged` where a person can tap, `accepted` where nothing comes back. */
  proves: "accepted" | "acknowledged";
  since: string;
  fields: Field[];
  files: boolean;
  topics: Topic[];
  /** It does not work at present. */
  problem?: { reason: string; since: string };
  /** How many notifications are still to be sent. */
  waiting: number;
  /** What was given up, the newest first. */
  failed: { about: string; why: string; at: string }[];
  /** Of a chat: whose it is; null while it is not bound. */
  bound?: { name: string; at: string } | null;
}

/** Every channel that is set up, in the order of the records. */
export function describeChannels(
  records: ChannelRecords,
  state: Readonly<OutboxState>,
  boundTo: (channel: ChannelName) => BoundChat | undefined,
): ChannelDescription[] {
  return (Object.entries(records) as [ChannelName, ChannelRecord][]).map(([name, record]) => {
    const { since, fields, files, topics } = record;
    const bound = boundTo(name);
    const problem = state.problems.get(name);
    return {
      name,
      proves: CHANNEL_KINDS[name].proves,
      since,
      fields,
      files,
      topics,
      ...(problem === undefined ? {} : { problem }),
      waiting: waitingOf(state, name),
      failed: givenUpOf(state, name).map(({ subject, ...rest }) => ({ about: subjectText(subject), ...rest })),
      ...(name === "telegram" ? { bound: bound === undefined ? null : { name: bound.name, at: bound.at } } : {}),
    };
  });
}

/** A notification that nobody tries to send any more. */
export interface GivenUp {
  subject: Subject;
  why: string;
  at: string;
}

/** What a channel has given up, the newest first. */
export function givenUpOf(state: Readonly<OutboxState>, channel: string): GivenUp[] {
  return receiptsBy(state, channel)
    .filter(({ receipt: { state: end, due } }) => end === "failed" && due === undefined)
    .map(({ subject, receipt: { why = "", at } }) => ({ subject, why, at }))
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** How many notifications of a channel are still to be sent. */
export function waitingOf(state: Readonly<OutboxState>, channel: string): number {
  return receiptsBy(state, channel).filter(
    ({ receipt: { state: end, due } }) => end === "queued" || (end === "failed" && due !== undefined),
  ).length;
}

function receiptsBy(
  { notices, messages }: Readonly<OutboxState>,
  channel: string,
): { subject: Subject; receipt: Receipt }[] {
  return [...notices.values()]
    .filter((notice) => notice.channel === channel)
    .map((notice) => {
      const message = notice.message === undefined ? undefined : messages.get(notice.message);
      return { subject: notice.subject, receipt: receiptOf(notice, message) };
    });
}

const KINDS: Readonly<Record<string, string>> = {
  question: "question",
  run: "trouble in run",
  report: "report of",
  test: "test",
};

function subjectText(subject: Subject): string {
  const [kind = "", ...rest] = subject.split(":");
  return `${KINDS[kind] ?? kind} ${rest.join(":").replace(/@\d+$/u, "")}`.trim();
}
