/** What a page knows of the run that it shows. */
import { type JournalEvent, stateAfter, timelineOf } from "@a5c-ai/babysitter-sdk/view";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { RunDetail, RunFileList } from "../../wire/run-wire.js";
import type { RunSource } from "../model/run-source.js";

export class RunData {
  readonly source: RunSource;
  readonly detail = signal<RunDetail | undefined>(undefined);
  /** From the first one on, as far as they are here. */
  readonly events = signal<readonly JournalEvent[]>([]);
  readonly total = signal(0);
  readonly files = signal<RunFileList | undefined>(undefined);
  readonly problem = signal<unknown>(undefined);
  /** After which event the run is looked at; undefined for as it is now. */
  readonly at: Signal<number | undefined> = signal(undefined);
  /** The event that somebody has chosen. */
  readonly selected: Signal<number | undefined> = signal(undefined);
  /** Ticks while the run goes on. */
  readonly now = signal(Date.now());
  readonly shownEvents: ReadonlySignal<readonly JournalEvent[]> = computed(() => {
    const at = this.at.value;
    return at === undefined ? this.events.value : this.events.value.slice(0, at);
  });
  readonly timeline = computed(() => {
    const events = this.shownEvents.value;
    return events.length === 0 ? undefined : timelineOf(events, new Date(this.now.value));
  });
  /** By the fold that every command uses. */
  readonly state = computed(() => {
    const { length } = this.shownEvents.value;
    return length === 0 ? undefined : stateAfter(this.events.value, length);
  });
  #loading: Promise<void> | undefined;
  #isAgain = false;

  constructor(source: RunSource) {
    this.source = source;
  }

  /** Reads what is new. Calls at once become one more reading. */
  load(): Promise<void> {
    if (this.#loading !== undefined) {
      this.#isAgain = true;
      return this.#loading;
    }
    this.#loading = this.#readAll().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #readAll(): Promise<void> {
    do {
      this.#isAgain = false;
      try {
        await this.#read();
        this.problem.value = undefined;
      } catch (error) {
        this.problem.value = error;
      }
    } while (this.#isAgain);
  }

  async #read(): Promise<void> {
    this.detail.value = await this.source.detail();
    for (;;) {
      const known = this.events.peek();
      const { events, total } = await this.source.events(known.length);
      // The journal was repaired or replaced: from the beginning.
      const isOther = total < known.length;
      this.total.value = total;
      if (isOther) this.events.value = [];
      else if (events.length > 0) this.events.value = [...known, ...events];
      if (!isOther && (events.length === 0 || this.events.peek().length >= total)) break;
    }
    this.files.value = await this.source.files();
  }
}
