/** Notices what changes in the outbox, whoever writes to it, and tells the feed. */
import type { InboxDesk } from "@a5c-ai/babysitter-sdk/operate";
import { knownOutbox } from "../desk/known-outbox.js";
import { changedQuestions, receiptTexts } from "../rules/notice-states.js";
import type { NotifyTrouble } from "../wire/notify-wire.js";
import type { Feed } from "./feed.js";

/** The worker may be another process; a look at an outbox that has not changed is a look at its file's time. */
const LOOK_MS = 1_000;

export interface NoticeParts {
  desk: InboxDesk;
  feed: Feed;
  trouble: () => NotifyTrouble | null;
  onError: (error: unknown) => void;
}

export class WatchedNotices {
  readonly #parts: NoticeParts;
  #known: { state: unknown; texts: ReadonlyMap<string, string>; trouble: string } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: NoticeParts) {
    this.#parts = parts;
  }

  start(): void {
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Whoever has just written to the outbox need not wait for the next look. */
  look(): void {
    try {
      this.#look();
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  #look(): void {
    const { desk, feed, trouble } = this.#parts;
    const before = this.#known;
    const now = trouble();
    const state = knownOutbox(desk);
    const texts = state === before?.state ? before.texts : receiptTexts(state);
    this.#known = { state, texts, trouble: JSON.stringify(now) };
    if (before === undefined) return;
    const questions = texts === before.texts ? [] : changedQuestions(before.texts, texts);
    if (questions.length > 0 || this.#known.trouble !== before.trouble) feed.tellNotices({ questions, trouble: now });
  }
}
