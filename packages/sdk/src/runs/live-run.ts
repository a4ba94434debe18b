/**
 * A run with its process alive. Kept open it is the hot way to drive a run: each iteration feeds the
 * process what is new. Opened for one iteration it is the cold way. Both are the same code.
 */
import { BabysitterError, recordError } from "../model/errors.js";
import type { EventDraft } from "../model/events.js";
import type { RunId } from "../model/ids.js";
import type { Json } from "../model/json.js";
import type { Ports, ProcessCode } from "../model/ports.js";
import { hasProcess, isFinished, type RecordedRequest } from "../model/run-state.js";
import { type Interpreter, type ProcessStanding, type Progress, stalledError } from "../replay/interpreter.js";
import { admitCode, type PendingChange } from "./admit-code.js";
import { arePinned } from "./code-version.js";
import { divergedError, divergenceReport } from "./divergence-report.js";
import { failedIteration, type Iteration, iterationOf, nextActions } from "./iteration.js";
import { Overtaken } from "./overtaken.js";
import { runHooks, wakeSleepers } from "./own-effects.js";
import { type PostAnswer, type PostRequest, postResult } from "./post-result.js";
import { RunJournal } from "./run-journal.js";
import { deliveryOf, startProcess } from "./start-process.js";

export interface LiveRunOptions {
  /** How long work that the process does between ctx calls may keep an iteration open. */
  quietLimitMs: number;
  /** False for callers that read what is pending themselves; answers then list nothing. */
  actions?: boolean;
}

export interface IterateOptions {
  /** Replay again although nothing has changed: the way on from a failed or blocked run. */
  retry?: boolean;
}

/** A run that stays open writes its caches only after this many events. */
const OPEN_RUN_LAG = 1_024;
/** How often an iteration starts over because another one was faster. */
const MAX_RESTARTS = 20;

export class LiveRun {
  readonly journal: RunJournal;
  readonly #options: LiveRunOptions;
  readonly #definitions = new Map<string, Json>();
  #interpreter: Interpreter | undefined;
  #lastStep: Promise<unknown> = Promise.resolve();
  #closed = false;
  #viewsChecked = false;
  /** Results that this iteration has committed, over all its restarts. */
  #committed = 0;
  #codeHash = "";
  /** The code is not what ran last, and the journal does not say so yet. */
  #change: PendingChange | undefined;
  /** Process-side head that the living process corresponds to. */
  #processHead = 0;
  /** Number of this iteration: one, however often hooks and sleeps let the process continue in it. */
  #iteration = 0;

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
    this.#committed = 0;
    for (let restart = 0; restart < MAX_RESTARTS; restart += 1) {
      try {
        return await this.#iterateOnce(options);
      } catch (error) {
        // The living process is ahead of the journal now; only a replay brings them together again.
        this.#giveUpProcess();
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

  /** Records the result of an effect. */
  async post(request: PostRequest): Promise<PostAnswer> {
    return postResult(this.journal, request);
  }

  /** Ends the process and leaves fresh caches. */
  async close(): Promise<void> {
    this.#closed = true;
    // A step that is under way ends first: a process given up in the middle would look like one that diverged.
    await this.#lastStep;
    this.#giveUpProcess();
    await this.journal.saveCaches();
  }

  async #iterateOnce(options: IterateOptions): Promise<Iteration> {
    const { journal } = this;
    await journal.catchUp();
    if (isFinished(journal.summary) || !hasProcess(journal.summary.created)) return this.#answer({ terminal: true });
    this.#committed += await wakeSleepers(journal);
    // What is remembered about unchanged files lies where agents can write.
    const code = this.journal.inspectCode({ afresh: arePinned(journal.summary) });
    if (!options.retry && this.#standsStill(code)) return this.#answer({ terminal: true });
    if (!options.retry && this.#interpreter === undefined && this.#nothingNew(code)) {
      await this.#restoreViewsOnce();
      return this.#answer({ warnings: journal.lastReplay?.warnings ?? [] });
    }
    this.#change = await admitCode(journal, code);
    await this.#reopenIfFailed(code, options);
    this.#iteration = journal.summary.iterations + 1;
    const warnings: string[] = [];
    for (;;) {
      const progress = await this.#replay(code);
      warnings.push(...progress.warnings);
      await this.#record(progress, code);
      if (progress.standing.is !== "open" || (await this.#resolveOwnEffects()) === 0) break;
    }
    await this.#remember(code, warnings);
    return this.#answer({ warnings });
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
      !Object.values(summary.pending).some(({ kind }) => kind === "hook")
    );
  }

  async #reopenIfFailed(code: ProcessCode, options: IterateOptions): Promise<void> {
    if (this.journal.summary.failed === undefined) return;
    // Code that cannot even be loaded leaves the run as it is.
    await code.load();
    const timestamp = this.#timestamp();
    const reason = options.retry === true ? "retry" : "code-changed";
    await this.journal.commit((summary) =>
      summary.failed === undefined
        ? []
        : [{ type: "RUN_REOPENED", timestamp, payload: { reason, codeHash: code.hash } }],
    );
    this.#giveUpProcess();
  }

  async #replay(code: ProcessCode): Promise<Progress> {
    const { journal } = this;
    const index = await journal.index();
    const stale = this.#codeHash !== code.hash || this.#processHead !== journal.summary.processHead;
    if (this.#interpreter !== undefined && stale) this.#giveUpProcess();
    this.#interpreter ??= await this.#startProcess(code);
    const { turn } = this.#interpreter;
    const fresh = resolvedAfter(index.resolved, turn).map((request) => deliveryOf(this.journal, request));
    return this.#interpreter.advance(fresh);
  }

  async #startProcess(code: ProcessCode): Promise<Interpreter> {
    // What was recorded and compared is what runs.
    if ((await code.load()).hash !== code.hash) throw new Overtaken();
    const interpreter = await startProcess(this.journal, code, this.#options);
    this.#codeHash = code.hash;
    this.#processHead = this.journal.summary.processHead;
    return interpreter;
  }

  /** Writes what a replay found, unless another replay has written in the meantime. */
  async #record(progress: Progress, code: ProcessCode): Promise<void> {
    const { journal } = this;
    const { standing } = progress;
    if (standing.is === "stalled") {
      // What it said before may be the only trace of why.
      await this.#appendChanged(this.#draftsOf({ ...progress, requests: [], patches: [] }, code));
      this.#giveUpProcess();
      throw stalledError(standing.why, journal.summary.created.entry.path);
    }
    if (standing.is === "diverged") {
      await this.#block(standing, code);
    }
    if (this.#options.actions !== false)
      for (const request of progress.requests) this.#definitions.set(request.effectId, request.definition);
    const drafts = this.#draftsOf(progress, code);
    if (drafts.length === 0 && journal.summary.blocked !== undefined) {
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
    const report = await divergenceReport(journal, diverged);
    this.#giveUpProcess();
    const { processHead, blocked } = journal.summary;
    if (!blocked?.codes.includes(code.hash)) {
      const payload = { processHead, codeHash: code.hash, report };
      await this.#append([{ type: "RUN_BLOCKED", timestamp: this.#timestamp(), payload }]);
      await journal.saveCaches();
    }
    throw divergedError(journal.runId, report);
  }

  /** What the process does, behind the note that it is no longer the same code. */
  async #appendChanged(drafts: EventDraft[]): Promise<void> {
    const change = this.#change;
    if (change !== undefined && !change.isStillTrue(this.journal.summary)) throw new Overtaken();
    await this.#append(change === undefined ? drafts : [change.draft, ...drafts]);
    this.#change = undefined;
  }

  async #append(drafts: EventDraft[]): Promise<void> {
    await this.journal.commit((summary, appended) => {
      if (summary.processHead !== (appended.at(-1)?.seq ?? this.#processHead)) throw new Overtaken();
      return drafts.slice(appended.length);
    });
    this.#processHead = this.journal.summary.processHead;
  }

  #draftsOf({ standing, requests, logs, patches }: Progress, code: ProcessCode): EventDraft[] {
    const timestamp = this.#timestamp();
    const iteration = this.#iteration;
    // A request without its marker would replay on the old path: markers go first.
    const drafts: EventDraft[] = patches.map((patch) => ({
      type: "PATCH_MARKED",
      timestamp,
      payload: { ...patch, iteration },
    }));
    if (logs.length > 0) drafts.push({ type: "PROCESS_LOGGED", timestamp, payload: { iteration, entries: logs } });
    for (const { effectId, invocationKey, taskId, definition, args, ...rest } of requests) {
      drafts.push({
        type: "EFFECT_REQUESTED",
        timestamp,
        effectId,
        invocationKey,
        taskId,
        payload: { ...rest, iteration, definition: { value: definition }, args: { value: args } },
      });
    }
    if (standing.is === "completed") {
      const abandoned = [...Object.keys(this.journal.summary.pending), ...requests.map(({ effectId }) => effectId)];
      drafts.push({
        type: "RUN_COMPLETED",
        timestamp,
        payload: {
          output: { value: standing.output },
          completionProof: this.journal.ports.randomHex(16),
          iteration,
          abandoned,
        },
      });
    } else if (standing.is === "failed") {
      drafts.push({
        type: "RUN_FAILED",
        timestamp,
        payload: { error: recordError(standing.error), iteration, codeHash: code.hash },
      });
    }
    return drafts;
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
    this.#interpreter?.close();
    this.#interpreter = undefined;
  }

  #timestamp(): string {
    return this.journal.ports.clock.now().toISOString();
  }
}

/** The requests whose results came after `turn`; the list is in the order of results. */
function resolvedAfter(resolved: readonly RecordedRequest[], turn: number): RecordedRequest[] {
  let start = resolved.length;
  while (start > 0 && (resolved[start - 1]?.resolution?.seq ?? 0) > turn) start -= 1;
  return resolved.slice(start);
}
