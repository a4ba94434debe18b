/** What the plan of notifications is made from, and what it may ask of it. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import type { QuestionRow } from "../wire/inbox-wire.js";
import type { TroubleRow } from "../wire/notify-wire.js";
import { isDue, isOver } from "./notify-times.js";

export type NotifySettings = ReturnType<InboxDesk["notifySettings"]>;

/** A channel, as far as the plan has to know it. */
export interface PlannedChannel {
  name: string;
  since: string;
  topics: readonly notices.Topic[];
  canEdit: boolean;
  /** It can send now; otherwise what is queued waits. */
  isReady: boolean;
}

export interface Situation {
  now: Date;
  /** That of this machine, if not told otherwise. */
  timeZone?: string;
  settings: NotifySettings;
  channels: readonly PlannedChannel[];
  outbox: Readonly<notices.OutboxState>;
  /** In the order of the inbox. */
  open: readonly QuestionRow[];
  /** Questions that the outbox names and that are not open any more, by id. One that is nowhere is not known. */
  decided: ReadonlyMap<string, QuestionRow>;
  troubles: readonly TroubleRow[];
  /** Of the troubles that the outbox names, those that are over, as far as one knows. */
  overcome: ReadonlySet<notices.Subject>;
  /** Messages that this worker is sending. */
  underWay: ReadonlySet<string>;
  /** Channels that have something to do. */
  busy: ReadonlySet<string>;
  /** Messages that are not to be edited now, because that has failed a moment ago. */
  uneditable: ReadonlySet<string>;
  /** How many jobs there may be at once. */
  batchSize: number;
}

const HOUR_MS = 60 * 60_000;
/** Held back by quiet hours or a service that is down, a report becomes old. */
const REPORT_STALE_MS = 12 * HOUR_MS;
/** Whoever has asked for a test does not wait for longer. */
const TEST_STALE_MS = HOUR_MS / 4;

/** Answers questions about a situation that several rules ask. */
export class Sight {
  readonly at: Situation;
  readonly #open: ReadonlyMap<string, QuestionRow>;
  readonly #troubles: ReadonlyMap<string, TroubleRow>;

  constructor(situation: Situation) {
    this.at = situation;
    this.#open = new Map(situation.open.map((row) => [row.id, row]));
    this.#troubles = new Map(situation.troubles.map((row) => [row.subject, row]));
  }

  /** Of a channel, in the order in which they were queued. */
  noticesOf({ name }: PlannedChannel): notices.Notice[] {
    return [...this.at.outbox.notices.values()].filter(({ channel }) => channel === name);
  }

  messageOf({ message }: notices.Notice): notices.OutboxMessage | undefined {
    return message === undefined ? undefined : this.at.outbox.messages.get(message);
  }

  /** Why nothing is to be sent about a subject any more; undefined while it is worth telling. */
  whyNot({ topics }: PlannedChannel, notice: notices.Notice): string | undefined {
    const topic = topicOf(notice.subject);
    if (topic !== undefined && !topics.includes(topic)) return "not wanted on this channel";
    const { now } = this.at;
    const isOld = (ms: number): boolean => isOver({ since: notice.queuedAt, ms }, now);
    switch (kindOf(notice.subject)) {
      case "question":
        return this.#whyNoQuestion(notice);
      case "run":
        return this.#troubles.has(notice.subject) ? undefined : this.#whyNoTrouble(notice);
      case "report":
        return isOld(REPORT_STALE_MS) ? "too old" : undefined;
      case "test":
        return isOld(TEST_STALE_MS) ? "too old" : undefined;
      default:
        return "not known here";
    }
  }

  isOpen(subject: notices.Subject): boolean {
    return this.#open.has(idOf(subject));
  }

  isTroubled(subject: notices.Subject): boolean {
    return this.#troubles.has(subject);
  }

  #whyNoQuestion(notice: notices.Notice): string | undefined {
    const id = idOf(notice.subject);
    if (this.#open.has(id)) return undefined;
    return this.at.decided.has(id) ? "decided meanwhile" : whyGone(notice);
  }

  #whyNoTrouble(notice: notices.Notice): string | undefined {
    return this.at.overcome.has(notice.subject) ? "it resumed" : whyGone(notice);
  }
}

/** What is not known may come back, such as a project on a disk that was taken out; nothing is forgotten that was sent. */
function whyGone({ message }: notices.Notice): string | undefined {
  return message === undefined ? "no longer known" : undefined;
}

const TOPIC_OF: Readonly<Record<string, notices.Topic>> = { question: "questions", run: "trouble", report: "report" };

/** Undefined for what everybody gets who asks for it. */
function topicOf(subject: notices.Subject): notices.Topic | undefined {
  const kind = kindOf(subject);
  return Object.hasOwn(TOPIC_OF, kind) ? TOPIC_OF[kind] : undefined;
}

export function kindOf(subject: notices.Subject): string {
  return subject.slice(0, Math.max(0, subject.indexOf(":")));
}

/** What is behind the kind: the id of a question, for one. */
export function idOf(subject: notices.Subject): string {
  return subject.slice(subject.indexOf(":") + 1);
}

/** True for a message that is to be tried again. */
export function isWaiting({ state, retryAt }: notices.OutboxMessage): boolean {
  return (state === "failed" || state === "unknown") && retryAt !== undefined;
}

export function isRetryDue({ at, retryAt = at }: notices.OutboxMessage, now: Date): boolean {
  return isDue({ since: at, due: retryAt }, now);
}
