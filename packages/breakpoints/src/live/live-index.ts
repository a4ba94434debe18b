/**
 * Keeps the index true: looks at all runs from time to time, watches those that are not over, reads again what has
 * changed, and tells the feed what is different now.
 */
import { type InboxDesk, parseRunId } from "@a5c-ai/babysitter-sdk/operate";
import { type Place, placesOf } from "../desk/places.js";
import { type Reading, RunReader } from "../desk/read-run.js";
import type { KnownRun, QuestionIndex, RowChange } from "../index/question-index.js";
import type { QuestionRow, RunProblem } from "../wire/inbox-wire.js";
import { changedLanes } from "./changed-lanes.js";
import type { Feed } from "./feed.js";
import { Pace } from "./pace.js";
import { RunNews } from "./run-news.js";
import { RunQueue } from "./run-queue.js";
import { hasChanged, listRunNames, type RunStamp, stampOf, stampsOf } from "./run-stamps.js";
import { WatchedFolders } from "./watched-folders.js";
import { WatchedJournals } from "./watched-journals.js";

const LOOK_MS = 5_000;
/** Looking takes at most this part of the time. */
const LOOK_SHARE = 50;
/** A run that cannot be read may be repaired without a new event. */
const RETRY_MS = 60_000;
/** Between two readings of one run. */
const PAUSE_MS = 50;

export interface LiveParts {
  desk: InboxDesk;
  /** Where projects are registered. */
  registry: string;
  index: QuestionIndex;
  feed: Feed;
  onError: (error: unknown) => void;
}

export class LiveIndex {
  readonly #parts: LiveParts;
  readonly #queue: RunQueue;
  readonly #reader: RunReader;
  readonly #pace = new Pace(PAUSE_MS);
  readonly #news: RunNews;
  /** Runs that are read once more, although nothing may be new by then. */
  readonly #again = new Map<string, NodeJS.Timeout>();
  readonly #folders = new WatchedFolders((runsDir, name) => this.#noticed(runsDir, name));
  readonly #journals = new WatchedJournals();
  readonly #places = new Map<string, Place>();
  /** Folders of runs that cannot be read. */
  readonly #closed = new Map<string, string>();
  #looking: Promise<void> | undefined;
  #lookingNext: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isComplete = false;
  #isClosed = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#queue = new RunQueue(parts.onError);
    this.#reader = new RunReader(parts.desk);
    this.#news = new RunNews((event) => parts.feed.tellRuns(event));
  }

  start(): void {
    void this.look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#folders.close();
    this.#journals.close();
    this.#pace.close();
    this.#news.close();
    for (const timer of this.#again.values()) clearTimeout(timer);
    await this.#lookingNext;
    await this.#looking;
    await this.#queue.close();
  }

  /** Looks at all runs after this call, and answers when those that have changed are queued. */
  look(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    if (this.#looking === undefined) return this.#beginLook();
    this.#lookingNext ??= this.#looking.then(() => {
      this.#lookingNext = undefined;
      return this.#beginLook();
    });
    return this.#lookingNext;
  }

  /** Waits until everything is read that had changed before this call, for a while. */
  async caughtUp(patienceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => void (timer = setTimeout(resolve, patienceMs)));
    await Promise.race([this.look().then(() => this.#allRead()), patience]);
    clearTimeout(timer);
  }

  /** Waits until what there was at the start, or when the index was lost, is read; for a while. */
  async firstLook(patienceMs: number): Promise<void> {
    if (!this.#isComplete) await this.caughtUp(patienceMs);
  }

  /** False while there may be questions that nobody has read yet. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Everything has to be read again. */
  startAnew(): void {
    this.#isComplete = false;
    this.#reader.forgetAll();
    void this.look();
  }

  /** Reads a run again, before others that wait, also when nothing seems to be new. */
  refresh(place: string, run: string): Promise<void> {
    this.#reader.listAgain(place, run);
    return this.#read(place, run, { urgent: true });
  }

  /** Tells that a row has changed in something that runs do not know. */
  tell(row: QuestionRow): void {
    this.#publish({ changed: [row], gone: [], runs: { changed: [], gone: [] } });
  }

  problems(): RunProblem[] {
    const rootOf = (place: string): string => this.#places.get(place)?.projectRoot ?? place;
    return [
      ...[...this.#closed].map(([place, problem]) => ({ run: "", project: rootOf(place), problem })),
      ...this.#parts.index.problems().map(({ project, ...rest }) => ({ ...rest, project: rootOf(project) })),
    ];
  }

  #beginLook(): Promise<void> {
    const begin = performance.now();
    clearTimeout(this.#timer);
    this.#looking = this.#lookAtAll()
      .catch(this.#parts.onError)
      .finally(() => {
        this.#looking = undefined;
        const pause = Math.max(LOOK_MS, LOOK_SHARE * (performance.now() - begin));
        if (!this.#isClosed) this.#timer = setTimeout(() => void this.look(), pause);
      });
    return this.#looking;
  }

  async #allRead(): Promise<void> {
    await this.#queue.drained();
    this.#isComplete = true;
  }

  async #lookAtAll(): Promise<void> {
    if (this.#isClosed) return;
    const { desk, index } = this.#parts;
    const places = placesOf(desk);
    for (const folder of this.#places.keys())
      if (!places.some(({ runsDir }) => runsDir === folder)) this.#places.delete(folder);
    for (const place of places) this.#places.set(place.runsDir, place);
    // Before the look into the folders: nothing can come between the two.
    this.#folders.keep([this.#parts.registry, ...this.#places.keys()]);
    for (const folder of index.places()) if (!this.#places.has(folder)) this.#forgetPlace(folder);
    for (const place of places) await this.#lookAt(place);
  }

  async #lookAt(place: Place): Promise<void> {
    const { index, desk } = this.#parts;
    const { runsDir } = place;
    const found = listRunNames(runsDir);
    if ("problem" in found) {
      this.#closed.set(runsDir, found.problem);
      return;
    }
    this.#closed.delete(runsDir);
    const stamps = await stampsOf(runsDir, found.names);
    const known = index.runsIn(runsDir);
    for (const run of known.keys()) if (!stamps.has(run)) this.#forgetRun(runsDir, run);
    const toBeRead = [...stamps].filter(([run, stamp]) => {
      const before = known.get(run);
      if (isToBeRead(before, stamp)) return true;
      if (before?.unfinished === true) this.#watch(runsDir, run, stamp);
      return false;
    });
    const newestFirst = toBeRead.toSorted(([, a], [, b]) => b.changedAt - a.changedAt);
    for (const [run] of newestFirst) void this.#read(runsDir, run);
    const read = new Set(toBeRead.map(([run]) => run));
    const others = [...index.cardsIn(runsDir)].filter(([run]) => stamps.has(run) && !read.has(run));
    for (const run of await changedLanes(desk, place, others)) void this.#read(runsDir, run);
  }

  /** Something has happened in a folder of runs, or a project is new. */
  #noticed(runsDir: string, name: string | null): void {
    if (name === null || runsDir === this.#parts.registry) void this.look();
    else if (!name.startsWith(".")) this.#readSoon(runsDir, name);
  }

  #readSoon(runsDir: string, run: string): void {
    this.#pace.call(keyOf(runsDir, run), () => void this.#read(runsDir, run));
  }

  #read(runsDir: string, run: string, options?: { urgent: boolean }): Promise<void> {
    return this.#queue.add(keyOf(runsDir, run), () => this.#readNow(runsDir, run), options);
  }

  async #readNow(runsDir: string, run: string): Promise<void> {
    const { index } = this.#parts;
    const place = this.#places.get(runsDir);
    if (place === undefined || this.#isClosed) return;
    const stamp = stampOf(runsDir, run);
    if (stamp === undefined) {
      this.#forgetRun(runsDir, run);
      return;
    }
    const key = { place: runsDir, run };
    let reading = await this.#reader.read(place, run, stamp.directory);
    if (typeof reading !== "string" && "same" in reading) {
      this.#watch(runsDir, run, stamp);
      const followed = index.followRun(key, { stamp: stamp.stamp, card: reading.card });
      if (followed !== undefined) {
        this.#news.add(followed);
        this.#readAgain(runsDir, run, reading.readAgain);
        return;
      }
      // The index has lost it.
      this.#reader.forget(runsDir, run);
      reading = await this.#reader.read(place, run, stamp.directory);
    }
    if (reading === "later" || (typeof reading !== "string" && "same" in reading)) return;
    // What is no run of ours is remembered as well: it need not be looked at again.
    const found: Reading = reading === "nothing" ? { unfinished: false, questions: [] } : reading;
    this.#publish(index.replaceRun(key, { ...found, stamp: stamp.stamp }));
    this.#readAgain(runsDir, run, found.readAgain);
    if (found.unfinished) this.#watch(runsDir, run, stamp);
    else this.#journals.remove(keyOf(runsDir, run));
  }

  #readAgain(runsDir: string, run: string, wait: number | undefined): void {
    const key = keyOf(runsDir, run);
    if (wait === undefined || this.#isClosed || this.#again.has(key)) return;
    const read = (): void => {
      this.#again.delete(key);
      void this.#read(runsDir, run);
    };
    this.#again.set(key, setTimeout(read, wait));
  }

  #watch(runsDir: string, run: string, stamp: RunStamp): void {
    const place = this.#places.get(runsDir);
    if (place === undefined || this.#isClosed) return;
    const isNew = this.#journals.add(keyOf(runsDir, run), stamp, () =>
      place.ports.store.watch(parseRunId(run), () => this.#lookAtRun(runsDir, run)),
    );
    // Nobody has told of what came between the reading and the watch.
    if (isNew) this.#lookAtRun(runsDir, run);
  }

  /** There are false alarms. */
  #lookAtRun(runsDir: string, run: string): void {
    const stamp = stampOf(runsDir, run);
    const known = this.#journals.stampOf(keyOf(runsDir, run));
    if (stamp === undefined || hasChanged(known, stamp)) this.#readSoon(runsDir, run);
  }

  #forgetRun(place: string, run: string): void {
    const key = keyOf(place, run);
    this.#journals.remove(key);
    this.#pace.forget(key);
    this.#reader.forget(place, run);
    clearTimeout(this.#again.get(key));
    this.#again.delete(key);
    this.#publish(this.#parts.index.removeRun({ place, run }));
  }

  #forgetPlace(place: string): void {
    for (const run of this.#parts.index.runsIn(place).keys()) this.#journals.remove(keyOf(place, run));
    this.#publish(this.#parts.index.removePlace(place));
  }

  #publish({ changed, gone, runs }: RowChange): void {
    const { index, feed, desk } = this.#parts;
    this.#news.add(runs);
    if (changed.length === 0 && gone.length === 0) return;
    const seen = desk.seen.all();
    feed.publish({ changed: changed.map((row) => withSeen(row, seen)), gone, open: index.openCount() });
  }
}

export function withSeen(row: QuestionRow, seen: ReadonlyMap<string, string>): QuestionRow {
  const seenAt = seen.get(row.id);
  return seenAt === undefined ? row : { ...row, seenAt };
}

function isToBeRead(known: KnownRun | undefined, stamp: RunStamp): boolean {
  if (known === undefined || hasChanged(known.stamp, stamp)) return true;
  return known.problem !== undefined && Date.now() - known.at > RETRY_MS;
}

function keyOf(place: string, run: string): string {
  return `${place}\0${run}`;
}
