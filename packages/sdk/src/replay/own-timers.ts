/**
 * The timers that the code of a process sets itself: with setTimeout, setInterval, timers/promises or
 * AbortSignal.timeout. A replay fires those that fired before, in the same order and without waiting;
 * until it has done so it holds back all others.
 */
import { AsyncResource } from "node:async_hooks";
import type { Scope } from "./scope.js";

/** What of Node's timers is used here; the names are the same in every version since Node 10. */
interface Handle {
  _onTimeout: ((...args: unknown[]) => unknown) | null;
  _timerArgs?: unknown[] | undefined;
  _repeat: number | null;
  _idleTimeout: number;
  _destroyed: boolean;
}

interface OwnTimer {
  name: string;
  handle: Handle;
  run: (...args: unknown[]) => unknown;
  /** Where it was set: its callback runs in the same asynchronous context, whoever fires it. */
  context: AsyncResource;
  due: number;
  /** When its time came while it was held back. */
  heldAt: number | undefined;
}

export interface TimerRules {
  /** Whether a timer whose time has come may fire by itself. */
  mayFire(): boolean;
  /** A timer fires by itself. */
  firing(name: string): void;
  /** A timer that was fired from here has thrown. */
  failed(error: unknown): void;
}

const SWEEP_EVERY = 256;
/** What the names of timers begin with that events from outside have set. */
export const OUTSIDE = "outside:";

export class OwnTimers {
  readonly #rules: TimerRules;
  readonly #timers = new Map<string, OwnTimer>();
  readonly #known = new WeakMap<object, OwnTimer>();
  /** How far the timers are ahead of the real time. */
  #skippedMs = 0;
  /** How many timers events from outside have set. */
  #outside = 0;
  #closed = false;

  constructor(rules: TimerRules) {
    this.#rules = rules;
  }

  /** Takes a timer that has just been made; false for those that Node sets for itself. */
  adopt(resource: object, scope: Scope, isFromOutside: boolean): boolean {
    const handle = resource as Handle;
    const known = this.#known.get(handle);
    if (known !== undefined) {
      Object.assign(known, { heldAt: undefined, due: this.now() + handle._idleTimeout });
      this.#timers.set(known.name, known);
      return true;
    }
    if (typeof handle._onTimeout !== "function" || !isSetByUserCode()) return false;
    // No replay sets it again, so it must not count among those that a replay does.
    if (isFromOutside) this.#outside += 1;
    else scope.timers += 1;
    const timer: OwnTimer = {
      name: isFromOutside ? `${OUTSIDE}${this.#outside}` : `${scope.path}${scope.timers}`,
      handle,
      run: handle._onTimeout,
      context: new AsyncResource("OwnTimer", { requireManualDestroy: true }),
      due: this.now() + handle._idleTimeout,
      heldAt: undefined,
    };
    handle._onTimeout = (...args) => this.#isDue(timer, args);
    this.#known.set(handle, timer);
    if (this.#timers.size % SWEEP_EVERY === 0) this.#sweep();
    this.#timers.set(timer.name, timer);
    return true;
  }

  has(handle: object): boolean {
    return this.#known.has(handle);
  }

  /** The time by which timers are ordered, in milliseconds. */
  now(): number {
    return performance.now() + this.#skippedMs;
  }

  isSet(name: string): boolean {
    const timer = this.#timers.get(name);
    return timer !== undefined && isSet(timer);
  }

  /** Fires a timer now; false when there is none of this name. */
  fire(name: string): boolean {
    const timer = this.#timers.get(name);
    if (timer === undefined || !isSet(timer)) return false;
    this.#fireNow(timer);
    return true;
  }

  /** Fires the timer that is due first, if that is before `limit`. */
  fireEarliest(limit: number): boolean {
    this.#sweep();
    const [first] = [...this.#timers.values()].toSorted((a, b) => a.due - b.due);
    if (first === undefined || first.due > limit) return false;
    this.#fireNow(first);
    return true;
  }

  /** Fires what was held back and is due; false when nothing was. */
  fireHeld(): boolean {
    const held = [...this.#timers.values()]
      .filter((timer) => timer.heldAt !== undefined && isSet(timer))
      .toSorted((a, b) => a.due - b.due);
    for (const timer of held) {
      this.#rules.firing(timer.name);
      this.#fireNow(timer);
    }
    return held.length > 0;
  }

  /** How long the shortest timer takes that does not repeat and takes longer than `ms`. */
  shortestBeyond(ms: number): number | undefined {
    const times = [...this.#timers.values()]
      .filter((timer) => isSet(timer) && !timer.handle._repeat)
      .map(({ handle }) => handle._idleTimeout)
      .filter((timeout) => timeout > ms);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Names of those that have been held back for longer than `ms`, first due first. */
  heldFor(ms: number): string[] {
    const since = performance.now() - ms;
    return [...this.#timers.values()]
      .filter((timer) => timer.heldAt !== undefined && timer.heldAt < since && isSet(timer))
      .toSorted((a, b) => a.due - b.due)
      .map(({ name }) => name);
  }

  close(): void {
    this.#closed = true;
    for (const { handle } of this.#timers.values()) clearTimeout(handle as unknown as NodeJS.Timeout);
    this.#timers.clear();
  }

  /** Its time has come; Node calls, in the right asynchronous context. */
  #isDue(timer: OwnTimer, args: unknown[]): unknown {
    const repeats = Boolean(timer.handle._repeat);
    if (this.#closed) return undefined;
    if (!this.#rules.mayFire()) {
      if (!repeats) timer.heldAt = performance.now();
      return undefined;
    }
    if (repeats) timer.due = this.now() + (timer.handle._repeat as number);
    this.#rules.firing(timer.name);
    return timer.run.apply(timer.handle, args);
  }

  #fireNow(timer: OwnTimer): void {
    const { handle } = timer;
    this.#skippedMs += Math.max(0, timer.due - this.now());
    if (handle._repeat) timer.due += handle._repeat;
    else if (timer.heldAt !== undefined) timer.heldAt = undefined;
    else retire(handle);
    try {
      timer.context.runInAsyncScope(timer.run, handle, ...(handle._timerArgs ?? []));
    } catch (error) {
      this.#rules.failed(error);
    }
  }

  #sweep(): void {
    for (const [name, timer] of this.#timers) if (!isSet(timer)) this.#timers.delete(name);
  }
}

/** A timer that was held back has fired as far as Node knows; clearing it takes its callback away. */
function isSet({ handle, heldAt }: OwnTimer): boolean {
  return heldAt !== undefined ? handle._onTimeout !== null : !handle._destroyed;
}

/** Leaves a timer as it is after it has fired: gone, and ready to be refreshed. */
function retire(handle: Handle): void {
  const { _onTimeout, _idleTimeout, _timerArgs } = handle;
  clearTimeout(handle as unknown as NodeJS.Timeout);
  Object.assign(handle, { _onTimeout, _idleTimeout, _timerArgs });
}

/** Frames between the code that sets a timer and its making. */
const TIMER_FRAME = /\(?node:(internal\/)?timers\b|node:internal\/abort_controller|\(<anonymous>\)$/;
const MADE = /new Timeout \(node:/;
const FRAMES = 20;

/**
 * Node sets timers of its own, for connections for instance. How many there are depends on the world, so
 * they have no place in a journal.
 */
function isSetByUserCode(): boolean {
  const holder: { stack?: unknown } = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(holder, isSetByUserCode);
  Error.stackTraceLimit = stackTraceLimit;
  if (typeof holder.stack !== "string") return true;
  const frames = holder.stack.split("\n");
  const caller = frames
    .slice(frames.findIndex((frame) => MADE.test(frame)) + 1)
    .find((frame) => !TIMER_FRAME.test(frame));
  return caller === undefined || !/\bnode:/.test(caller);
}
