/** What is sent, before a channel gives it its form. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";

/** A message, the same for every channel; each puts it into its own form, and escapes what it has to. */
export interface Outgoing {
  /** Of the outbox, the same for each attempt: services that can tell repeats apart are given it. */
  id: string;
  kind: notices.MessageKind;
  /** It may have arrived before, and says so. */
  repeat: boolean;
  /** One line: "A question is waiting for you", "2 of 3 questions are still waiting". */
  heading: string;
  /** Everything that it is about, also what has no item of its own, such as a report. */
  subjects: notices.Subject[];
  items: OutgoingItem[];
  /** What follows the items, such as the report. */
  lines: string[];
  /** Where it leads to; only with an address that a phone can reach. */
  link?: string;
  /** What a tap sends back, where the channel has no buttons of its own. */
  tap?: string;
}

/** One thing that a message is about. Only what this channel may say is in it. */
export interface OutgoingItem {
  subject: notices.Subject;
  /** The id of the question, where it is one. */
  question?: string;
  title: string;
  /** `run`, `project`, `question` …, in order. */
  details: { name: notices.Field; text: string }[];
  link?: string;
  /** Once it is decided, or needs nobody any more: what came of it, in one line. */
  outcome?: string;
}
