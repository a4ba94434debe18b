/** What a channel does next, of all that it could do. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { outcomeOfSubject, shownBy } from "./notify-messages.js";
import { isRetryDue, isWaiting, kindOf, type PlannedChannel, type Sight } from "./notify-situation.js";
import { isDue, isOver, isQuiet, localTime } from "./notify-times.js";

export type Job = SendJob | EditJob;

export interface SendJob {
  type: "send";
  channel: string;
  /** The message that is tried again; a new one gets an id when it is sent. */
  message?: string;
  kind: notices.MessageKind;
  subjects: notices.Subject[];
  attempt: number;
  repeat: boolean;
}

export interface EditJob {
  type: "edit";
  channel: string;
  message: string;
  /** What it will show. */
  shows: string;
}

const MINUTE_MS = 60_000;

/** Tests at once; then what waits for another attempt, what is new, reminders; changes of old messages last. */
export function nextJob(sight: Sight, channel: PlannedChannel): Job | undefined {
  const { settings, now, timeZone } = sight.at;
  const current = sight
    .noticesOf(channel)
    .filter((notice) => notice.dropped === undefined && sight.whyNot(channel, notice) === undefined);
  const isHeldBack = isQuiet(settings.quietHours, localTime(now, timeZone));
  return (
    sending(sight, channel, current, "test") ??
    (isHeldBack ? undefined : sendingAny(sight, channel, current)) ??
    editing(sight, channel)
  );
}

function sendingAny(sight: Sight, channel: PlannedChannel, current: readonly notices.Notice[]): SendJob | undefined {
  return (
    sending(sight, channel, current, "questions") ??
    sending(sight, channel, current, "trouble") ??
    sending(sight, channel, current, "report") ??
    sending(sight, channel, current, "reminder") ??
    reminding(sight, channel, current)
  );
}

/** What a message of this kind is about. */
const SUBJECTS: Readonly<Record<notices.MessageKind, string>> = {
  questions: "question",
  reminder: "question",
  trouble: "run",
  report: "report",
  test: "test",
};

/** What may have arrived is repeated by itself; all else of a kind goes into one message, as soon as any of it is due. */
function sending(
  sight: Sight,
  { name: channel }: PlannedChannel,
  current: readonly notices.Notice[],
  kind: notices.MessageKind,
): SendJob | undefined {
  const { now } = sight.at;
  const found = current
    .filter(({ subject }) => kindOf(subject) === SUBJECTS[kind])
    .map((notice) => ({ notice, before: sight.messageOf(notice) }));
  const again = found.filter(({ before }) => before !== undefined && before.kind === kind && isWaiting(before));
  const [repeated] = again.flatMap(({ before }) =>
    before?.mayHaveArrived === true && isRetryDue(before, now) ? [before] : [],
  );
  if (repeated !== undefined) {
    const own = again.filter(({ before }) => before === repeated);
    return { ...retryOf(repeated), subjects: own.map(({ notice }) => notice.subject), repeat: true };
  }
  const failed = again.filter(({ before }) => before?.mayHaveArrived === false);
  const fresh = kind === "reminder" ? [] : found.filter(({ notice }) => isFresh(notice, now));
  const [due] = failed.flatMap(({ before }) => (before !== undefined && isRetryDue(before, now) ? [before] : []));
  if (fresh.length === 0 && due === undefined) return undefined;
  const subjects = [...failed, ...fresh].map(({ notice }) => notice.subject);
  return fresh.length === 0 && due !== undefined
    ? { ...retryOf(due), subjects, repeat: false }
    : { type: "send", channel, kind, subjects, attempt: 1, repeat: false };
}

function isFresh({ message, queuedAt, due }: notices.Notice, now: Date): boolean {
  return message === undefined && isDue({ since: queuedAt, due }, now);
}

function retryOf({ message, channel, kind, attempt }: notices.OutboxMessage): Omit<SendJob, "subjects" | "repeat"> {
  return { type: "send", channel, message, kind, attempt: attempt + 1 };
}

/** One for all that are open, as soon as the last word about one of them is old. */
function reminding(
  sight: Sight,
  { name: channel }: PlannedChannel,
  current: readonly notices.Notice[],
): SendJob | undefined {
  const { settings, now } = sight.at;
  const { remindMinutes, remindBy } = settings;
  if (remindMinutes === 0 || (remindBy.length > 0 && !remindBy.includes(channel))) return undefined;
  const sent = current.filter((notice) => {
    if (kindOf(notice.subject) !== "question" || notice.message === undefined) return false;
    const message = sight.messageOf(notice);
    return message === undefined || isSettled(message);
  });
  const ms = remindMinutes * MINUTE_MS;
  if (!sent.some(({ sentAt = "" }) => isOver({ since: sentAt, ms }, now))) return undefined;
  const subjects = sent.map(({ subject }) => subject);
  return { type: "send", channel, kind: "reminder", subjects, attempt: 1, repeat: false };
}

function isSettled(message: notices.OutboxMessage): boolean {
  return message.state !== "sending" && !isWaiting(message);
}

/** A message that says what is no longer true. */
function editing(sight: Sight, { name: channel, canEdit }: PlannedChannel): EditJob | undefined {
  if (!canEdit) return undefined;
  for (const message of sight.at.outbox.messages.values()) {
    if (message.channel !== channel || !isEditable(message) || sight.at.uneditable.has(message.message)) continue;
    const shows = shownBy(message.subjects, (subject) => outcomeOfSubject(sight.at, subject));
    const shown = message.shows ?? shownBy(message.subjects, () => undefined);
    if (shows !== shown) return { type: "edit", channel, message: message.message, shows };
  }
  return undefined;
}

function isEditable({ state, ref, kind }: notices.OutboxMessage): boolean {
  return state === "accepted" && ref !== undefined && ["questions", "reminder", "trouble"].includes(kind);
}
