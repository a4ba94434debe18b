/** What a person is told of their notifications: by which channels, how these fare, and what came of each. No secrets. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";
import { CHANNEL_KINDS, describeChannel, type GivenUp, givenUpOf, waitingOf } from "@a5c-ai/babysitter-sdk/notify";
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import type { QuestionIndex } from "../index/question-index.js";
import { questionOf, troubleOf } from "../rules/notice-states.js";
import type { ChannelList, ChannelRow, NotifyTrouble, WorkerState } from "../wire/notify-wire.js";

export interface NotificationParts {
  desk: InboxDesk;
  index: QuestionIndex;
  /** Who sends. */
  worker: () => WorkerState;
}

/** So many of what was given up are shown. */
const MAX_GIVEN_UP = 20;
/** What was given up and is no question matters for so long. */
const MATTERS_MS = 24 * 60 * 60_000;
/** One worker takes over from another, or begins, within this time; until then it is no trouble that nobody sends. */
const TAKEOVER_MS = 5_000;
/** Channels that one person is bound to. */
const CHATS: readonly string[] = ["telegram"];

export class Notifications {
  readonly #parts: NotificationParts;
  #sentLast = performance.now();

  constructor(parts: NotificationParts) {
    this.#parts = parts;
  }

  list(): ChannelList {
    const { desk } = this.#parts;
    return {
      channels: entriesOf(desk.channels.all()).map(([name, record]) => this.#row(name, record)),
      worker: this.#worker(),
      settings: desk.notifySettings(),
    };
  }

  /** Null when there is none. That something cannot be read is trouble as well: nobody may be told of anything then. */
  trouble(): NotifyTrouble | null {
    const { desk } = this.#parts;
    const worker = this.#worker();
    try {
      const channels = entriesOf(desk.channels.all()).map(([name]) => name);
      if (channels.length === 0) return null;
      return troubleOf(desk.outbox.state(), {
        channels,
        worker,
        matters: (given) => this.#matters(given),
      });
    } catch (error) {
      const unreadable = error instanceof Error ? error.message : String(error);
      return { unreadable, worker, broken: [], waiting: 0, givenUp: 0 };
    }
  }

  #worker(): WorkerState {
    const worker = this.#parts.worker();
    const now = performance.now();
    if (worker !== "none") this.#sentLast = now;
    return worker === "none" && now - this.#sentLast < TAKEOVER_MS ? "here" : worker;
  }

  #row(name: notices.ChannelName, record: notices.ChannelRecord): ChannelRow {
    const { desk } = this.#parts;
    const chat = desk.chats.bound(name);
    const state = desk.outbox.state();
    const problem = state.problems.get(name);
    const { since, fields, files, topics } = record;
    return {
      name,
      ...describeChannel(name, record, chat),
      proof: CHANNEL_KINDS[name].proof,
      since,
      fields,
      files,
      topics,
      ...(problem === undefined ? {} : { problem }),
      waiting: waitingOf(state, name),
      failed: givenUpOf(state, name)
        .slice(0, MAX_GIVEN_UP)
        .map((given) => this.#given(given)),
      ...(CHATS.includes(name) ? { bound: chat === undefined ? null : { name: chat.name, at: chat.at } } : {}),
    };
  }

  #given({ subject, why, at }: GivenUp): ChannelRow["failed"][number] {
    const question = questionOf(subject);
    const row = question === undefined ? undefined : this.#parts.index.row(question);
    if (row === undefined) return { about: aboutOf(subject), why, at };
    return { about: row.title ?? row.question, question: row.id, why, at };
  }

  #matters({ subject, at }: GivenUp): boolean {
    const question = questionOf(subject);
    if (question === undefined) return Date.now() - Date.parse(at) < MATTERS_MS;
    return this.#parts.index.row(question)?.state === "open";
  }
}

function entriesOf(records: notices.ChannelRecords): [notices.ChannelName, notices.ChannelRecord][] {
  return Object.entries(records) as [notices.ChannelName, notices.ChannelRecord][];
}

const KINDS: Readonly<Record<string, (rest: string) => string>> = {
  question: () => "A question that no longer exists",
  run: (rest) => `Trouble in run ${rest.replace(/@\d+$/u, "")}`,
  report: (rest) => `The report for ${rest}`,
  test: () => "A test notification",
};

/** A subject in words, where it is no question that is known. */
function aboutOf(subject: notices.Subject): string {
  const [kind = "", ...rest] = subject.split(":");
  return KINDS[kind]?.(rest.join(":")) ?? subject;
}
