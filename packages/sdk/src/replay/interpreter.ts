/**
 * Runs a process against its journal.
 *
 * R1 identity: see identity.ts.
 * R2 Resolutions are delivered in journal order, one per turn of the event loop.
 * R3 A request without a result is a promise that never settles; nothing is thrown through user code.
 * R4 Before the next resolution is delivered, every request that the journal recorded for this turn has
 *    been asked for again; one that does not come is a divergence, found at the turn where it happens.
 * R5 An iteration ends only when the process is quiet: see foreign-work.ts.
 * R6 Values go in and out as JSON copies.
 */
import { BabysitterError, type RecordedError, recordError } from "../model/errors.js";
import type { LogEntry } from "../model/events.js";
import { copyJson, type Json, toJson } from "../model/json.js";
import type { ProcessFunction } from "../model/ports.js";
import type { RecordedRequest, ReplayIndex } from "../model/run-state.js";
import { activeProcesses } from "./active-processes.js";
import { UnreadRejections } from "./breakpoint-answer.js";
import { type Delivery, type NewRequest, type Outcome, thrownError } from "./call.js";
import { containRejections } from "./containment.js";
import { makeContext } from "./context.js";
import { installDeterministicGlobals } from "./deterministic-globals.js";
import { ForeignWorkTracker } from "./foreign-work.js";
import { makeArgsHasher, RecordedRequests } from "./identity.js";
import { makeScope, type ProcessWorld, type Scope, scopes } from "./scope.js";

export interface InterpreterOptions {
  process: ProcessFunction;
  inputs: Json;
  runId: string;
  /** What random numbers grow from. */
  seed: string;
  runDir: string;
  projectRoot: string;
  realRunDir?: string | undefined;
  realProjectRoot?: string | undefined;
  createdAt: string;
  /** The real time, for new sleeps. */
  wallClock: () => number;
  /** What the journal knows about this run. */
  recorded: Pick<ReplayIndex, "requests" | "logs" | "patches">;
  putBlob: (text: string) => Promise<{ blob: string; bytes: number }>;
  /** How long work of the process's own may keep an iteration open. */
  quietLimitMs: number;
}

/** Where the process stands. */
export type ProcessStanding =
  | { is: "open" }
  | { is: "completed"; output: Json }
  | { is: "failed"; error: unknown }
  | { is: "stalled"; why: string }
  | {
      is: "diverged";
      turn: number;
      missing: RecordedRequest[];
      unexpected: NewRequest[];
      ended: { error?: unknown } | undefined;
    };

/** What an advance brought to light, for the journal. */
export interface Progress {
  standing: ProcessStanding;
  requests: NewRequest[];
  logs: LogEntry[];
  patches: { id: string; after: number }[];
  warnings: string[];
}

interface OpenCall {
  taskId: string;
  invocationKey: string;
  resolve(value: Json, at: string): void;
  reject(error: Error): void;
}

/** Turns of the event loop without any sign of life that make a process quiet. */
const QUIET_TURNS = 2;
/** How long a process must be silent before it is said to have stalled or diverged. */
const VERDICT_MS = 500;

export class Interpreter implements ProcessWorld {
  readonly seed: string;
  readonly foreign = new ForeignWorkTracker();
  readonly recorded: RecordedRequests;
  readonly unread = new UnreadRejections();
  readonly hashArgs: (canonical: string) => string;
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
  #newLogs: LogEntry[] = [];
  #newPatches: { id: string; after: number }[] = [];
  #warnings: string[] = [];
  readonly #overlooked = new Map<Promise<unknown>, string>();

  constructor(options: InterpreterOptions) {
    this.#options = options;
    this.seed = options.seed;
    this.#now = Date.parse(options.createdAt);
    this.recorded = new RecordedRequests(Object.values(options.recorded.requests));
    this.hashArgs = makeArgsHasher(options);
    this.root = makeScope(this, "");
    installDeterministicGlobals();
    containRejections();
    activeProcesses.add(this);
  }

  /** Feeds resolutions to the process, in journal order, and answers what it asks for now. */
  async advance(deliveries: readonly Delivery[]): Promise<Progress> {
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
    return this.#takeProgress();
  }

  /** Gives the process up; its promises stay open forever. */
  close(): void {
    activeProcesses.delete(this);
    this.foreign.release();
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
    this.#activity += 1;
    this.#ended ??= { error };
  }

  overlooked(promise: Promise<unknown>, reason: unknown): void {
    this.#overlooked.set(promise, recordError(reason).message);
  }

  lookedAt(promise: Promise<unknown>): void {
    this.#overlooked.delete(promise);
  }

  /** A request that the journal has: its promise settles when the resolution is delivered. */
  await(effectId: string, call: OpenCall): void {
    this.#activity += 1;
    this.#open.set(effectId, call);
  }

  /** A request that the journal does not have; its definition may still be under way. */
  async request(
    request: NewRequest,
    define: Promise<Pick<NewRequest, "kind" | "definition" | "title" | "labels" | "until">>,
  ): Promise<void> {
    this.#newRequests.push(request);
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
    }
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
    const { process, inputs } = this.#options;
    const context = makeContext(this);
    scopes.run(this.root, () => {
      void (async () => {
        try {
          const output = await process(copyJson(inputs), context);
          const overlooked = this.unread.overlookedByAll();
          if (overlooked !== undefined) throw overlooked;
          this.#end({ output: toJson(output, "The value that the process returned") });
        } catch (error) {
          this.#end({ error });
        }
      })();
    });
  }

  #end(outcome: { output: Json } | { error: unknown }): void {
    this.#activity += 1;
    this.#ended ??= outcome;
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const outcome: Outcome = typeof delivery.outcome === "function" ? await delivery.outcome() : delivery.outcome;
    this.#turn = delivery.seq;
    this.#now = Math.max(this.#now, Date.parse(delivery.at) || 0);
    const call = this.#open.get(delivery.effectId);
    if (call === undefined) return;
    this.#open.delete(delivery.effectId);
    if (outcome.status === "ok") call.resolve(copyJson(outcome.value), delivery.at);
    else
      call.reject(
        thrownError(copyJson(outcome.error as unknown as Json) as unknown as RecordedError, {
          ...call,
          effectId: delivery.effectId,
        }),
      );
  }

  /** Lets the process run until this turn is over, then compares it with the journal. */
  async #settleTurn(): Promise<void> {
    await this.#untilQuiet();
    if (this.#broken !== undefined) return;
    const replaying = this.#turn < this.recorded.lastTurn;
    const open = this.#ended === undefined ? this.recorded.openIn(this.#turn) : this.recorded.allOpen().length;
    if (open > 0 || (replaying && this.#newRequests.length > 0)) {
      const missing = this.recorded.allOpen().filter(({ after }) => this.#ended !== undefined || after <= this.#turn);
      const ended = this.#ended === undefined ? undefined : "error" in this.#ended ? { error: this.#ended.error } : {};
      this.#broken = { is: "diverged", turn: this.#turn, missing, unexpected: this.#newRequests, ended };
    }
  }

  async #untilQuiet(): Promise<void> {
    const began = performance.now();
    let lastSign = began;
    let seen = -1;
    for (let idle = 0; ; idle += 1) {
      await nextTurn(idle);
      if (this.#ended !== undefined) return;
      if (this.#activity !== seen) {
        seen = this.#activity;
        idle = 0;
        lastSign = performance.now();
      }
      const asExpected = this.#asExpected();
      if (!asExpected && idle < QUIET_TURNS) continue;
      const active = this.foreign.active(this.#options.quietLimitMs, this.#open.size === 0);
      if (active.length > 0) {
        lastSign = performance.now();
        if (lastSign - began > this.#options.quietLimitMs) return this.#giveUpWaiting(active);
      } else if (asExpected || !this.#isVerdict() || performance.now() - lastSign > VERDICT_MS) {
        return this.#checkBuilds();
      }
    }
  }

  /** True when this turn has been before and everything recorded for it has been asked for again. */
  #asExpected(): boolean {
    return this.#builds === 0 && this.#turn < this.recorded.lastTurn && this.recorded.openIn(this.#turn) === 0;
  }

  /**
   * Two still turns may end an iteration. To say that something will never come takes longer: not all work
   * in a program can be seen from here.
   */
  #isVerdict(): boolean {
    return this.recorded.openIn(this.#turn) > 0 || this.#open.size === 0 || this.#builds > 0;
  }

  #checkBuilds(): void {
    if (this.#builds > 0) this.#broken = { is: "stalled", why: "building a task definition never finishes" };
  }

  #giveUpWaiting(active: string[]): void {
    const names = [...new Set(active)].join(", ");
    const waited = `${this.#options.quietLimitMs} ms`;
    this.foreign.giveUp();
    if (this.#open.size === 0)
      this.#broken = { is: "stalled", why: `work outside tasks (${names}) did not end within ${waited}` };
    else
      this.#warnings.push(
        `The iteration ended while the process was still busy with ${names} after ${waited}; move such work to a task.`,
      );
  }

  #takeProgress(): Progress {
    const progress: Progress = {
      standing: this.#standing(),
      requests: this.#newRequests,
      logs: this.#newLogs,
      patches: this.#newPatches,
      warnings: [...this.#warnings, ...this.#takeOverlooked()],
    };
    this.#newRequests = [];
    this.#newLogs = [];
    this.#newPatches = [];
    this.#warnings = [];
    return progress;
  }

  /** Told when the process has ended: until then it may still come back to a promise. */
  #takeOverlooked(): string[] {
    if (this.#ended === undefined) return [];
    const messages = [...this.#overlooked.values()];
    this.#overlooked.clear();
    return messages.map((message) => `Unhandled promise rejection in the process: ${message}`);
  }

  #standing(): ProcessStanding {
    if (this.#broken !== undefined) return this.#broken;
    if (this.#ended !== undefined)
      return "error" in this.#ended
        ? { is: "failed", error: this.#ended.error }
        : { is: "completed", output: this.#ended.output };
    if (this.#open.size > 0) return { is: "open" };
    return { is: "stalled", why: "nothing is pending and it has no active work of its own" };
  }
}

/** The error for a process that waits in vain. */
export function stalledError(why: string, processFile: string): BabysitterError {
  return new BabysitterError("PROCESS_STALLED", `The process ${processFile} cannot continue: ${why}.`, {
    hint: "It awaits a promise that never settles. Await only ctx calls, files, timers and requests that end; BABYSITTER_QUIET_LIMIT_MS raises the time limit for such work.",
    details: { process: processFile, why },
  });
}

/** The next turn of the event loop; with a short rest once the process only waits for the world. */
function nextTurn(idle: number): Promise<void> {
  return new Promise((resolve) => {
    if (idle <= QUIET_TURNS * 2) setImmediate(resolve);
    else setTimeout(resolve, Math.min(idle - QUIET_TURNS * 2, 10));
  });
}
