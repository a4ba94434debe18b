/** The log of what is sent to this person. Intents are durable before anything is sent. */
import path from "node:path";
import { EntryLog } from "../inbox/entry-log.js";
import {
  asOutboxEntry,
  emptyOutbox,
  foldOutbox,
  type OutboxEntry,
  type OutboxState,
  outboxEntries,
} from "./outbox-state.js";
import { type Receipt, receiptsFor } from "./receipts.js";

/** An entry without its time. */
export type NewEntry = OutboxEntry extends infer Entry
  ? Entry extends OutboxEntry
    ? Omit<Entry, "at">
    : never
  : never;

export class Outbox {
  readonly #log: EntryLog<OutboxEntry, OutboxState>;
  readonly #now: () => Date;

  /** `home`: what babysitter remembers for this person, as a rule ~/.a5c. */
  constructor({ home, now }: { home: string; now: () => Date }) {
    this.#log = new EntryLog(path.join(home, "inbox"), {
      name: "outbox",
      loss: "it is then unknown what was sent, and open questions are sent again",
      parse: asOutboxEntry,
      begin: emptyOutbox,
      fold: foldOutbox,
      entries: outboxEntries,
    });
    this.#now = now;
  }

  /** For the one worker of this person: the log begins anew when it has grown long. */
  shorten(): void {
    this.#log.shorten(this.#now());
  }

  state(): Readonly<OutboxState> {
    return this.#log.state();
  }

  /** On return the entry is durable. */
  note(entry: NewEntry): void {
    this.noteAll([entry]);
  }

  /** With one sync for all of them. */
  noteAll(entries: readonly NewEntry[]): void {
    const at = this.#now().toISOString();
    this.#log.appendAll(entries.map((entry): OutboxEntry => ({ ...entry, at })));
  }

  /** What is known of the notifications about a subject, by channel. `seenAt`: when it was opened in the inbox. */
  receipts(subject: string, seenAt?: string): Receipt[] {
    return receiptsFor(this.state(), subject, seenAt);
  }
}
