/** A run's journal in the hands of one command: the folded state, kept up to date, and safe appends. */
import { BabysitterError } from "../model/errors.js";
import type { EventDraft, JournalEvent, StoredValue } from "../model/events.js";
import type { RunId } from "../model/ids.js";
import { defined, type Json } from "../model/json.js";
import type { CodePlace, LastError, LastReplay, Ports, ProcessCode } from "../model/ports.js";
import {
  beginIndex,
  beginSummary,
  foldIndex,
  foldSummary,
  type ReplayIndex,
  type RunSummary,
} from "../model/run-state.js";

/** Reading this many events again is cheap; a cache is rewritten only when it lags further behind. */
const CACHE_LAG = 64;
/** Journals up to this size get fresh caches after every iteration, for people who look at them. */
const SMALL_JOURNAL = 500;
/** Every lost race means that somebody else got on; so many in a row means that something is wrong. */
const MAX_RACES = 5_000;

export class RunJournal {
  readonly runId: RunId;
  readonly ports: Ports;
  lastReplay: LastReplay | undefined;
  lastError: LastError | undefined;
  #summary: RunSummary;
  #index: ReplayIndex | undefined;
  #summaryLag = 0;
  #indexLag = 0;
  #replayUnsaved = false;
  #observer: (event: JournalEvent) => void = () => undefined;

  private constructor(ports: Ports, runId: RunId, summary: RunSummary) {
    this.ports = ports;
    this.runId = runId;
    this.#summary = summary;
  }

  /** Opens a run from its cache and what came after it; from the whole journal when there is no good cache. */
  static async open(ports: Ports, runId: RunId): Promise<RunJournal> {
    const { store } = ports;
    const cached = await store.readSummary(runId);
    // What an older version could not understand, this one may: such a cache is looked at afresh.
    const events =
      cached?.summary.newer !== undefined || cached === undefined || !(await store.hasIndex(runId))
        ? undefined
        : await store.read(runId, cached.summary.head);
    if (cached === undefined || events === undefined) return RunJournal.#rebuild(ports, runId);
    const journal = new RunJournal(ports, runId, cached.summary);
    journal.lastReplay = cached.lastReplay;
    journal.lastError = cached.lastError;
    journal.#take(events);
    if (journal.#summaryLag >= CACHE_LAG) await journal.#saveSummary();
    return journal;
  }

  static async #rebuild(ports: Ports, runId: RunId): Promise<RunJournal> {
    const [first, ...rest] = (await ports.store.read(runId, undefined)) ?? [];
    if (first?.type !== "RUN_CREATED")
      throw new BabysitterError("JOURNAL_BROKEN", `The journal of ${runId} does not begin with RUN_CREATED.`);
    const journal = new RunJournal(ports, runId, beginSummary(first));
    journal.#index = beginIndex(first);
    journal.#take(rest);
    await journal.#saveSummary();
    await journal.#saveIndex();
    return journal;
  }

  get summary(): RunSummary {
    return this.#summary;
  }

  get runDir(): string {
    return this.ports.store.runDir(this.runId);
  }

  /** Where the project and the code of this run are on this machine. */
  get place(): CodePlace {
    return this.ports.locate(this.runDir, this.#summary.created);
  }

  /** The code of the process as it is now. `afresh` trusts nothing that is remembered about unchanged files. */
  inspectCode({ afresh = false } = {}): ProcessCode {
    const { file, export: exportName, projectRoot, cacheDir } = this.place;
    const entry = { file, projectRoot, ...defined({ export: exportName }) };
    return this.ports.loader.inspect(entry, afresh ? undefined : cacheDir);
  }

  /** Tells of every event that is taken in from now on, whoever appended it, in order and once. */
  observe(observer: (event: JournalEvent) => void): void {
    this.#observer = observer;
  }

  /** Takes in what others have appended; answers those events. */
  async catchUp(): Promise<JournalEvent[]> {
    const events = await this.ports.store.read(this.runId, this.#summary.head);
    if (events === undefined) throw journalReplaced(this.runId);
    this.#take(events);
    return events;
  }

  /** What replay needs to know of the whole run. */
  async index(): Promise<ReplayIndex> {
    if (this.#index !== undefined) return this.#index;
    const { store } = this.ports;
    let index = await store.readIndex(this.runId);
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

  /**
   * Appends what `decide` wants, given the newest state. When somebody else was faster, `decide` is asked
   * again with the new state and the events that are already in.
   */
  async commit(
    decide: (summary: RunSummary, appended: readonly JournalEvent[]) => EventDraft[],
  ): Promise<JournalEvent[]> {
    const appended: JournalEvent[] = [];
    for (let race = 0; race < MAX_RACES; race += 1) {
      const drafts = decide(this.#summary, appended);
      if (drafts.length === 0) return appended;
      this.#requireWritable();
      const result = await this.ports.store.append(this.runId, this.#summary.head, drafts);
      this.#take(result.events);
      appended.push(...result.events);
      if (!result.conflict) return appended;
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
      : (JSON.parse(await this.ports.store.getBlob(this.runId, stored.blob)) as Json);
  }

  /** Writes the caches that lag behind; a run that stays open may let them lag further. */
  async saveCaches(allowedLag = CACHE_LAG): Promise<void> {
    const small = allowedLag === CACHE_LAG && this.#summary.head.seq <= SMALL_JOURNAL;
    if (small || this.#summaryLag >= allowedLag || (this.#replayUnsaved && allowedLag === CACHE_LAG))
      await this.#saveSummary();
    if (this.#index !== undefined && this.#indexLag > 0 && (small || this.#indexLag >= allowedLag))
      await this.#saveIndex();
  }

  /** Remembers what a replay has seen, for the next command that finds nothing new. */
  rememberReplay(lastReplay: LastReplay): void {
    this.lastReplay = lastReplay;
    this.lastError = undefined;
    this.#replayUnsaved = true;
  }

  /** Remembers why an iteration failed, for whoever looks next. */
  async noteError({ code, message }: BabysitterError, at: string): Promise<void> {
    this.lastError = { at, code, message };
    await this.#saveSummary();
  }

  async #saveSummary(): Promise<void> {
    const { lastReplay, lastError } = this;
    await this.ports.store.flushViews(this.runId);
    await this.ports.store.writeSummary(this.runId, { summary: this.#summary, ...defined({ lastReplay, lastError }) });
    this.#summaryLag = 0;
    this.#replayUnsaved = false;
  }

  async #saveIndex(): Promise<void> {
    if (this.#index === undefined) return;
    await this.ports.store.writeIndex(this.runId, this.#index, this.#summary);
    this.#indexLag = 0;
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
        hint: "Update: npm install -g @a5c-ai/babysitter-sdk@latest. Reading the run works with this version too.",
        details: { ...newer },
      },
    );
  }
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
