import type { InboxAccess } from "@a5c-ai/babysitter-sdk/operate";
import type { InboxQuestions } from "../desk/inbox-questions.js";
import type { InboxRuns } from "../desk/inbox-runs.js";
import type { Notifications } from "../desk/notifications.js";
import type { QuestionQuery } from "../rules/question-query.js";
import type { RunQuery } from "../rules/run-query.js";
import type { QuestionList } from "../wire/inbox-wire.js";
import type { NightReport } from "../wire/report-wire.js";
import type { RunList } from "../wire/run-wire.js";
import type { LiveStreams } from "./live-streams.js";
import type { NewKeys } from "./new-keys.js";

/** What the inbox is made of; whoever starts it says where it is and who it is for. */
export interface InboxParts {
  access: InboxAccess;
  questions: InboxQuestions;
  runs: InboxRuns;
  board: (query: RunQuery) => Promise<RunList>;
  list: (query: QuestionQuery) => Promise<QuestionList>;
  notifications: Notifications;
  report: (since: Date) => Promise<NightReport>;
  streams: LiveStreams;
  newKeys: NewKeys;
  pages: ReadonlyMap<string, StaticPage>;
  /** The address of its pages, known once it is heard. */
  origin: () => string;
  who: { user: string; host: string; version: string };
  /** Told of errors that nobody has foreseen. */
  onError: (error: unknown) => void;
}

/** A file of the pages, with what is sent to browsers that unpack it. */
export interface StaticPage {
  bytes: Uint8Array<ArrayBuffer>;
  packed: Uint8Array<ArrayBuffer>;
  type: string;
  immutable: boolean;
}

/** What is known of a request once its token was looked at. */
export type Signed = { Variables: { token: string; device: string } };
