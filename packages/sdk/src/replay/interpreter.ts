/**
 * Runs a process against its journal.
 *
 * R1 identity: see identity.ts.
 * R2 Resolutions are delivered in journal order, one per turn of the event loop.
 * R3 A request without a result is a promise that never settles; nothing is thrown through user code.
 * R4 Before the next resolution is delivered, every request that the journal recorded for this turn has
 *    been asked for again; one that does not come is a divergence, found at the turn where it happens.
 * R5 An iteration ends only when the process is quiet: see foreign-work.ts. Its own timers may fire between
 *    iterations too; a replay fires them where the journal says they did: see turn-timers.ts.
 * R6 Values go in and out as JSON copies.
 */
import type { BabysitterError } from "../model/errors.js";
import type { LogEntry } from "../model/events.js";
import { copyJson, type Json, toJson } from "../model/json.js";
import type { RecordedRequest } from "../model/replay-index.js";
import { processTime } from "../model/time-spans.js";
import { activeProcesses } from "./active-processes.js";
import { UnreadRejections } from "./breakpoint-answer.js";
import { type Delivery, type NewRequest, type OpenCall, type Outcome, settleCall } from "./call.js";
import { containRejections, OverlookedRejections } from "./containment.js";
import { makeContext } from "./context.js";
import { installDeterministicGlobals } from "./deterministic-globals.js";
import { ForeignWorkTracker } from "./foreign-work.js";
import { makeArgsHasher, RecordedRequests } from "./identity.js";
import type { InterpreterOptions } from "./interpreter-options.js";
import { LooseEnds } from "./loose-ends.js";
import { nextTurn, QUIET_TURNS } from "./next-turn.js";
import { outsideEvent } from "./outside-events.js";
import { notReplayable, type ProcessStanding, type Progress, stalled } from "./process-standing.js";
import { makeScope, type ProcessWorld, type Scope, scopes } from "./scope.js";
import { explainShadowed, watchShadowed } from "./shadowed-process.js";
import { TurnTimers } from "./turn-timers.js";
import { ValueNotes } from "./value-notes.js";
import { WordCheck } from "./word-check.js";

export class Interpreter implements ProcessWorld {
  readonly seed: string;
  readonly foreign: ForeignWorkTracker;
  readonly recorded: RecordedRequests;
  readonly unread = new UnreadRejections();
  readonly rejections = new OverlookedRejections();
  readonly words: WordCheck;
  readonly loose: LooseEnds;
  readonly values = new ValueNotes();
  readonly hashArgs: (canonical: string) => readonly string[];
  readonly root: Scope;
  readonly #options: InterpreterOptions;
  readonly #open = new Map<string, OpenCall>();
  #turn = 0;
  #now: number;
  #started = false;
  #closed = false;
  #activity = 0;
  #builds = 0;
  #ended: { output: Json } | { error: unknown } | undefined;
  #broken: ProcessStanding | undefined;
  #newRequests: NewRequest[] = [];
  #dropped: RecordedRequest[] = [];
  #newLogs: LogEntry[] = [];
  #newPatches: { id: string; after: number }[] = [];
  #warnings: string[] = [];
  readonly #timers: TurnTimers;
  #isAdvancing = false;
  #isSettling = false;
  /** The process does what a timer between two iterations has set off. */
  #afterTimer: Promise<void> | undefined;

  constructor(options: InterpreterOptions) {
    this.#options = options;
    this.seed = options.seed;
    this.words = new WordCheck(options);
    this.loose = new LooseEnds(options);
    this.#now = Date.parse(options.createdAt);
    const requests = Object.values(options.recorded.requests);
    this.recorded = new RecordedRequests(requests);
    this.#timers = new TurnTimers({
      ...options,
      requests,
      recorded: this.recorded,
      isOver: () => this.over,
      endedWork: () => this.foreign?.ended ?? 0,
      isWorking: () => this.#besidesTimers().length > 0,
      onFiring: () => this.#onFiring(),
      fail: (error) => this.fail(error),
    });
    this.foreign = new ForeignWorkTracker(this.#timers.own, () => this.#timers.workEnds());
    this.hashArgs = makeArgsHasher(options);
    this.root = makeScope(this, "");
    installDeterministicGlobals();
    containRejections();
    activeProcesses.add(this);
  }

  /** Feeds resolutions to the process, in journal order, and answers what it asks for now. */
  async advance(deliveries: readonly Delivery[]): Promise<Progress> {
    this.#isAdvancing = true;
    try {
      await this.#advance(deliveries);
    } finally {
      this.#isAdvancing = false;
    }
    return this.#takeProgress();
  }

  async #advance(deliveries: readonly Delivery[]): Promise<void> {
    await this.#afterTimer;
    if (!this.#started) {
      this.#started = true;
      this.#start();
      await this.#settleTurn();
    } else if (deliveries.length === 0) {
      await this.#settleTurn();
    }
    for (const delivery of deliveries) {
      if (this.#ended !== undefined || this.#broken !== undefined) break;
      await this.#deliver(delivery);
      await this.#settleTurn();
    }
  }

  /** Gives the process up; its promises stay open forever. */
  close(): void {
    activeProcesses.delete(this);
    this.foreign.release();
    this.loose.clear();
    this.#closed = true;
  }

  get turn(): number {
    return this.#turn;
  }

  get options(): InterpreterOptions {
    return this.#options;
  }

  /** True once nothing more can happen: late calls get promises that never settle. */
  get over(): boolean {
    return this.#closed || this.#ended !== undefined || this.#broken !== undefined;
  }

  nowMs(): number {
    return this.#now;
  }

  fail(error: unknown): void {
    this.#end({ error });
  }

  /** A request that the journal has: its promise settles when the resolution is delivered. */
  await(effectId: string, call: OpenCall): void {
    this.#activity += 1;
    this.#open.set(effectId, call);
  }

  /** A request that the journal does not have; its definition may still be under way. */
  async request(
    request: NewRequest,
    define: Promise<Pick<NewRequest, "kind" | "definition" | "title" | "labels" | "until" | "sleepMs">>,
  ): Promise<void> {
    this.#newRequests.push(request);
    this.#timers.mark(request);
    this.#builds += 1;
    try {
      Object.assign(request, await define);
    } catch (error) {
      this.#newRequests = this.#newRequests.filter((other) => other !== request);
      this.#open.delete(request.effectId);
      throw error;
    } finally {
      this.#activity += 1;
      this.#builds -= 1;
      this.#tell();
    }
  }

  /**
   * For a request that is made after nothing was seen any more that could lead to it: how long after. What no
   * replay could make again is refused.
   */
  lateness(taskId: string): number | undefined {
    const event = outsideEvent(this.foreign);
    if (event !== undefined) this.#refuse(notReplayable(taskId, `because ${event}, which a replay cannot repeat`));
    const late = this.#timers.latenessMs();
    const { quietLimitMs } = this.#options;
    if (late !== undefined && late > quietLimitMs) {
      const why = `${late} ms after anything that a replay repeats, and a replay waits ${quietLimitMs} ms`;
      this.#refuse(notReplayable(taskId, why));
    }
    return late;
  }

  /** Records a line unless the scope's journal has as many already. */
  log(scope: Scope, entry: Omit<LogEntry, "scope" | "after">): void {
    scope.logs += 1;
    if (scope.logs > (this.#options.recorded.logs[scope.path]?.length ?? 0))
      this.#newLogs.push({ scope: scope.path, after: this.#turn, ...entry });
  }

  patched(id: string): boolean {
    const { patches } = this.#options.recorded;
    const since =
      (Object.hasOwn(patches, id) ? patches[id] : undefined) ??
      this.#newPatches.find((patch) => patch.id === id)?.after;
    if (since !== undefined) return this.#turn >= since;
    if (this.recorded.lastTurn >= this.#turn) return false;
    this.#newPatches.push({ id, after: this.#turn });
    return true;
  }

  #start(): void {
    const { process, inputs, projectRoot } = this.#options;
    const context = makeContext(this);
    watchShadowed(process, projectRoot);
    this.#timers.beginTurn(0);
    scopes.run(this.root, () => {
      void (async () => {
        try {
          const output = await process(copyJson(inputs), context);
          if (this.loose.hasDetached) await this.loose.detachedEnded();
          const overlooked = this.unread.overlookedByAll();
          if (overlooked !== undefined) throw overlooked;
          this.values.note("Parts of the value that the process returned", output);
          this.#end({ output: toJson(output, "The value that the process returned") });
        } catch (error) {
          this.#end({ error: explainShadowed(process, error) });
        }
      })();
    });
  }

  #end(outcome: { output: Json } | { error: unknown }): void {
    this.#activity += 1;
    this.#ended ??= outcome;
    this.#tell();
  }

  #refuse(error: BabysitterError): void {
    this.#broken ??= { is: "refused", error };
    this.#tell();
  }

  /** Nobody looks at the process between two iterations unless told. */
  #tell(): void {
    if (this.#timers.own === undefined || this.#isAdvancing || this.#afterTimer !== undefined || this.#closed) return;
    this.#options.onLate?.();
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const outcome: Outcome = typeof delivery.outcome === "function" ? await delivery.outcome() : delivery.outcome;
    await this.#afterTimer;
    this.#turn = delivery.seq;
    const at = Date.parse(delivery.at) || 0;
    this.#now = this.#timeAfter(at);
    this.#timers.beginTurn(delivery.seq, at);
    const call = this.#open.get(delivery.effectId);
    if (call === undefined) return;
    this.#open.delete(delivery.effectId);
    settleCall(call, delivery, outcome);
  }

  /** One wrong clock among many must not move the time of the process for good. */
  #timeAfter(atMs: number): number {
    return this.#options.semantics < 2 ? Math.max(this.#now, atMs) : processTime(this.#now, atMs);
  }

  /** A timer fires between two iterations, or in one. */
  #onFiring(): void {
    // What the engine does about it is no work of the process.
    if (!this.#isSettling) this.#afterTimer ??= scopes.run(undefined as unknown as Scope, () => this.#settleTimer());
  }

  async #settleTimer(): Promise<void> {
    const began = performance.now();
    for (let idle = 0; idle < QUIET_TURNS || this.#builds > 0 || this.#besidesTimers().length > 0; idle += 1) {
      if (this.over || performance.now() - began > this.#options.quietLimitMs) break;
      await nextTurn(idle);
    }
    this.#timers.quiet();
    this.#afterTimer = undefined;
    if (this.#newRequests.length > 0 || this.over) this.#tell();
  }

  #besidesTimers(): string[] {
    return this.foreign.activeBesidesTimers(this.#options.quietLimitMs);
  }

  /** Lets the process run until this turn is over, then compares it with the journal. */
  async #settleTurn(): Promise<void> {
    await this.#untilQuiet();
    if (this.#broken !== undefined) return;
    if (this.#ended !== undefined && "output" in this.#ended) {
      const error = this.loose.mistake();
      if (error !== undefined) this.#ended = { error };
    }
    const ended = this.#ended === undefined ? undefined : "error" in this.#ended ? { error: this.#ended.error } : {};
    const upTo = ended === undefined ? this.#turn : "all";
    // A process that threw may come to the rest of them once it is corrected.
    if (ended === undefined || !("error" in ended)) this.#dropped.push(...this.recorded.dropRetried(upTo));
    const missing = this.recorded.missing(upTo);
    const replaying = this.#turn < this.recorded.lastTurn;
    const isUnexpected = replaying && this.#newRequests.some((request) => !this.recorded.mayBeNew(request));
    if (missing.length > 0 || isUnexpected)
      this.#broken = { is: "diverged", turn: this.#turn, missing, unexpected: this.#newRequests, ended };
  }

  async #untilQuiet(): Promise<void> {
    this.#isSettling = true;
    try {
      await this.#settle();
    } finally {
      this.#isSettling = false;
    }
  }

  async #settle(): Promise<void> {
    const began = performance.now();
    let lastSign = began;
    let seen = -1;
    await this.#timers.fireDuringWork();
    for (let idle = 0; ; idle += 1) {
      await nextTurn(idle);
      if (this.#ended !== undefined || this.#broken !== undefined) return;
      if (this.#activity !== seen) {
        seen = this.#activity;
        idle = 0;
        lastSign = performance.now();
      }
      if (await this.#timers.fireDuringWork()) {
        idle = 0;
        continue;
      }
      const asExpected = this.#asExpected();
      if (!asExpected && idle < QUIET_TURNS) continue;
      const active = this.#active();
      if (active.length > 0) {
        this.#timers.fireForWork();
        lastSign = performance.now();
        if (lastSign - began > this.#timers.limitMs()) return this.#giveUpWaiting(active);
        continue;
      }
      this.#timers.quiet();
      const silentMs = performance.now() - lastSign;
      if (this.#timers.fireNext(silentMs)) {
        idle = 0;
        lastSign = performance.now();
      } else if (asExpected || !this.#isVerdict() || silentMs > this.#timers.patienceMs()) return this.#checkBuilds();
    }
  }

  #active(): string[] {
    if (this.#timers.isReplaying()) return this.#besidesTimers();
    return this.foreign.active(this.#options.quietLimitMs, this.#open.size === 0);
  }

  /** True when this turn has been before and everything recorded for it has been asked for again. */
  #asExpected(): boolean {
    return this.#builds === 0 && this.#turn < this.recorded.lastTurn && !this.#timers.isBehind();
  }

  /**
   * Two still turns may end an iteration. To say that something will never come takes longer: not all work
   * in a program can be seen from here.
   */
  #isVerdict(): boolean {
    return this.#timers.isBehind() || this.#open.size === 0 || this.#builds > 0;
  }

  #checkBuilds(): void {
    if (this.#builds > 0) this.#broken = { is: "stalled", why: "building a task definition never finishes" };
  }

  #giveUpWaiting(active: string[]): void {
    const names = [...new Set(active)].join(", ");
    const waited = `${this.#timers.limitMs()} ms`;
    const isMissing = this.#timers.own !== undefined && this.recorded.openIn(this.#turn) > 0;
    this.#timers.quiet();
    this.foreign.giveUp();
    // Not a divergence: that work may still lead to what the journal has.
    if (this.#open.size === 0 || isMissing)
      this.#broken = { is: "stalled", why: `work outside tasks (${names}) did not end within ${waited}` };
    else
      this.#warnings.push(
        `The iteration ended while the process was still busy with ${names} after ${waited}; move such work to a task.`,
      );
  }

  #takeProgress(): Progress {
    const progress: Progress = {
      standing: this.#standing(),
      requests: this.#timers.withFirings(this.#newRequests),
      dropped: this.#dropped,
      logs: this.#newLogs,
      patches: this.#newPatches,
      warnings: [...this.#warnings, ...this.words.takeWarnings(), ...this.values.take()],
    };
    // Until it has ended it may still come back to a promise.
    if (this.#ended !== undefined)
      progress.warnings.push(...this.loose.warnings("error" in this.#ended), ...this.rejections.take());
    this.#newRequests = [];
    this.#dropped = [];
    this.#newLogs = [];
    this.#newPatches = [];
    this.#warnings = [];
    return progress;
  }

  #standing(): ProcessStanding {
    if (this.#broken !== undefined) return this.#broken;
    if (this.#ended !== undefined)
      return "error" in this.#ended
        ? { is: "failed", error: this.#ended.error }
        : { is: "completed", output: this.#ended.output };
    if (this.#open.size > 0) return { is: "open" };
    const { quietLimitMs } = this.#options;
    return stalled(this.#timers.own?.shortestBeyond(quietLimitMs), quietLimitMs);
  }
}
