/**
 * The process's own timers in the turns of a run: what fires is recorded with the next request, and what is
 * recorded fires again in a replay. Also knows how long ago anything was under way that a replay repeats.
 */
import type { TimerFiring } from "../model/events.js";
import type { RecordedRequest } from "../model/replay-index.js";
import type { NewRequest } from "./call.js";
import { FiringLog, RecordedFirings } from "./firing-log.js";
import type { RecordedRequests } from "./identity.js";
import { drained } from "./next-turn.js";
import { OUTSIDE, OwnTimers } from "./own-timers.js";

/** What the timers need to know about the process around them. */
interface TimedProcess {
  /** Version of the replay rules. */
  semantics: number;
  createdAt: string;
  quietLimitMs: number;
  requests: Iterable<RecordedRequest>;
  recorded: RecordedRequests;
  isOver(): boolean;
  /** Work of the process besides its timers is under way. */
  isWorking(): boolean;
  /** How many pieces of such work have ended. */
  endedWork(): number;
  /** A timer fires by itself. */
  onFiring(): void;
  fail(error: unknown): void;
}

/** How long a process must be silent before it is said to have stalled or diverged. */
const VERDICT_MS = 500;
/** What took its time before may take longer in a replay. */
const PATIENCE = 2;
/** Version of the replay rules from which on timers are recorded. */
const RECORDS_TIMERS = 2;

export class TurnTimers {
  /** Undefined in runs whose rules know nothing of timers. */
  readonly own: OwnTimers | undefined;
  readonly #process: TimedProcess;
  readonly #planned: RecordedFirings;
  readonly #firings = new FiringLog();
  readonly #marks = new WeakMap<NewRequest, number>();
  #turn = 0;
  /** When the turn began, by the journal and by the clock of the timers. */
  #turnAt: number;
  #turnBegan = 0;
  /** Something is under way that may lead to requests. */
  #isStirring = false;
  #stirredAt = 0;
  #endedBefore = 0;
  /** The journal's own timers did not bring everything: others may. */
  #triesOthers = false;

  constructor(process: TimedProcess) {
    this.#process = process;
    this.#turnAt = Date.parse(process.createdAt);
    this.#planned = new RecordedFirings(process.requests);
    if (process.semantics < RECORDS_TIMERS) return;
    this.own = new OwnTimers({
      mayFire: () => !this.isReplaying(),
      firing: (name) => this.#fires(name),
      failed: (error) => process.fail(error),
    });
  }

  beginTurn(turn: number, at?: number): void {
    this.#turn = turn;
    this.#turnAt = at ?? this.#turnAt;
    this.#turnBegan = this.own?.now() ?? 0;
    this.#endedBefore = this.#process.endedWork();
    this.#triesOthers = false;
    this.#stir();
  }

  /** True while the journal knows what happens next in this turn. */
  isReplaying(): boolean {
    if (this.own === undefined || this.#process.isOver()) return false;
    return this.#turn < this.#process.recorded.lastTurn || this.isBehind();
  }

  /** True while something that the journal has for this turn has not happened again. */
  isBehind(): boolean {
    return this.#process.recorded.openIn(this.#turn) > 0 || this.#planned.next(this.#turn) !== undefined;
  }

  /** A piece of work is about to end: what fired before it did fires first. */
  workEnds(): void {
    while (this.#fireOneDuringWork());
  }

  /** Fires all that the journal says fired while other work was under way, one after another. */
  async fireDuringWork(): Promise<boolean> {
    let fired = false;
    while (this.#planned.next(this.#turn)?.during !== undefined) {
      await drained();
      if (!this.#fireOneDuringWork()) break;
      fired = true;
    }
    return fired;
  }

  #fireOneDuringWork(): boolean {
    const { own } = this;
    const next = this.#planned.next(this.#turn);
    if (own === undefined || next?.during === undefined || !this.isReplaying()) return false;
    const ended = this.#process.endedWork() - this.#endedBefore;
    if (ended < next.during || this.#isEarly(next)) return false;
    this.#planned.done(this.#turn, own.fire(next.timer));
    return true;
  }

  /** Work may wait for a timer that the journal has for later, or not at all: it went faster before. */
  fireForWork(): void {
    const { own } = this;
    if (own === undefined || !this.isReplaying()) return;
    const [overdue] = own.heldFor(VERDICT_MS);
    if (overdue === undefined) return;
    const next = this.#planned.next(this.#turn);
    if (next !== undefined && this.#planned.has(this.#turn, overdue))
      this.#planned.done(this.#turn, own.fire(next.timer));
    else own.fire(overdue);
  }

  /** Fires the next timer that the journal names, or else the first that may bring what is missing. */
  fireNext(silentMs: number): boolean {
    const { own } = this;
    if (own === undefined) return false;
    if (!this.isReplaying()) return own.fireHeld();
    // What leads to it may be work that cannot be seen.
    const isPatient = silentMs <= this.patienceMs();
    const next = this.#planned.next(this.#turn);
    if (next !== undefined) {
      if (isPatient && this.#isEarly(next)) return false;
      this.#planned.done(this.#turn, own.fire(next.timer));
      return true;
    }
    if (isPatient && !this.#triesOthers) return false;
    const { recorded, quietLimitMs } = this.#process;
    const missing = recorded.openOf(this.#turn).map(({ at }) => Date.parse(at) - this.#turnAt);
    this.#triesOthers = missing.length > 0;
    return this.#triesOthers && own.fireEarliest(this.#turnBegan + Math.max(quietLimitMs, ...missing));
  }

  #isEarly({ requests, timer }: { requests: number; timer: string }): boolean {
    return this.#process.recorded.claimedIn(this.#turn) < requests || this.own?.isSet(timer) !== true;
  }

  /** How long a process must be silent before something is said to be missing for good. */
  patienceMs(): number {
    const late = this.#process.recorded.openOf(this.#turn).map((request) => request.late ?? 0);
    return VERDICT_MS + PATIENCE * Math.max(0, ...late);
  }

  /** How long work of the process may keep this turn open. */
  limitMs(): number {
    const { quietLimitMs } = this.#process;
    return this.isReplaying() && this.isBehind() ? quietLimitMs * PATIENCE : quietLimitMs;
  }

  /** Nothing is under way any more. */
  quiet(): void {
    this.#isStirring = false;
  }

  /** How many milliseconds ago anything was under way that could lead to a request made now; undefined when something is. */
  latenessMs(): number | undefined {
    if (this.own === undefined || this.#isStirring || this.isReplaying()) return undefined;
    return Math.ceil(performance.now() - this.#stirredAt);
  }

  /** A request is made now. */
  mark(request: NewRequest): void {
    this.#marks.set(request, this.#firings.mark());
  }

  /** The requests with what fired before each. */
  withFirings(requests: readonly NewRequest[]): NewRequest[] {
    const fired: TimerFiring[][] = this.#firings.take(requests.map((request) => this.#marks.get(request) ?? 0));
    return requests.map((request, index) => {
      const before = fired[index] ?? [];
      return before.length === 0 ? request : { ...request, fired: before };
    });
  }

  #fires(name: string): void {
    if (this.#process.isOver() || this.isReplaying()) return;
    const ended = this.#process.endedWork() - this.#endedBefore;
    if (!name.startsWith(OUTSIDE)) this.#firings.add(this.#turn, name, this.#process.isWorking() ? ended : undefined);
    this.#stir();
    this.#process.onFiring();
  }

  #stir(): void {
    this.#isStirring = true;
    this.#stirredAt = performance.now();
  }
}
