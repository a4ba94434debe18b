/** What a page knows of the run that it shows. */
import { type JournalEvent, type TimelineMark, timelineOf } from "@a5c-ai/babysitter-sdk/view";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { RunDetail, RunFileList } from "../../wire/run-wire.js";
import type { RunSource } from "../model/run-source.js";
import { StateTrack } from "./state-track.js";

/** While a long run arrives, what is made of its events is made anew at most so often, and seldomer the longer it is. */
const PUBLISH_MS = 350;
const PUBLISH_SHARE = 0.5;

export class RunData {
  readonly source: RunSource;
  readonly detail = signal<RunDetail | undefined>(undefined);
  /** From the first one on, as far as they are here. */
  readonly events = signal<readonly JournalEvent[]>([]);
  readonly total = signal(0);
  readonly files = signal<RunFileList | undefined>(undefined);
  readonly problem = signal<unknown>(undefined);
  /** When its source last answered; empty until it has. */
  readonly heardAt = signal("");
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
    const last = events.at(-1);
    if (last === undefined) return undefined;
    const began = performance.now();
    // As it was then: whatever was open had lasted until then.
    const timeline = timelineOf(events, new Date(this.at.value === undefined ? this.now.value : last.timestamp));
    this.timelineMs = performance.now() - began;
    return timeline;
  });
  /** How long the last picture took to make. */
  timelineMs = 0;
  readonly #track = new StateTrack();
  /** By the fold that every command uses. */
  readonly state = computed(() => this.#track.after(this.events.value, this.shownEvents.value.length));
  /** What commands call it. */
  readonly name: ReadonlySignal<string> = computed(() => {
    const [first] = this.events.value;
    return first?.type === "RUN_CREATED" ? first.payload.runId : (this.detail.value?.id ?? "");
  });
  /** What the steps are called, by the ids of their effects. */
  readonly titles: ReadonlySignal<ReadonlyMap<string, string>> = computed(() => titlesIn(this.events.value));
  /** Everything that is marked on the way, also what comes after the event that the run is looked at. */
  readonly marks: ReadonlySignal<readonly TimelineMark[]> = computed(() => marksIn(this.events.value));
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
      this.problem.value = await this.#readOnce();
    } while (this.#isAgain);
  }

  /** What could not be read first. Of a damaged journal the files are still there. */
  async #readOnce(): Promise<unknown> {
    try {
      this.detail.value = await this.source.detail();
      this.heardAt.value = new Date().toISOString();
    } catch (error) {
      return error;
    }
    const problems: unknown[] = [];
    await this.#readEvents().catch((error: unknown) => problems.push(error));
    try {
      this.files.value = await this.source.files();
    } catch (error) {
      problems.push(error);
    }
    return problems[0];
  }

  async #readEvents(): Promise<void> {
    let more: JournalEvent[] = [];
    let published = Number.NEGATIVE_INFINITY;
    const publish = (): void => {
      if (more.length > 0) this.events.value = [...this.events.peek(), ...more];
      more = [];
      published = performance.now();
    };
    try {
      for (;;) {
        const known = this.events.peek().length + more.length;
        const { events, total } = await this.source.events(known);
        this.total.value = total;
        if (total < known) {
          // The journal was repaired or replaced: from the beginning.
          more = [];
          this.events.value = [];
          continue;
        }
        more.push(...events);
        if (events.length === 0 || known + events.length >= total) return;
        const isMuch = more.length >= this.events.peek().length * PUBLISH_SHARE;
        if (isMuch && performance.now() - published >= PUBLISH_MS) publish();
      }
    } finally {
      publish();
    }
  }
}

function titlesIn(events: readonly JournalEvent[]): Map<string, string> {
  const titles = new Map<string, string>();
  for (const event of events)
    if (event.type === "EFFECT_REQUESTED") titles.set(event.effectId, event.payload.title ?? event.taskId);
  return titles;
}

const MARKED =
  /^(?:RUN_(?:REOPENED|BLOCKED|FAILED|COMPLETED|CANCELLED)|CODE_\w+|LOOP_(?:AMENDED|PAUSED|RESUMED)|EFFECT_RETRIED|CLOCK_SET_BACK)$/u;

/** Without the steps, which take longest. */
function marksIn(events: readonly JournalEvent[]): TimelineMark[] {
  return timelineOf(
    events.filter(({ type }) => MARKED.test(type)),
    new Date(0),
  ).marks;
}
