import type { TimerFiring } from "../model/events.js";
import { defined } from "../model/json.js";
import type { RecordedRequest } from "../model/replay-index.js";

/** From here on the order among the timers of a turn is given up for a short journal. */
const MAX_RUNS = 256;

/** Which timers have fired since the last recorded request. */
export class FiringLog {
  #runs: TimerFiring[] = [];
  /** Runs that belong to requests which are not recorded yet; they are complete. */
  #marked = 0;

  add(after: number, timer: string, during: number | undefined): void {
    const open = this.#runs.length - this.#marked;
    const recent = this.#runs.slice(-Math.min(open, MAX_RUNS)).filter((run) => run.after === after);
    const run = recent.length < MAX_RUNS ? recent.at(-1) : recent.findLast((other) => other.timer === timer);
    const isMore = run?.timer === timer && (run.during === during || recent.length >= MAX_RUNS);
    if (open > 0 && isMore) run.times += 1;
    else this.#runs.push({ after, timer, times: 1, ...defined({ during }) });
  }

  /** A request is made now; the mark says what had fired before it. */
  mark(): number {
    this.#marked = this.#runs.length;
    return this.#marked;
  }

  /** What each of these requests has to record; their marks are in the order of the requests. */
  take(marks: readonly number[]): TimerFiring[][] {
    let from = 0;
    const taken = marks.map((mark) => this.#runs.slice(from, (from = mark)));
    this.#runs = this.#runs.slice(from);
    this.#marked -= from;
    return taken;
  }
}

interface PlannedFiring {
  timer: string;
  times: number;
  /** How many requests of the turn came before it. */
  requests: number;
  during: number | undefined;
}

/** Which timers a replay has to fire. */
export class RecordedFirings {
  readonly #byTurn = new Map<number, PlannedFiring[]>();

  constructor(requests: Iterable<RecordedRequest>) {
    const before = new Map<number, number>();
    for (const request of requests) {
      for (const { after, timer, times, during } of request.fired ?? []) {
        const turn = this.#byTurn.get(after) ?? [];
        this.#byTurn.set(after, turn);
        turn.push({ timer, times, requests: before.get(after) ?? 0, during });
      }
      before.set(request.after, (before.get(request.after) ?? 0) + 1);
    }
  }

  /** The next timer to fire in a turn. */
  next(turn: number): PlannedFiring | undefined {
    return this.#byTurn.get(turn)?.[0];
  }

  /** True when a timer is still to fire in a turn. */
  has(turn: number, timer: string): boolean {
    return this.#byTurn.get(turn)?.some((planned) => planned.timer === timer) === true;
  }

  /** It has fired once, or cannot. */
  done(turn: number, could: boolean): void {
    const [next] = this.#byTurn.get(turn) ?? [];
    if (next === undefined) return;
    next.times -= could ? 1 : next.times;
    if (next.times <= 0) this.#byTurn.get(turn)?.shift();
  }
}
