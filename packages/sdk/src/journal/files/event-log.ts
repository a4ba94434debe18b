/**
 * The journal of one run on disk.
 *
 * J1 a sequence number is taken once: names follow from the event before, published with link(2).
 * J2 an acknowledged event survives a power cut: file synced before it gets its name, directory after.
 * J3 readers never see half an event: content is complete and synced before link(2) makes it visible.
 * J4 a crash at any instruction leaves a journal that the next command continues.
 *    An event is linked only behind events that are durable, except inside one append; so the only gap a
 *    crash can leave is inside one batch, and what is behind it are process-side events, which the next
 *    replay issues again: a batch may begin with a result, and has none further on.
 */
import path from "node:path";
import { BabysitterError } from "../../model/errors.js";
import { EVENT_RULES, isKnownType } from "../../model/event-rules.js";
import type { Head, JournalEvent } from "../../model/events.js";
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

/** How the name of a first event begins. */
const FIRST = "000001.";
/** So many events are looked up together on the way back. */
const WINDOW = 10_000;

/** A large batch is published piece by piece: it gets on although others append at the same time. */
const PUBLISHED_TOGETHER = 16;

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
    for (let head = after; ; head = events.at(-1) as JournalEvent) {
      const event = this.#find(nextPlace(head), head.checksum);
      if (event === undefined) break;
      events.push(event);
    }
    this.#seen = events.at(-1) ?? after;
    return events;
  }

  /** The whole chain, with a look at every file: a gap is an error unless a crash may have left it. */
  readAll(): JournalEvent[] {
    return [...this.forwards()];
  }

  /** The same, one event at a time; where the chain ends, the look at what is beyond. */
  *forwards(): Generator<JournalEvent> {
    const names = this.#names();
    const firsts = placesIn(names.filter((name) => name.startsWith(FIRST)));
    const [start] = firsts;
    if (start === undefined) throw brokenEvent("journal/", "its first event is missing");
    if (firsts.length > 1) throw brokenEvent("journal/", "it has more than one first event");
    let head = this.#open(start, null);
    for (
      let next: JournalEvent | undefined = head;
      next !== undefined;
      next = this.#find(nextPlace(head), head.checksum)
    ) {
      head = next;
      yield head;
    }
    this.#seen = head;
    const beyond = placesIn(names).filter(({ seq }) => seq > head.seq);
    if (
      !isCrashRemainder(
        beyond.map((place) => this.#peek(place)),
        head.seq,
      )
    ) {
      throw brokenEvent(eventFile(beyond[0] as Place), `event ${head.seq + 1}, which it builds on, is missing`);
    }
  }

  /**
   * `last`, then what is before it. An event does not name the file of its predecessor, only its checksum, so the
   * names are listed once; of the files, only those that are asked for are read.
   */
  *backwards(last: Head): Generator<JournalEvent> {
    const names = this.#names();
    let bySeq = new Map<number, Place[]>();
    let wanted: string | null = last.checksum;
    for (let seq = last.seq; wanted !== null; seq -= 1) {
      if ((last.seq - seq) % WINDOW === 0) bySeq = placesBySeq(names, seq);
      const places: Place[] = bySeq.get(seq) ?? [];
      const [only, ...others] = places;
      if (only === undefined)
        throw brokenEvent("journal/", `event ${seq}, which event ${seq + 1} builds on, is missing`);
      const event: JournalEvent | undefined =
        others.length === 0
          ? this.#open(only, undefined)
          : places.map((place) => this.#peek(place)).find((found) => found?.checksum === wanted);
      if (event?.checksum !== wanted) throw brokenEvent(eventFile(only), `event ${seq + 1} does not build on it`);
      wanted = event.prev;
      yield event;
    }
  }

  /** One event by its place. */
  readAt(place: Place): JournalEvent {
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
      for (let next = 0; next < events.length && last === events[next - 1]; next += PUBLISHED_TOGETHER)
        last = this.#publish(events.slice(next, next + PUBLISHED_TOGETHER)) ?? last;
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
    if (head.checksum === this.#seen?.checksum) return this.#files.fs.existsSync(this.#path(head));
    return this.#peek(head)?.checksum === head.checksum;
  }

  #names(): string[] {
    if (!this.#files.fs.existsSync(this.#layout.journal)) throw brokenEvent("journal/", "it is missing");
    return this.#files.fs.readdirSync(this.#layout.journal);
  }

  /**
   * Gives events their names; answers the last that has got its own. All are written before the first one is seen: a
   * disk that is full leaves nothing of them, and others have little time to come in between.
   */
  #publish(events: readonly JournalEvent[]): JournalEvent | undefined {
    const temps: string[] = [];
    let last: JournalEvent | undefined;
    try {
      for (const event of events) {
        const temp = path.join(this.#layout.temp, tempName("event"));
        temps.push(temp);
        this.#writeTemp(temp, renderEvent(event));
      }
      for (const [index, event] of events.entries()) {
        this.#files.fs.linkSync(temps[index] as string, this.#path(event));
        last = event;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      for (const temp of temps) this.#files.discard(temp);
    }
    return last;
  }

  #writeTemp(temp: string, text: string): void {
    try {
      this.#files.write(temp, text, "wx");
    } catch (error) {
      // `state/` may be deleted at any time: it is a cache. A run that is gone must not be half made again.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || !this.#files.fs.existsSync(this.#layout.journal))
        throw error;
      this.#files.makeDirBelow(this.#layout.root, this.#layout.temp);
      this.#files.write(temp, text, "wx");
    }
  }

  #open(place: Place, prev: string | null | undefined): JournalEvent {
    const event = this.#find(place, prev);
    if (event === undefined) throw brokenEvent(eventFile(place), "it is missing");
    return event;
  }

  /** Undefined when nothing has the event's name. */
  #find(place: Place, prev: string | null | undefined): JournalEvent | undefined {
    const text = this.#files.soundTextOf(this.#path(place), (problem) => brokenEvent(eventFile(place), problem));
    return text === undefined ? undefined : openEvent(text, place, prev);
  }

  #peek(place: Place): JournalEvent | undefined {
    try {
      return this.#open(place, undefined);
    } catch (error) {
      if (BabysitterError.is(error)) return undefined;
      throw error;
    }
  }

  #path(place: Place): string {
    return path.join(this.#layout.journal, eventFileName(place));
  }
}

function placesIn(names: readonly string[]): Place[] {
  return names.map(parseEventFileName).filter((place) => place !== undefined);
}

/** The places of up to so many events that end with `last`. */
function placesBySeq(names: readonly string[], last: number): Map<number, Place[]> {
  const bySeq = new Map<number, Place[]>();
  const isNear = (seq: number): boolean => seq > last - WINDOW && seq <= last;
  for (const place of placesIn(names.filter((name) => isNear(Number.parseInt(name, 10)))))
    bySeq.set(place.seq, [...(bySeq.get(place.seq) ?? []), place]);
  return bySeq;
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
