/** The state of a run after any of its events, found again quickly: now and then one is kept, and the way on is short. */
import { type JournalEvent, type RunSummary, stateAfter, stateOn } from "@a5c-ai/babysitter-sdk/view";

/** Events between two states that are kept. */
const EVERY = 500;

export class StateTrack {
  #first: JournalEvent | undefined;
  /** After 500 events, after 1,000 … */
  #kept: RunSummary[] = [];

  /** After the first so many of these events, which may have become more since the last call. */
  after(events: readonly JournalEvent[], count: number): RunSummary | undefined {
    const [first] = events;
    if (first !== this.#first) {
      this.#first = first;
      this.#kept = [];
    }
    const most = Math.min(count, events.length);
    const before = Math.floor(most / EVERY);
    while (this.#kept.length < before) {
      const next = this.#from(events, this.#kept.length, (this.#kept.length + 1) * EVERY);
      if (next === undefined) return undefined;
      this.#kept.push(next);
    }
    return this.#from(events, before, most);
  }

  #from(events: readonly JournalEvent[], kept: number, count: number): RunSummary | undefined {
    const earlier = kept === 0 ? stateAfter(events.slice(0, 1), 1) : this.#kept[kept - 1];
    const last = events[count - 1];
    return earlier === undefined || last === undefined ? undefined : stateOn(earlier, events, last.seq);
  }
}
