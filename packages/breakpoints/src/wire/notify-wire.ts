/** What travels between the inbox's server and its pages about notifications. */

/** What is known of a notification on one channel. */
export interface ReceiptRow {
  channel: string;
  state: "queued" | "sending" | "accepted" | "acknowledged" | "unknown" | "failed" | "dropped";
  at: string;
  /** When the message was sent that has arrived as far as anybody can tell. */
  sentAt?: string;
  /** When it is to be sent, or tried again. */
  due?: string;
  /** Why it waits, failed, is unknown or was dropped; how it was acknowledged. */
  why?: string;
  reminders: number;
  repeated: boolean;
}

/** A channel that is enabled; `GET /api/channels`. No secrets. */
export interface ChannelRow {
  name: string;
  target: string;
  /** How far a receipt can get, and how, or why no further. */
  proves: "accepted" | "acknowledged";
  proof: string;
  since: string;
  fields: string[];
  files: boolean;
  topics: string[];
  /** It does not work at present. */
  problem?: { reason: string; since: string };
  /** How many notifications are still to be sent. */
  waiting: number;
  /** What was given up, the newest first; `question` is the id of the question that it was about. */
  failed: { about: string; question?: string; why: string; at: string }[];
  /** Of a chat: whose it is; null while it is not bound. */
  bound?: { name: string; at: string } | null;
}

/** Who sends: the inbox's server, a worker of its own, or nobody. */
export type WorkerState = "here" | "elsewhere" | "none";

/** Why notifications do not arrive at present; there is none where no channel is enabled, or all is well. */
export interface NotifyTrouble {
  /** Why it is not even known which ones there are. */
  unreadable?: string;
  worker: WorkerState;
  /** Channels that do not work. */
  broken: { name: string; reason: string; since: string }[];
  /** How many notifications are still to be sent by those, or by anybody if nobody sends. */
  waiting: number;
  /** How many were given up that still matter. */
  givenUp: number;
}

export interface ChannelList {
  channels: ChannelRow[];
  worker: WorkerState;
  settings: {
    publicUrl: string | null;
    afterSeconds: number;
    remindMinutes: number;
    remindBy: string[];
    quietHours: string | null;
    reportAt: string;
  };
}

/** A run that goes on only if a person does something. */
export interface TroubleRow {
  /** `run:<id>@<time>`, as the outbox calls it. */
  subject: string;
  state: "failed" | "blocked" | "paused";
  why: string;
  at: string;
  run: { id: string; process: string };
  project: { name: string; root: string };
}
