/** Writes to the outbox. What could not be written, as on a full disk, is owed, and nothing is sent before it is there. */
import type * as notices from "@a5c-ai/babysitter-sdk/notify";

interface Outbox {
  state: () => Readonly<notices.OutboxState>;
  note: (entry: notices.NewEntry) => void;
  noteAll: (entries: readonly notices.NewEntry[]) => void;
}

/** A channel that fails in ever new ways is noted this often. */
const PROBLEM_PAUSE_MS = 60_000;

export class Ledger {
  readonly #outbox: Outbox;
  readonly #log: (text: string) => void;
  readonly #problemNotes = new Map<string, number>();
  #owed: notices.NewEntry[] = [];
  readonly #complaints = new Map<string, string>();

  constructor(outbox: Outbox, log: (text: string) => void) {
    this.#outbox = outbox;
    this.#log = log;
  }

  state(): Readonly<notices.OutboxState> {
    return this.#outbox.state();
  }

  /** Throws when it cannot be written: then what was to follow must not happen. */
  note(entry: notices.NewEntry): void {
    this.#outbox.note(entry);
  }

  /** The same for many at once. */
  noteAll(entries: readonly notices.NewEntry[]): void {
    this.#outbox.noteAll(entries);
  }

  /** Something has happened already: if it cannot be written now, then later. */
  noteSurely(entry: notices.NewEntry): void {
    this.#owed.push(entry);
    this.settle();
  }

  /** True when everything is written. */
  settle(): boolean {
    try {
      for (let [next] = this.#owed; next !== undefined; [next] = this.#owed) {
        this.#outbox.note(next);
        this.#owed.shift();
      }
      this.isWell("outbox");
    } catch (error) {
      this.complain("outbox", `The outbox cannot be written to, so nothing is sent: ${textOf(error)}`);
    }
    return this.#owed.length === 0;
  }

  /** Says it once, until all is well there again. */
  complain(where: string, text: string): void {
    if (this.#complaints.get(where) !== text) this.#log(text);
    this.#complaints.set(where, text);
  }

  isWell(where: string): void {
    this.#complaints.delete(where);
  }

  works(channel: string): void {
    this.#problemNotes.delete(channel);
    if (!this.state().problems.has(channel)) return;
    this.#log(`${channel}: works again`);
    this.noteSurely({ type: "CHANNEL_WORKS", channel });
  }

  fails(channel: string, reason: string): void {
    const known = this.state().problems.get(channel);
    if (known?.reason === reason) return;
    const last = this.#problemNotes.get(channel);
    if (known !== undefined && last !== undefined && performance.now() - last < PROBLEM_PAUSE_MS) return;
    this.#problemNotes.set(channel, performance.now());
    this.#log(`${channel}: ${reason}`);
    this.noteSurely({ type: "CHANNEL_PROBLEM", channel, reason });
  }
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
