/** What a worker is given to work with. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import type { Channel } from "../channels/channel.js";
import type { ChannelParts } from "../channels/channel-parts.js";
import type { InboxQuestions } from "../desk/inbox-questions.js";
import type { QuestionIndex } from "../index/question-index.js";
import type { LiveIndex } from "../live/live-index.js";
import type { WorkerLimits } from "./worker-limits.js";

/** The questions and runs of a person, as the worker sees them. */
export interface WorkerView {
  index: QuestionIndex;
  live: LiveIndex;
  questions: InboxQuestions;
  /** Calls when something may have changed; answers how to stop. */
  listen: (changed: () => void) => () => void;
  close: () => Promise<void>;
}

type OpenChannels = (
  records: notices.ChannelRecords,
  partsFor: (name: notices.ChannelName, record: notices.ChannelRecord) => ChannelParts,
) => Promise<Channel[]>;

export interface WorkerParts {
  desk: InboxDesk;
  /** Made once the worker is the one that sends. */
  view: () => Promise<WorkerView>;
  openChannels: OpenChannels;
  /** The lines of the report for a day; none when there is nothing to tell. */
  report: (day: string) => Promise<readonly string[]>;
  limits: WorkerLimits;
  /** One line for each thing that it does, or that goes wrong. No secrets. */
  log: (text: string) => void;
}
