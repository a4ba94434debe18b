/**
 * A run with its process alive. Kept open it is the hot way to drive a run: each iteration feeds the
 * process what is new. Opened for one iteration it is the cold way. Both are the same code.
 */
import { BabysitterError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import type { RunId } from "../model/ids.js";
import type { Json } from "../model/json.js";
import type { Ports, ProcessCode } from "../model/ports.js";
import { hasProcess, isFinished, type RunSummary } from "../model/run-state.js";
import type { Delivery } from "../replay/call.js";
import { type ProcessStanding, type Progress, stoppedError } from "../replay/process-standing.js";
import { admitCode, isAdmitted, type PendingChange } from "./admit-code.js";
import { clockText, noticeSetBack, WatchedClock } from "./clock-set-back.js";
import { arePinned } from "./code-version.js";
import { divergedError, divergenceReport } from "./divergence-report.js";
import { draftsOf } from "./drafts-of-progress.js";
import { failedIteration, type Iteration, iterationOf, nextActions } from "./iteration.js";
import { LiveProcess } from "./live-process.js";
import { Overtaken } from "./overtaken.js";
import { runHooks, wakeSleepers } from "./own-effects.js";
import { type PostAnswer, type PostRequest, postResult } from "./post-result.js";
import { recordTogether } from "./record-result.js";
import { type Reopening, reopenRun } from "./reopen-run.js";
import { RunJournal } from "./run-journal.js";

export interface LiveRunOptions {
  /** How long work that the process does between ctx calls may keep an iteration open. */
  quietLimitMs: number;
  /** False for callers that read what is pending themselves; answers then list nothing. */
  actions?: boolean;
  /** Told when the process has something to record although no iteration is under way. */
  onLate?: () => void;
}

export interface IterateOptions {
  /** Replay again although nothing has changed: the way on from a failed or blocked run. */
  retry?: boolean;
  /** Replay a failed run whose code has changed with its recorded failures, instead of retrying these steps. */
  keepFailures?: boolean;
}

/** A run that stays open writes its caches only after this many events. */
const OPEN_RUN_LAG = 1_024;
/** How often an iteration starts over because another one was faster. */
const MAX_RESTARTS = 20;

export class LiveRun {
  readonly journal: RunJournal;
  readonly #options: LiveRunOptions;
  readonly #definitions = new Map<string, Json>();
  #process: LiveProcess | undefined;
  #lastStep: Promise<unknown> = Promise.resolve();
  #lastPost: Promise<unknown> = Promise.resolve();
  #isIterating = false;
  #closed = false;
  #viewsChecked = false;
  readonly #clock = new WatchedClock();
  /** Results that this iteration has committed, over all its restarts. */
  #committed = 0;
  /** What the next answer has to tell of the process between iterations. */
  #warnings: string[] = [];
  /** The code is not what ran last, and the journal does not say so yet. */
  #change: PendingChange | undefined;
  /** The run had failed, and the journal does not say yet that it resumes. */
  #reopening: Reopening | undefined;
  /**
   * Number of this iteration: one, however often hooks and sleeps let the process continue in it. It begins with the
   * first result that the process has seen since the last one.
   */
  #iteration: number | undefined;

  constructor(journal: RunJournal, options: LiveRunOptions) {
    this.journal = journal;
    this.#options = options;
  }

  static async open(ports: Ports, runId: RunId, options: LiveRunOptions): Promise<LiveRun> {
    return new LiveRun(await RunJournal.open(ports, runId), options);
  }

  /** One step: give the process what is new, record what it asks for. Steps of one run follow one another. */
  iterate(options: IterateOptions = {}): Promise<Iteration> {
    if (this.#closed)
      return Promise.reject(new BabysitterError("USAGE", `Run ${this.journal.runId} is closed; open it again.`));
    const step = this.#lastStep.then(() => this.#step(options));
    this.#lastStep = step.catch(() => undefined);
    return step;
  }

  async #step(options: IterateOptions): Promise<Iteration> {
    // From here on results are recorded alone: an iteration may take long.
    this.#isIterating = true;
    try {
      await this.#lastPost;
      return await this.#iterateUndisturbed(options);
    } finally {
      this.#isIterating = false;
      this.#iteration = undefined;
    }
  }

  async #iterateUndisturbed(options: IterateOptions): Promise<Iteration> {
    this.#committed = 0;
    for (let restart = 0; restart < MAX_RESTARTS; restart += 1) {
      try {
        return await this.#iterateOnce(options);
      } catch (error) {
        // The living process is ahead of the journal now; only a replay brings them together again.
        this.#giveUpProcess();
        this.#iteration = undefined;
        if (error instanceof Overtaken) continue;
        if (BabysitterError.is(error)) await this.journal.noteError(error, this.#timestamp());
        throw error;
      }
    }
    throw new BabysitterError(
      "RUN_CONTENDED",
      `Other iterations of run ${this.journal.runId} were faster, ${MAX_RESTARTS} times in a row.`,
      { hint: "Run the command again." },
    );
  }

  /** The same, with errors as part of the answer: whatever goes wrong, the caller gets one document. */
  async iterateToDocument(options: IterateOptions = {}): Promise<Iteration> {
    try {
      return await this.iterate(options);
    } catch (error) {
      if (!BabysitterError.is(error)) throw error;
      return failedIteration(this.journal, error);
    }
  }

  /** The same answer again, after others have done something. */
  async describe({ committed, warnings }: { committed: number; warnings: string[] }): Promise<Iteration> {
    this.#committed = committed;
    return this.#answer({ warnings });
  }

  /**
   * Records the result of an effect. A living process sees it first, and what it asks for then is recorded in the same
   * append; until that is durable, nobody is told of anything.
   */
  post(request: PostRequest): Promise<PostAnswer> {
    const post = this.#lastPost.then(() => this.#post(request));
    this.#lastPost = post.catch(() => undefined);
    return post;
  }

  async #post(request: PostRequest): Promise<PostAnswer> {
    const { journal } = this;
    const process = await this.#processToAsk();
    if (process === undefined) return postResult(journal, request);
    let isTrue = true;
    try {
      return await postResult(journal, request, async (_, decide) => {
        const recorded = await recordTogether(journal, decide, (coming) => {
          isTrue = false;
          return this.#foresee(process, coming);
        });
        ({ isTrue } = recorded);
        if (recorded.appended.length > 1) process.head = recorded.appended.at(-1)?.seq ?? process.head;
        return recorded.appended[0];
      });
    } finally {
      // What it has seen is not what the journal says: the next iteration replays the journal.
      if (!isTrue) this.#giveUpProcess();
    }
  }

  /** The living process, if an iteration would give it nothing but the result. */
  async #processToAsk(): Promise<LiveProcess | undefined> {
    const { journal } = this;
    if (this.#isIterating || this.#process?.isIdle !== true) return undefined;
    await journal.catchUp();
    const { summary, newPlace, ports } = journal;
    const isUsual = newPlace.place === undefined && clockText(summary, ports.clock.now()) === undefined;
    if (!isUsual || isFinished(summary) || summary.failed !== undefined || summary.blocked !== undefined)
      return undefined;
    try {
      const code = this.#inspectCode();
      return isAdmitted(summary, code) && this.#process?.isCurrent(code.hash) ? this.#process : undefined;
    } catch {
      // Why the code cannot be read is for the next iteration to say.
      return undefined;
    }
  }

  async #foresee(process: LiveProcess, coming: Delivery): Promise<EventDraft[]> {
    const progress = await process.foresee(coming);
    if (progress === undefined) return [];
    this.#warnings.push(...progress.warnings);
    this.#iteration ??= this.journal.summary.iterations + 1;
    this.#noteDefinitions(progress);
    return this.#draftsOf(progress, process.codeHash);
  }

  /**
   * What an iteration would tell about results that the process has gone on with already; it counts as one. Without
   * `seen`, an iteration is needed.
   */
  afterPost(): { warnings: string[]; seen?: { lastResolution: number; processHead: number } } {
    const { lastResolution, processHead, pending } = this.journal.summary;
    const process = this.#process;
    const isUpToDate = process?.isIdle === true && process.head === processHead && process.turn >= lastResolution;
    if (!isUpToDate || hasHook(pending)) return { warnings: [] };
    this.#iteration = undefined;
    const warnings = this.#warnings.splice(0);
    this.journal.rememberReplay({ codeHash: process.codeHash, processHead, lastResolution, warnings });
    return { warnings, seen: { lastResolution, processHead } };
  }

  /** Ends the process and leaves fresh caches. */
  async close(): Promise<void> {
    this.#closed = true;
    // A step that is under way ends first: a process given up in the middle would look like one that diverged.
    await this.#lastStep;
    await this.#lastPost;
    this.#giveUpProcess();
    await this.journal.saveCaches();
  }

  async #iterateOnce(options: IterateOptions): Promise<Iteration> {
    const { journal } = this;
    await journal.catchUp();
    if (isFinished(journal.summary) || !hasProcess(journal.summary.created)) return this.#answer({ terminal: true });
    const warnings = await noticeSetBack(journal, this.#clock);
    this.#committed += await wakeSleepers(journal);
    const code = this.#inspectCode();
    if (!options.retry && this.#standsStill(code)) return this.#answer({ terminal: true, warnings });
    if (!options.retry && this.#process === undefined && this.#nothingNew(code)) {
      await this.#restoreViewsOnce();
      return this.#answer({ warnings: [...warnings, ...(journal.lastReplay?.warnings ?? [])] });
    }
    this.#change = await admitCode(journal, code);
    warnings.push(...(await this.#reopen(code, options)));
    this.#iteration ??= journal.summary.iterations + 1;
    const replayed = this.#warnings.splice(0);
    for (;;) {
      const progress = await this.#replay(code);
      replayed.push(...progress.warnings);
      await this.#record(progress, code);
      if (progress.standing.is !== "open" || (await this.#resolveOwnEffects()) === 0) break;
    }
    await this.#remember(code, replayed);
    return this.#answer({ warnings: [...warnings, ...replayed] });
  }

  async #answer(facts: { terminal?: boolean; warnings?: string[] }): Promise<Iteration> {
    const none = isFinished(this.journal.summary) || this.#options.actions === false;
    const actions = none ? [] : await nextActions(this.journal, this.#definitions);
    return iterationOf(this.journal, {
      committed: this.#committed,
      terminal: facts.terminal ?? false,
      warnings: facts.warnings ?? [],
      actions,
    });
  }

  /** Failed with the same code: a process that has thrown is not run again unasked. */
  #standsStill(code: ProcessCode): boolean {
    const { failed, blocked } = this.journal.summary;
    return failed?.codeHash === code.hash && blocked === undefined;
  }

  #nothingNew(code: ProcessCode): boolean {
    const { lastReplay, summary } = this.journal;
    return (
      lastReplay !== undefined &&
      lastReplay.codeHash === code.hash &&
      lastReplay.processHead === summary.processHead &&
      lastReplay.lastResolution === summary.lastResolution &&
      !hasHook(summary.pending)
    );
  }

  /** Prepares a failed run to resume; answers what is done about it. */
  async #reopen(code: ProcessCode, options: IterateOptions): Promise<string[]> {
    this.#reopening = await reopenRun(this.journal, code, options);
    if (this.#reopening === undefined) return [];
    this.#giveUpProcess();
    return [...this.#reopening.notices];
  }

  async #replay(code: ProcessCode): Promise<Progress> {
    if (this.#process?.isCurrent(code.hash) === false) this.#giveUpProcess();
    const index = this.#reopening?.index ?? (await this.journal.index());
    this.#process ??= await LiveProcess.start(this.journal, code, { ...this.#options, index });
    return this.#process.advance(index);
  }

  #inspectCode(): ProcessCode {
    // What is remembered about unchanged files lies where agents can write.
    return this.journal.inspectCode({ afresh: arePinned(this.journal.summary) });
  }

  /** Writes what a replay found, unless another replay has written in the meantime. */
  async #record(progress: Progress, code: ProcessCode): Promise<void> {
    const { journal } = this;
    const { standing } = progress;
    if (standing.is === "stalled" || standing.is === "refused") {
      // What it said before may be the only trace of why.
      await this.#appendChanged(this.#draftsOf({ ...progress, requests: [], dropped: [], patches: [] }, code.hash));
      this.#giveUpProcess();
      throw stoppedError(standing, journal.summary.created.entry.path);
    }
    if (standing.is === "diverged") {
      await this.#block(standing, code);
    }
    this.#noteDefinitions(progress);
    const drafts = this.#draftsOf(progress, code.hash);
    if (drafts.length === 0 && journal.summary.blocked !== undefined && this.#reopening === undefined) {
      drafts.push({
        type: "RUN_REOPENED",
        timestamp: this.#timestamp(),
        payload: { reason: "unblocked", codeHash: code.hash },
      });
    }
    await this.#appendChanged(drafts);
    if (standing.is !== "open") this.#giveUpProcess();
  }

  /** Tells once per version of the code that it does not fit, and every time whoever asks. */
  async #block(diverged: Extract<ProcessStanding, { is: "diverged" }>, code: ProcessCode): Promise<never> {
    const { journal } = this;
    const report = await divergenceReport(journal, diverged, code);
    this.#giveUpProcess();
    const { processHead, blocked } = journal.summary;
    if (!blocked?.codes.includes(code.hash)) {
      const payload = { processHead, codeHash: code.hash, report };
      await this.#append([{ type: "RUN_BLOCKED", timestamp: this.#timestamp(), payload }]);
      await journal.saveCaches();
    }
    throw divergedError(journal.runId, report);
  }

  /** What the process does, behind the notes that a failed run resumes, and that it is no longer the same code. */
  async #appendChanged(drafts: EventDraft[]): Promise<void> {
    const change = this.#change;
    if (change !== undefined && !change.isStillTrue(this.journal.summary)) throw new Overtaken();
    await this.#append([
      ...(this.#reopening?.drafts ?? []),
      ...(change === undefined ? [] : [change.draft]),
      ...drafts,
    ]);
    this.#change = undefined;
    this.#reopening = undefined;
  }

  async #append(drafts: EventDraft[]): Promise<void> {
    const head = this.#process?.head ?? this.journal.summary.processHead;
    await this.journal.commit((summary, appended) => {
      if (summary.processHead !== (appended.at(-1)?.seq ?? head)) throw new Overtaken();
      return drafts.slice(appended.length);
    });
    if (this.#process !== undefined) this.#process.head = this.journal.summary.processHead;
  }

  #noteDefinitions({ requests }: Progress): void {
    if (this.#options.actions === false) return;
    for (const { effectId, definition } of requests)
      this.#definitions.set(effectId, this.journal.relocated(definition));
  }

  #draftsOf(progress: Progress, codeHash: string): EventDraft[] {
    return draftsOf(this.journal, progress, {
      timestamp: this.#timestamp(),
      iteration: this.#iteration as number,
      codeHash,
    });
  }

  /** A hook that the process called is part of this iteration, and no task. */
  async #resolveOwnEffects(): Promise<number> {
    const woken = await wakeSleepers(this.journal);
    this.#committed += woken;
    return woken + (await runHooks(this.journal));
  }

  async #remember(code: ProcessCode, warnings: string[]): Promise<void> {
    const { processHead, lastResolution } = this.journal.summary;
    this.journal.rememberReplay({ codeHash: code.hash, processHead, lastResolution, warnings });
    await this.#restoreViewsOnce();
    await this.journal.saveCaches(OPEN_RUN_LAG);
  }

  /** Readable copies can only be missing from before this run was opened. */
  async #restoreViewsOnce(): Promise<void> {
    if (this.#viewsChecked) return;
    this.#viewsChecked = true;
    await this.journal.ports.workspace.restoreViews(this.journal.runId, this.journal.summary);
  }

  #giveUpProcess(): void {
    this.#process?.close();
    this.#process = undefined;
  }

  #timestamp(): string {
    return this.journal.ports.clock.now().toISOString();
  }
}

function hasHook(pending: RunSummary["pending"]): boolean {
  return Object.values(pending).some(({ kind }) => kind === "hook");
}
