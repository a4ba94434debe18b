/**
 * What was sent to people, and what came of it, folded from the entries of the outbox. A notice is one subject on one
 * channel; a message carries one or more of them.
 */
import { isJsonObject, type Json } from "../model/json.js";

/** `question:<id>`, `run:<id>@<time of its trouble in milliseconds>`, `report:<day>` or `test:<id>`. */
export type Subject = string;

/** What a message is about. */
export type MessageKind = "questions" | "reminder" | "trouble" | "report" | "test";

/** A line of the outbox. */
export type OutboxEntry = {
  at: string;
} /** Of a subject that was dropped, such as a question that is asked again, it begins anew. */ & (
  | { type: "QUEUED"; channel: string; subject: Subject; due: string }
  /** The intent; whatever is not followed by an outcome is in doubt once its worker is gone. */
  | {
      type: "SENDING";
      message: string;
      channel: string;
      kind: MessageKind;
      subjects: Subject[];
      attempt: number;
      /** It says of itself that it may have come before. */
      repeat: boolean;
      /** What shows that this message was tapped, as a hash, where the channel has no buttons of its own. */
      tap?: string;
    }
  /** `ref`: what the service calls the message. */
  | { type: "ACCEPTED"; message: string; ref?: Json }
  /** `mayHaveArrived`: the next attempt is a repeat. Without `retryAt` it was the last. */
  | { type: "FAILED"; message: string; reason: string; mayHaveArrived: boolean; retryAt?: string }
  /** Without `retryAt` it is not repeated. */
  | { type: "UNKNOWN"; message: string; reason: string; retryAt?: string }
  /** Nothing more is sent about these, such as questions that are decided. */
  | { type: "DROPPED"; channel: string; subjects: Subject[]; why: string }
  | { type: "ACKNOWLEDGED"; channel: string; subjects: Subject[]; how: string }
  /** `shows`: a hash of what the message says now. */
  | { type: "EDITED"; message: string; shows: string }
  /** Everything before the cursor was heard and dealt with. */
  | { type: "HEARD"; channel: string; cursor: string }
  /** How a channel fares: a problem, or that it works again. */
  | { type: "CHANNEL_PROBLEM"; channel: string; reason: string }
  | { type: "CHANNEL_WORKS"; channel: string }
  | { type: "CHANNEL_FORGOTTEN"; channel: string }
);

/** One subject on one channel. */
export interface Notice {
  channel: string;
  subject: Subject;
  queuedAt: string;
  due: string;
  /** The last message that carried it. */
  message?: string;
  reminders: number;
  /** When it was last sent, as a notification or a reminder. */
  sentAt?: string;
  dropped?: { why: string; at: string };
  acknowledged?: { how: string; at: string };
}

/** What was sent, and how far it got. */
export interface OutboxMessage {
  message: string;
  channel: string;
  kind: MessageKind;
  subjects: Subject[];
  state: "sending" | "accepted" | "failed" | "unknown";
  attempt: number;
  repeat: boolean;
  /** One of its attempts may have arrived, so the next one is a repeat. */
  mayHaveArrived: boolean;
  /** How often it was in doubt. */
  doubts: number;
  /** When the last attempt began, and when the state was reached. */
  sentAt: string;
  at: string;
  reason?: string;
  retryAt?: string;
  ref?: Json;
  tap?: string;
  shows?: string;
}

/** Everything that the outbox says, folded. */
export interface OutboxState {
  /** By channel and subject; see {@link noticeKey}. */
  notices: Map<string, Notice>;
  messages: Map<string, OutboxMessage>;
  cursors: Map<string, string>;
  /** Channels that do not work at present. */
  problems: Map<string, { reason: string; since: string }>;
}

/** The outbox before its first entry. */
export function emptyOutbox(): OutboxState {
  return { notices: new Map(), messages: new Map(), cursors: new Map(), problems: new Map() };
}

/** The key of a notice in {@link OutboxState}. */
export function noticeKey(channel: string, subject: Subject): string {
  return `${channel}\0${subject}`;
}

type Fold = { [T in OutboxEntry["type"]]: (state: OutboxState, entry: OutboxEntry & { type: T }) => void };

const FOLD: Fold = {
  QUEUED: foldQueued,
  SENDING: foldSending,
  ACCEPTED(state, { message: id, at, ref }) {
    // It counts, however late it comes.
    const message = state.messages.get(id);
    if (message === undefined || message.state === "accepted") return;
    Object.assign(message, { state: "accepted", at }, ref === undefined ? {} : { ref });
    delete message.reason;
    delete message.retryAt;
  },
  FAILED(state, { message: id, mayHaveArrived, ...why }) {
    const message = state.messages.get(id);
    if (message?.state !== "sending") return;
    message.mayHaveArrived ||= mayHaveArrived;
    settle(message, "failed", why);
  },
  UNKNOWN(state, { message: id, ...why }) {
    const message = state.messages.get(id);
    if (message?.state !== "sending") return;
    message.mayHaveArrived = true;
    message.doubts += 1;
    settle(message, "unknown", why);
  },
  DROPPED(state, { at, why, ...named }) {
    for (const notice of noticesOf(state, named)) notice.dropped ??= { why, at };
  },
  ACKNOWLEDGED(state, { at, how, ...named }) {
    for (const notice of noticesOf(state, named)) notice.acknowledged ??= { how, at };
  },
  EDITED(state, { message: id, shows }) {
    const message = state.messages.get(id);
    if (message !== undefined) message.shows = shows;
  },
  HEARD: (state, { channel, cursor }) => void state.cursors.set(channel, cursor),
  CHANNEL_PROBLEM(state, { at, channel, reason }) {
    const since = state.problems.get(channel)?.since ?? at;
    state.problems.set(channel, { reason, since });
  },
  CHANNEL_WORKS: (state, { channel }) => void state.problems.delete(channel),
  CHANNEL_FORGOTTEN: (state, { channel }) => forget(state, channel),
};

/** Adds one entry. One that was written twice, or that fits nothing, changes nothing. */
export function foldOutbox(state: OutboxState, entry: OutboxEntry): void {
  (FOLD[entry.type] as (s: OutboxState, e: OutboxEntry) => void)(state, entry);
}

function settle(
  message: OutboxMessage,
  state: OutboxMessage["state"],
  { at, reason, retryAt }: { at: string; reason: string; retryAt?: string },
): void {
  Object.assign(message, { state, at, reason });
  if (retryAt === undefined) delete message.retryAt;
  else message.retryAt = retryAt;
}

type Queued = Omit<OutboxEntry & { type: "QUEUED" }, "type">;

function foldQueued(state: OutboxState, entry: Queued): void {
  const key = noticeKey(entry.channel, entry.subject);
  const known = state.notices.get(key);
  if (known?.dropped !== undefined) {
    leaveMessages(state, known);
    state.notices.delete(key);
  }
  foldQueuedOnce(state, entry);
}

function foldQueuedOnce({ notices }: OutboxState, { at, channel, subject, due }: Queued): void {
  const key = noticeKey(channel, subject);
  if (!notices.has(key)) notices.set(key, { channel, subject, queuedAt: at, due, reminders: 0 });
}

/** What was sent of a subject before it was dropped is no longer about it. */
function leaveMessages({ messages }: OutboxState, { channel, subject }: Notice): void {
  for (const [id, message] of messages) {
    if (message.channel !== channel || !message.subjects.includes(subject)) continue;
    const subjects = message.subjects.filter((one) => one !== subject);
    if (subjects.length === 0) messages.delete(id);
    else messages.set(id, { ...message, subjects });
  }
}

function foldSending(state: OutboxState, entry: OutboxEntry & { type: "SENDING" }): void {
  const { at, message, channel, kind, subjects, attempt, repeat, tap } = entry;
  const known = state.messages.get(message);
  const { mayHaveArrived, doubts, shows } = known ?? { mayHaveArrived: false, doubts: 0 };
  // The one that was sent last comes last.
  state.messages.delete(message);
  if (known !== undefined) for (const notice of noticesOf(state, known)) takeBack(state, notice);
  state.messages.set(message, {
    message,
    channel,
    kind,
    subjects,
    attempt,
    repeat,
    mayHaveArrived,
    doubts,
    at,
    sentAt: at,
    state: "sending",
    ...(tap === undefined ? {} : { tap }),
    ...(shows === undefined ? {} : { shows }),
  });
  // What was sent counts, also where the line is damaged that had queued it.
  for (const subject of subjects) foldQueuedOnce(state, { at, channel, subject, due: at });
  for (const notice of noticesOf(state, entry)) carry(notice, { message, sentAt: at, kind });
}

function carry(notice: Notice, { message, sentAt, kind }: Pick<OutboxMessage, "message" | "sentAt" | "kind">): void {
  notice.message = message;
  notice.sentAt = sentAt;
  if (kind === "reminder") notice.reminders += 1;
}

/** An attempt takes the place of the one before, which may have been about more: others may have carried that before. */
function takeBack({ messages }: OutboxState, notice: Notice): void {
  delete notice.message;
  delete notice.sentAt;
  notice.reminders = 0;
  for (const message of messages.values())
    if (message.channel === notice.channel && message.subjects.includes(notice.subject)) carry(notice, message);
}

function noticesOf(
  { notices }: OutboxState,
  { channel, subjects }: { channel: string; subjects: Subject[] },
): Notice[] {
  return subjects.flatMap((subject) => notices.get(noticeKey(channel, subject)) ?? []);
}

/** What a channel has sent under another name, token or topic cannot be edited or answered any more. */
function forget(state: OutboxState, channel: string): void {
  for (const [key, notice] of state.notices) if (notice.channel === channel) state.notices.delete(key);
  for (const [id, message] of state.messages) if (message.channel === channel) state.messages.delete(id);
  state.cursors.delete(channel);
  state.problems.delete(channel);
}

/** So long people may ask what came of a message. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** What was not dropped may still be open: it must not be taken for something new. */
const OPEN_KEPT_MS = 365 * 24 * 60 * 60_000;

/** The entries that lead to the same state, for a log that begins anew. */
export function outboxEntries(state: OutboxState, now: Date): OutboxEntry[] {
  const isWithin = (at: string, ms: number): boolean => !(Date.parse(at) < now.getTime() - ms);
  const notices = [...state.notices.values()].filter(({ sentAt, queuedAt, dropped }) =>
    isWithin(sentAt ?? queuedAt, dropped === undefined ? OPEN_KEPT_MS : KEPT_MS),
  );
  const named = new Set(notices.flatMap(({ message }) => message ?? []));
  const messages = [...state.messages.values()].filter(
    ({ message, at }) => named.has(message) || isWithin(at, KEPT_MS),
  );
  return [
    ...notices.map(
      ({ channel, subject, queuedAt, due }): OutboxEntry => ({ type: "QUEUED", at: queuedAt, channel, subject, due }),
    ),
    ...messages.flatMap(messageEntries),
    ...notices.flatMap(noticeEntries),
    ...[...state.cursors].map(
      ([channel, cursor]): OutboxEntry => ({ type: "HEARD", at: now.toISOString(), channel, cursor }),
    ),
    ...[...state.problems].map(
      ([channel, { reason, since }]): OutboxEntry => ({ type: "CHANNEL_PROBLEM", at: since, channel, reason }),
    ),
  ];
}

function messageEntries(sent: OutboxMessage): OutboxEntry[] {
  const { message, channel, kind, subjects, attempt, repeat, tap, at, sentAt, state, ref, shows } = sent;
  const begun: OutboxEntry = {
    type: "SENDING",
    at: sentAt,
    message,
    channel,
    kind,
    subjects,
    attempt,
    repeat,
    ...(tap === undefined ? {} : { tap }),
  };
  const outcomes: Readonly<Record<OutboxMessage["state"], OutboxEntry[]>> = {
    sending: [],
    accepted: [{ type: "ACCEPTED", at, message, ...(ref === undefined ? {} : { ref }) }],
    failed: [failedEntry(sent)],
    // The last of its doubts says so.
    unknown: [],
  };
  // An outcome counts for what is being sent.
  const before = earlierAttempts(sent).flatMap((outcome) => [begun, outcome]);
  const last = state === "unknown" ? [] : [begun, ...outcomes[state]];
  const edited: OutboxEntry[] = shows === undefined ? [] : [{ type: "EDITED", at, message, shows }];
  return [...before, ...last, ...edited];
}

/** What may have arrived once stays so, however the last attempt ended. */
function earlierAttempts(sent: OutboxMessage): OutboxEntry[] {
  const { message, at, reason = "", retryAt, doubts, mayHaveArrived, state } = sent;
  if (doubts === 0) return mayHaveArrived && state !== "failed" ? [failedEntry(sent)] : [];
  const doubt: OutboxEntry = {
    type: "UNKNOWN",
    at,
    message,
    reason,
    ...(retryAt === undefined ? {} : { retryAt }),
  };
  return Array.from({ length: doubts }, () => doubt);
}

function failedEntry({ message, at, reason = "", retryAt, mayHaveArrived }: OutboxMessage): OutboxEntry {
  return {
    type: "FAILED",
    at,
    message,
    reason,
    mayHaveArrived,
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

function noticeEntries({ channel, subject, dropped, acknowledged }: Notice): OutboxEntry[] {
  const named = { channel, subjects: [subject] };
  return [
    ...(dropped === undefined ? [] : [{ type: "DROPPED" as const, ...named, ...dropped }]),
    ...(acknowledged === undefined ? [] : [{ type: "ACKNOWLEDGED" as const, ...named, ...acknowledged }]),
  ];
}

const TEXTS: Readonly<Record<OutboxEntry["type"], readonly string[]>> = {
  QUEUED: ["channel", "subject", "due"],
  SENDING: ["message", "channel", "kind"],
  ACCEPTED: ["message"],
  FAILED: ["message", "reason"],
  UNKNOWN: ["message", "reason"],
  DROPPED: ["channel", "why"],
  ACKNOWLEDGED: ["channel", "how"],
  EDITED: ["message", "shows"],
  HEARD: ["channel", "cursor"],
  CHANNEL_PROBLEM: ["channel", "reason"],
  CHANNEL_WORKS: ["channel"],
  CHANNEL_FORGOTTEN: ["channel"],
};
const WITH_SUBJECTS: readonly string[] = ["SENDING", "DROPPED", "ACKNOWLEDGED"];
const FLAGS: Readonly<Partial<Record<OutboxEntry["type"], readonly string[]>>> = {
  SENDING: ["repeat"],
  FAILED: ["mayHaveArrived"],
};
/** They may be missing. */
const MORE_TEXTS: readonly string[] = ["tap", "retryAt"];
const KINDS: readonly string[] = ["questions", "reminder", "trouble", "report", "test"] satisfies MessageKind[];

/** What a line of the log says; undefined for one that is damaged or of a type that is not known here. */
export function asOutboxEntry(value: Json): OutboxEntry | undefined {
  if (!isJsonObject(value) || !isKnownType(value["type"])) return undefined;
  const { type } = value;
  const are = (names: readonly string[], kind: string): boolean => names.every((name) => typeof value[name] === kind);
  const isFit =
    are(["at", ...TEXTS[type]], "string") &&
    are(FLAGS[type] ?? [], "boolean") &&
    are(
      MORE_TEXTS.filter((name) => value[name] !== undefined),
      "string",
    ) &&
    (!WITH_SUBJECTS.includes(type) || areTexts(value["subjects"])) &&
    (type !== "SENDING" || isAttempt(value));
  return isFit ? (value as unknown as OutboxEntry) : undefined;
}

function isKnownType(type: Json | undefined): type is OutboxEntry["type"] {
  return typeof type === "string" && Object.hasOwn(TEXTS, type);
}

function areTexts(list: Json | undefined): boolean {
  return Array.isArray(list) && list.every((one) => typeof one === "string");
}

function isAttempt({ attempt, kind }: Record<string, Json>): boolean {
  return Number.isSafeInteger(attempt) && (attempt as number) > 0 && KINDS.includes(kind as string);
}
