/** What travels between the inbox's server and its pages. Times are ISO texts; names of fields do not change. */

import type { NotifyTrouble, ReceiptRow } from "./notify-wire.js";
import type { RunRow } from "./run-wire.js";

export type QuestionState = "open" | "approved" | "rejected" | "failed" | "abandoned";

/** One line of a list. */
export interface QuestionRow {
  id: string;
  question: string;
  title?: string;
  risk?: string;
  state: QuestionState;
  /** `name` is the folder's, for people; `root` tells two of the same name apart. */
  project: { name: string; root: string };
  run: { id: string; process: string };
  /** What waits: the whole run, or a part of it while other steps still work. */
  stops: "run" | "part";
  /** The run belongs to a session of an agent. */
  agent: boolean;
  askedAt: string;
  commentCount: number;
  /** When it was first opened in an inbox. */
  seenAt?: string;
  /** Why it can be looked at but not decided, such as a run that a newer version has written to. */
  readOnly?: string;
  /** Once it is decided. */
  decidedAt?: string;
  by?: string;
  via?: string;
  option?: string;
  reason?: string;
}

export interface RunProblem {
  run: string;
  project: string;
  problem: string;
}

/** `GET /api/questions?state=open|decided&search=…&after=…&limit=…` */
export interface QuestionList {
  questions: QuestionRow[];
  /** For the next page, as `after`. */
  next: string | null;
  /** All open questions, also those on other pages. */
  open: number;
  /** How many there are that match, on all pages. */
  total: number;
  /** Runs that cannot be read: what they ask is not in the list. */
  unreadable: RunProblem[];
}

export interface AnswerChoice {
  label: string;
  id?: string;
  rejects: boolean;
}

/** What a file is compared with. */
export interface Comparison {
  side: "base" | "approved";
  /** A git revision, or when the version was approved. */
  label: string;
  /** Why there is no text to compare with; "missing" means that the file is new. */
  refused?: string;
  bytes?: number;
  /** The file is the same, byte for byte; its text need not be asked for. */
  unchanged?: true;
}

/** A file as it was when the question was asked, without its text. */
export interface FileHead {
  /** Its place among the files of the question, from 0. */
  n: number;
  path: string;
  format?: string;
  language?: string;
  bytes?: number;
  sha256?: string;
  /** Why there is no text. "missing" means that it is gone. */
  refused?: string;
  /** Only so many bytes of it were kept. */
  cutAt?: number;
  /** How it differs today from what was asked about: `changed`, or why it can no longer be read. */
  now?: string;
  comparisons: Comparison[];
}

export type Side = "file" | "base" | "approved";

/** `GET /api/questions/:id/files/:n?side=file|base|approved&from=0`: whole lines, a page at a time. */
export interface FilePage {
  text: string;
  /** Both in bytes; `next` is null on the last page. */
  from: number;
  next: number | null;
  bytes: number;
}

export interface QuestionComment {
  text: string;
  author: string;
  at: string;
  verified: boolean;
  path?: string;
  side?: "base";
  line?: number;
  endLine?: number;
  quote?: string;
}

export interface Decision {
  approved: boolean;
  option?: string;
  response?: string;
  feedback?: string;
  by?: string;
  via: string;
  verified: boolean;
  proof?: "session" | "passkey";
  decidedAt: string;
  comments: QuestionComment[];
}

/** `GET /api/questions/:id`; `POST /api/questions/:id/seen` notes that it was seen, which this does as well. */
export interface QuestionDetail extends QuestionRow {
  /** Hash of what is shown; a decision names it. */
  shown: string | null;
  options: AnswerChoice[];
  facts: Record<string, unknown>;
  consequences: { approve?: string; reject?: string };
  files: FileHead[];
  comments: QuestionComment[];
  decision: Decision | null;
  /** Decisions that no longer count, because the question was asked again. */
  earlier: Decision[];
  /** What deciding takes here: the session of this browser, or a passkey as well. */
  needs: "session" | "passkey";
  /** The command that decides it in a terminal. */
  command: string;
  /** By which channels its person was told of it, and what is known of that. */
  receipts: ReceiptRow[];
}

/** What is decided; also what a passkey signs. */
export interface DecisionWords {
  decision: "approve" | "reject" | { option: string };
  feedback?: string;
  response?: string;
}

/** What a passkey has signed, in base64url. */
export interface WireAssertion {
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

/** `POST /api/questions/:id/decision`; 409 with `question` when someone else was first or what is shown has changed. */
export interface DecisionBody extends DecisionWords {
  shown: string | null;
  assertion?: WireAssertion;
}

export interface DecisionReply {
  outcome: "committed" | "duplicate";
  question: QuestionDetail;
}

/** `POST /api/questions/:id/challenge` takes DecisionWords. */
export interface ChallengeReply {
  challenge: string;
  credentialIds: string[];
}

/** `POST /api/questions/:id/comments` */
export interface CommentBody {
  text: string;
  path?: string;
  side?: "base";
  line?: number;
  endLine?: number;
}

export interface CommentReply {
  comment: QuestionComment;
  count: number;
}

/** `POST /api/sign-in`: the secret of a link, and what the browser calls itself. */
export interface SignInBody {
  link: string;
  name: string;
}

export interface SignInReply {
  token: string;
  device: string;
  expires: string;
}

export interface DeviceRow {
  device: string;
  name: string;
  at: string;
  expires: string;
  current: boolean;
}

export interface PasskeyRow {
  credentialId: string;
  name: string;
}

/** `GET /api/me`. `POST /api/sign-out` ends this session, `DELETE /api/devices/:device` any other one. */
export interface Me {
  user: string;
  host: string;
  version: string;
  devices: DeviceRow[];
  passkeys: PasskeyRow[];
}

/** `POST /api/passkeys/challenge`; with a passkey at hand an assertion over `challenge` is asked for too. */
export interface NewPasskeyOptions {
  challenge: string;
  userId: string;
  userName: string;
  existing: string[];
}

/**
 * `POST /api/passkeys`: the new key, what it has signed to show that it works, and where there are keys already, what
 * one of those has signed. `DELETE /api/passkeys/:credentialId` removes one.
 */
export interface NewPasskeyBody {
  name: string;
  challenge: string;
  credentialId: string;
  /** SubjectPublicKeyInfo, base64url. */
  publicKey: string;
  proof: WireAssertion;
  vouch?: WireAssertion;
}

/** An error of any request. */
export interface WireError {
  error: { code: string; message: string; hint?: string; details?: unknown };
  /** Where a question has moved on: how it stands now. */
  question?: QuestionDetail;
}

/**
 * `GET /api/live`, a stream of server-sent events read by fetch; `Last-Event-ID` resumes. The names of the events are
 * the keys, their data the values.
 */
export interface LiveEvents {
  /** First of all. `resumed` is false when events may have been missed: ask for everything again. */
  hello: { version: string; open: number; trouble: NotifyTrouble | null; resumed: boolean };
  /** Rows that are new or have changed, and ids that are gone. */
  questions: { changed: QuestionRow[]; gone: string[]; open: number };
  /** The questions of which another thing is known now about their notifications, and how notifications fare at all. */
  notices: { questions: string[]; trouble: NotifyTrouble | null };
  /** Cards of the board that are new or have changed, and ids that are gone. */
  runs: { changed: RunRow[]; gone: string[] };
}
