/** A run's journal in the hands of one command: the folded state, kept up to date, and safe appends. */
import { blobValue, spillValues } from "../journal/rules/blobs.js";
import { sealBehind } from "../journal/rules/chain.js";
import { BabysitterError } from "../model/errors.js";
import type { EventDraft, Head, JournalEvent, StoredValue } from "../model/events.js";
import type { RunId } from "../model/ids.js";
import { defined, type Json } from "../model/json.js";
import type { CodePlace, Ports, ProcessCode } from "../model/ports.js";
import { beginIndex, foldIndex, type ReplayIndex } from "../model/replay-index.js";
import { beginLedger, foldLedger, isComplete, type RunLedger } from "../model/run-ledger.js";
import { isSamePlace, type RunPlace, relocate } from "../model/run-places.js";
import { beginSummary, foldSummary, isFinished, type RunSummary } from "../model/run-state.js";
import type { BlobRef, LastError, LastReplay } from "../model/store.js";
import { HOW_TO_UPDATE } from "../model/version.js";

/** Reading this many events again is cheap; a cache is rewritten only when it lags further behind. */
const CACHE_LAG = 64;
/** Journals up to this size get fresh caches after every iteration, for people who look at them. */
const SMALL_JOURNAL = 500;
/** Every lost race means that someone else made progress; this many in a row means that something is wrong. */
const MAX_RACES = 5_000;

/** A run that is open for reading and appending. */
export class RunJournal {
  readonly runId: RunId;
  readonly ports: Ports;
  lastReplay: LastReplay | undefined;
  lastError: LastError | undefined;
  /** Epoch of the lease that this journal is written under, if it is written under one. */
  fence: number | undefined;
  #summary: RunSummary;
  #index: ReplayIndex | undefined;
  #summaryLag = 0;
  #indexLag = 0;
  #replayUnsaved = false;
  #here: RunPlace | undefined;
  #observer: (event: JournalEvent) => void = () => undefined;
  /** Another program of ours is writing. */
  #aside: Promise<unknown> | undefined;

  private constructor(ports: Ports, runId: RunId, summary: RunSummary) {
    this.ports = ports;
    this.runId = runId;
    this.#summary = summary;
  }

  /** Opens a run from its cache and what came after it; from the whole journal when there is no good cache. */
  static async open(ports: Ports, runId: RunId): Promise<RunJournal> {
    const cached = await ports.snapshots?.readSummary(runId);
    // This version may understand what an older one could not: such a cache is rebuilt.
    const isUseful = cached !== undefined && cached.summary.newer === undefined;
    const events = isUseful ? await ports.store.read(runId, cached.summary.head) : undefined;
    if (cached === undefined || events === undefined) return RunJournal.#rebuild(ports, runId);
    const journal = new RunJournal(ports, runId, cached.summary);
    journal.lastReplay = cached.lastReplay;
    journal.lastError = cached.lastError;
    await journal.#takeFromOthers(events);
    if (journal.#summaryLag >= CACHE_LAG) await journal.#saveSummary();
    return journal;
  }

  static async #rebuild(ports: Ports, runId: RunId): Promise<RunJournal> {
    const [first, ...rest] = (await ports.store.read(runId, undefined)) ?? [];
    if (first?.type !== "RUN_CREATED")
      throw new BabysitterError("JOURNAL_BROKEN", `The journal of ${runId} does not start with RUN_CREATED.`);
    const journal = new RunJournal(ports, runId, beginSummary(first));
    journal.#index = beginIndex(first);
    journal.#take(rest);
    await journal.#saveIndex();
    await journal.#saveSummary();
    return journal;
  }

  get summary(): RunSummary {
    return this.#summary;
  }

  get runDir(): string {
    return this.ports.workspace.runDir(this.runId);
  }

  /** Variables whose values are to be masked in everything that is started for this run; as known when called. */
  readonly secretNames = (): readonly string[] => this.#summary.secretEnv ?? [];

  /** Where the project and the code of this run are on this machine. */
  get place(): CodePlace {
    return this.ports.locate(this.runDir, this.#summary.created);
  }

  /** Where this run is now, by all names. */
  get here(): RunPlace {
    this.#here ??= placeOf(this.ports, this.runDir, this.place.projectRoot);
    return this.#here;
  }

  /** Where it is now, for the next event, as long as the journal does not say so. */
  get newPlace(): { place?: RunPlace } {
    return this.#summary.places.some((known) => isSamePlace(known, this.here)) ? {} : { place: this.here };
  }

  /** A recorded value as it is to be used in the place where the run is now. */
  relocated(value: Json): Json {
    return relocate(value, this.#summary.places, this.here);
  }

  /** The code of the process as it is now. `afresh` trusts nothing that is remembered about unchanged files. */
  inspectCode({ afresh = false } = {}): ProcessCode {
    const { file, export: exportName, projectRoot, cacheDir } = this.place;
    const { semantics } = this.#summary.created;
    const entry = { file, projectRoot, semantics, ...defined({ export: exportName }) };
    return this.ports.loader.inspect(entry, afresh ? undefined : cacheDir);
  }

  /** Tells of every event that is taken in from now on, whoever appended it, in order and once. */
  observe(observer: (event: JournalEvent) => void): void {
    this.#observer = observer;
  }

  /**
   * Lets another program of ours write: until it has, nothing is read or written here. So it finds the journal as it
   * expects it, and nobody here hears of what it writes before that is durable.
   */
  async standAside<T>(work: () => Promise<T>): Promise<T> {
    while (this.#aside !== undefined) await this.#aside;
    const done = work();
    this.#aside = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      this.#aside = undefined;
    }
  }

  /** Takes in what others have appended; answers those events. To vouch for them, ask for them to be durable. */
  async catchUp(options: { durable?: boolean } = {}): Promise<JournalEvent[]> {
    while (this.#aside !== undefined) await this.#aside;
    const events = await this.ports.store.read(this.runId, this.#summary.head, options);
    if (events === undefined) throw journalReplaced(this.runId);
    await this.#takeFromOthers(events);
    return events;
  }

  /** What replay needs to know of the whole run. */
  async index(): Promise<ReplayIndex> {
    if (this.#index !== undefined) return this.#index;
    const { store, snapshots } = this.ports;
    let index = await snapshots?.readIndex(this.runId);
    let events = index === undefined ? undefined : await store.read(this.runId, index.head);
    if (index === undefined || events === undefined) {
      events = (await store.read(this.runId, undefined)) ?? [];
      index = beginIndex(events[0] as JournalEvent);
      this.#indexLag = CACHE_LAG;
    }
    for (const event of events) if (event.seq > index.head.seq) foldIndex(index, event);
    this.#indexLag += events.length;
    this.#index = index;
    await this.catchUp();
    return index;
  }

  /** What reports count. An older version may have left it behind; then it is made again. */
  async ledger(): Promise<RunLedger> {
    const { ledger, head } = this.#summary;
    if (isComplete(ledger, head)) return ledger;
    this.#summary.ledger = await this.readLedger();
    await this.#saveSummary();
    return this.#summary.ledger;
  }

  /** The same from the whole journal, with at most so many entries of each kind. */
  async readLedger(maxEntries?: number): Promise<RunLedger> {
    const events = (await this.ports.store.read(this.runId, undefined)) ?? [];
    const ledger = beginLedger(events[0] as JournalEvent);
    for (const event of events) if (event.seq <= this.#summary.head.seq) foldLedger(ledger, event, maxEntries);
    return ledger;
  }

  /**
   * Appends what `decide` wants, given the newest state. When someone else was faster, `decide` is asked
   * again with the new state and the events that are already in.
   */
  async commit(
    decide: (summary: RunSummary, appended: readonly JournalEvent[]) => EventDraft[],
  ): Promise<JournalEvent[]> {
    const appended: JournalEvent[] = [];
    for (let race = 0; race < MAX_RACES; race += 1) {
      while (this.#aside !== undefined) await this.#aside;
      const drafts = decide(this.#summary, appended);
      if (drafts.length === 0) return appended;
      this.#requireWritable();
      const { done, conflict } = await this.#append(this.#summary.head, drafts);
      appended.push(...done);
      if (!conflict) return appended;
      await this.catchUp();
    }
    throw new BabysitterError("RUN_CONTENDED", `Other writers changed run ${this.runId} ${MAX_RACES} times in a row.`, {
      hint: "Run the command again.",
    });
  }

  /** A stored value, wherever it is. */
  async valueOf(stored: StoredValue): Promise<Json> {
    return "value" in stored
      ? stored.value
      : blobValue(stored.blob, await this.ports.store.getBlob(this.runId, stored.blob));
  }

  /** Writes the caches that lag behind; a run that stays open may let them lag further. */
  async saveCaches(allowedLag = CACHE_LAG): Promise<void> {
    const small = allowedLag === CACHE_LAG && this.#summary.head.seq <= SMALL_JOURNAL;
    // The summary vouches for the index, so it comes second.
    const savesIndex = this.#index !== undefined && this.#indexLag > 0 && (small || this.#indexLag >= allowedLag);
    if (savesIndex) await this.#saveIndex();
    if (savesIndex || small || this.#summaryLag >= allowedLag || (this.#replayUnsaved && allowedLag === CACHE_LAG))
      await this.#saveSummary();
  }

  /** Remembers what a replay has seen, for the next command that finds nothing new. */
  rememberReplay(lastReplay: LastReplay): void {
    this.lastReplay = lastReplay;
    this.lastError = undefined;
    this.#replayUnsaved = true;
  }

  /** Takes over what another program of ours remembers of its last replay. */
  async readReplay(): Promise<void> {
    const cached = await this.ports.snapshots?.readSummary(this.runId);
    this.lastReplay = cached?.lastReplay ?? this.lastReplay;
  }

  /** Remembers why an iteration failed, for whoever looks next. */
  async noteError({ code, message }: BabysitterError, at: string): Promise<void> {
    this.lastError = { at, code, message };
    await this.#saveSummary();
  }

  /** An iteration of another program has gone well. */
  forgetError(): void {
    this.lastError = undefined;
  }

  async #append(head: Head, drafts: EventDraft[]): Promise<{ done: JournalEvent[]; conflict: boolean }> {
    const { store, workspace, notes } = this.ports;
    const wasOver = isFinished(this.#summary);
    const putBlob = (text: string): Promise<BlobRef> => store.putBlob(this.runId, text);
    const spilled: EventDraft[] = [];
    for (const draft of drafts) {
      const small = spillValues(draft, putBlob);
      spilled.push(small instanceof Promise ? await small : small);
    }
    const events = sealBehind(head, spilled);
    const { appended, conflict } = await store.append(this.runId, events, defined({ fence: this.fence }));
    if (wasOver) await notes?.lookAgain();
    const done = events.slice(0, appended);
    this.#take(done);
    await workspace.showEvents(this.runId, done, "ours");
    return { done, conflict };
  }

  async #saveSummary(): Promise<void> {
    const { lastReplay, lastError } = this;
    const { snapshots, workspace } = this.ports;
    await workspace.flushViews(this.runId);
    await snapshots?.writeSummary(this.runId, { summary: this.#summary, ...defined({ lastReplay, lastError }) });
    this.#summaryLag = 0;
    this.#replayUnsaved = false;
  }

  async #saveIndex(): Promise<void> {
    if (this.#index === undefined) return;
    await this.ports.snapshots?.writeIndex(this.runId, this.#index, this.#summary);
    this.#indexLag = 0;
  }

  async #takeFromOthers(events: readonly JournalEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.#take(events);
    await this.ports.workspace.showEvents(this.runId, events, "others");
  }

  #take(events: readonly JournalEvent[]): void {
    for (const event of events) {
      if (event.seq > this.#summary.head.seq) {
        foldSummary(this.#summary, event);
        this.#observer(event);
      }
      if (this.#index !== undefined && event.seq > this.#index.head.seq) foldIndex(this.#index, event);
    }
    this.#summaryLag += events.length;
    this.#indexLag += events.length;
  }

  #requireWritable(): void {
    const { newer } = this.#summary;
    if (newer === undefined) return;
    throw new BabysitterError(
      "ENGINE_TOO_OLD",
      `Event ${newer.seq} (${newer.type}) of run ${this.runId} was written by version ${newer.writer}, which is newer than this one.`,
      {
        hint: `${HOW_TO_UPDATE}. This version can still read the run.`,
        details: { ...newer },
      },
    );
  }
}

/** A place with its real names, where links lead to it. */
export function placeOf({ realPath }: Pick<Ports, "realPath">, runDir: string, projectRoot: string): RunPlace {
  const [realRunDir, realProjectRoot] = [realPath?.(runDir) ?? runDir, realPath?.(projectRoot) ?? projectRoot];
  return {
    runDir,
    projectRoot,
    ...(realRunDir === runDir ? {} : { realRunDir }),
    ...(realProjectRoot === projectRoot ? {} : { realProjectRoot }),
  };
}

function journalReplaced(runId: RunId): BabysitterError {
  return new BabysitterError(
    "JOURNAL_BROKEN",
    `The journal of ${runId} was replaced while this command was reading it.`,
    {
      hint: "Run the command again.",
    },
  );
}
