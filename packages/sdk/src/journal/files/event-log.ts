/**
 * The journal of one run on disk.
 *
 * J1 a sequence number is taken once: names follow from the event before, published with link(2).
 * J2 an acknowledged event survives a power cut: file synced before it gets its name, directory after.
 * J3 readers never see half an event: content is complete and synced before link(2) makes it visible.
 * J4 a crash at any instruction leaves a journal that the next command continues.
 *    An event is linked only behind events that are durable, except inside one append; so the only gap a
 *    crash can leave is inside one batch of process-side events, which the next replay issues again.
 */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { EVENT_RULES } from "../../model/event-rules.js";
import { type Head, isKnownType, type JournalEvent } from "../../model/events.js";
import type { AppendAnswer, Place } from "../../model/store.js";
import {
  brokenEvent,
  eventFile,
  eventFileName,
  nextPlace,
  openEvent,
  parseEventFileName,
  renderEvent,
} from "../rules/chain.js";
import { withDiskErrors } from "./disk-errors.js";
import type { DurableFiles } from "./journal-fs.js";
import type { RunLayout } from "./layout.js";

let tempCounter = 0;

/** A name nobody else uses at this moment. */
export function tempName(purpose: string): string {
  tempCounter += 1;
  return `${purpose}-${process.pid}-${tempCounter}-${Math.random().toString(36).slice(2, 8)}`;
}

export class EventLog {
  readonly #files: DurableFiles;
  readonly #layout: RunLayout;
  /** Last event known to be durable under its name. */
  #durable = 0;
  /** The last event that this process has seen with its own eyes. */
  #seen: Pick<Head, "seq" | "checksum"> | undefined;

  constructor(files: DurableFiles, layout: RunLayout) {
    this.#files = files;
    this.#layout = layout;
  }

  /** Events after `after`; undefined when `after` is not (or no longer) in the journal. */
  readAfter(after: Head): JournalEvent[] | undefined {
    if (!this.#holds(after)) return undefined;
    const events: JournalEvent[] = [];
    for (let head = after, place = nextPlace(head); this.#has(place); place = nextPlace(head)) {
      const event = this.#open(place, head.checksum);
      events.push(event);
      head = event;
    }
    this.#seen = events.at(-1) ?? after;
    return events;
  }

  /** The whole chain, with a look at every file: a gap is an error unless a crash may have left it. */
  readAll(): JournalEvent[] {
    if (!this.#files.fs.existsSync(this.#layout.journal)) throw brokenEvent("journal/", "it is missing");
    const names = this.#files.fs.readdirSync(this.#layout.journal);
    const places = names.map(parseEventFileName).filter((place) => place !== undefined);
    const firsts = places.filter(({ seq }) => seq === 1);
    const [start] = firsts;
    if (start === undefined) throw brokenEvent("journal/", "its first event is missing");
    if (firsts.length > 1) throw brokenEvent("journal/", "it has more than one first event");
    const first = this.#open(start, null);
    this.#seen = first;
    const events = [first, ...(this.readAfter(first) ?? [])];
    const beyond = places.filter(({ seq }) => seq > events.length);
    if (
      !isCrashRemainder(
        beyond.map((place) => this.#peek(place)),
        events.length,
      )
    ) {
      throw brokenEvent(eventFile(beyond[0] as Place), `event ${events.length + 1}, which it builds on, is missing`);
    }
    return events;
  }

  /** One event by its place. */
  readAt(place: Place): JournalEvent {
    if (!this.#has(place)) throw brokenEvent(eventFile(place), "it is missing");
    return this.#open(place, undefined);
  }

  /** Appends sealed events, as many as there is no conflict for; durable on return. */
  append(events: readonly JournalEvent[]): AppendAnswer {
    const [first] = events;
    if (first === undefined) return { appended: 0, conflict: false };
    return withDiskErrors(this.#layout.root, () => {
      if (!this.#mayFollow(first)) return { appended: 0, conflict: true };
      this.#makeDurable(first.seq - 1);
      let last: JournalEvent | undefined;
      for (const event of events) {
        if (!this.#publish(event)) break;
        last = event;
      }
      if (last === undefined) return { appended: 0, conflict: true };
      this.sync(last.seq);
      this.#seen = last;
      return { appended: last.seq - first.seq + 1, conflict: last !== events.at(-1) };
    });
  }

  /** Makes the names of all events so far durable. */
  sync(upTo: number): void {
    this.#files.syncDir(this.#layout.journal);
    this.#durable = Math.max(this.#durable, upTo);
  }

  /**
   * True when the journal has the event that this one builds on: its place alone does not say so. Whether the
   * place is free is for link(2) to decide.
   */
  #mayFollow({ seq, prev }: JournalEvent): boolean {
    const seen = this.#seen;
    if (seen !== undefined && seq <= seen.seq + 1) return seq === seen.seq + 1 && prev === seen.checksum;
    // Someone appends without having read from here; that is rare.
    const names = this.#files.fs.readdirSync(this.#layout.journal);
    const before = names.map(parseEventFileName).filter((place) => place?.seq === seq - 1);
    return before.some((place) => this.#peek(place as Place)?.checksum === prev);
  }

  /** What is appended must not outlive what it stands on. */
  #makeDurable(upTo: number): void {
    if (upTo <= this.#durable) return;
    // The first to append vouches for the run itself: its maker may have died before syncing its name.
    if (upTo === 1) this.#files.syncUp(this.#layout.journal);
    this.sync(upTo);
  }

  /** True when the journal has this very event, not another one of the same name. */
  #holds(head: Head): boolean {
    if (!this.#has(head)) return false;
    if (head.checksum === this.#seen?.checksum) return true;
    return this.#peek(head)?.checksum === head.checksum;
  }

  #publish(event: JournalEvent): boolean {
    const temp = path.join(this.#layout.temp, tempName("event"));
    try {
      this.#writeTemp(temp, renderEvent(event));
      this.#files.fs.linkSync(temp, this.#path(event));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      this.#files.discard(temp);
    }
  }

  #writeTemp(temp: string, text: string): void {
    try {
      this.#files.write(temp, text, "wx");
    } catch (error) {
      // `state/` may be deleted at any time: it is a cache.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      this.#files.makeDir(this.#layout.temp);
      this.#files.write(temp, text, "wx");
    }
  }

  #open(place: Place, prev: string | null | undefined): JournalEvent {
    return openEvent(this.#files.fs.readFileSync(this.#path(place), "utf8"), place, prev);
  }

  #peek(place: Place): JournalEvent | undefined {
    try {
      return this.#open(place, undefined);
    } catch (error) {
      if (BabysitterError.is(error)) return undefined;
      throw error;
    }
  }

  #has(place: Place): boolean {
    return this.#files.fs.existsSync(this.#path(place));
  }

  #path(place: Place): string {
    return path.join(this.#layout.journal, eventFileName(place));
  }
}

/**
 * True when the events beyond the end of the chain are what crashes inside appends leave: each belongs
 * to a batch that began at or before the first missing place, and is of the kind that replay issues again.
 * An event at the very next place whose batch begins there is none of these: it was complete, and what it
 * stands on has changed.
 */
export function isCrashRemainder(beyond: (JournalEvent | undefined)[], chainLength: number): boolean {
  const next = chainLength + 1;
  return beyond.every(
    (event) =>
      event?.batch !== undefined &&
      (event.seq === next ? event.batch < next : event.batch <= next) &&
      isKnownType(event.type) &&
      EVENT_RULES[event.type].side === "process",
  );
}
