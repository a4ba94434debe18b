/** Which moment stands where. Long quiet times take little room, and still every place is one moment. Pure. */

export interface Interval {
  from: number;
  to: number;
}

/** How wide a shortened time is while the whole run is shown, in pixels. */
const GAP_WIDTH = 36;
/** Of the line, for all of them together. */
const MOST_FOR_GAPS = 0.4;

/** The whole run as a line from 0 to 1. */
export class Fold {
  readonly whole: Interval;
  readonly #times: number[];
  readonly #places: number[];

  constructor(whole: Interval, gaps: readonly Interval[], width: number) {
    const from = Number.isFinite(whole.from) ? whole.from : 0;
    this.whole = { from, to: whole.to > from ? whole.to : from + 1 };
    const pieces = piecesOf(this.whole, gaps);
    const quiet = pieces.filter(({ isGap }) => isGap).length;
    const busyMs = pieces.reduce((sum, { isGap, from: begin, to }) => sum + (isGap ? 0 : to - begin), 0);
    const share = quiet === 0 ? 0 : Math.min(GAP_WIDTH / Math.max(1, width), MOST_FOR_GAPS / quiet);
    const lengths = pieces.map(({ isGap, from: begin, to }) =>
      isGap ? share : ((to - begin) / busyMs) * (1 - quiet * share),
    );
    const sum = lengths.reduce((total, length) => total + length, 0);
    this.#times = [this.whole.from, ...pieces.map(({ to }) => to)];
    let place = 0;
    this.#places = [0, ...lengths.map((length) => (place += length / sum))];
    this.#places[this.#places.length - 1] = 1;
  }

  /** Moments outside of the run are at its ends, and so are those that nobody can read. */
  place(at: number): number {
    return between(this.#times, this.#places, at);
  }

  at(place: number): number {
    return between(this.#places, this.#times, place);
  }
}

interface Piece extends Interval {
  isGap: boolean;
}

/** Without holes, and none of them empty. */
function piecesOf({ from, to }: Interval, gaps: readonly Interval[]): Piece[] {
  const pieces: Piece[] = [];
  let last = from;
  const add = (end: number, isGap: boolean): void => {
    const until = Math.min(end, to);
    if (until > last) pieces.push({ from: last, to: until, isGap });
    last = Math.max(last, until);
  };
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    add(gap.from, false);
    add(gap.to, true);
  }
  add(to, false);
  return pieces;
}

/** From one rising list of numbers to another. */
function between(keys: readonly number[], values: readonly number[], key: number): number {
  const last = keys.length - 1;
  const [least, most] = [keys[0] as number, keys[last] as number];
  if (!(key > least)) return values[0] as number;
  if (key >= most) return values[last] as number;
  const n = firstIndex(last, (index) => (keys[index + 1] as number) > key);
  const [a, b, from, to] = [keys[n], keys[n + 1], values[n], values[n + 1]] as [number, number, number, number];
  return from + ((key - a) / (b - a)) * (to - from);
}

/** The first index that passes, if all after it do too; `count` when none does. */
export function firstIndex(count: number, passes: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A part of that line on a picture of some width. */
export interface TimeScale {
  readonly fold: Fold;
  /** The part, in places of the line. */
  readonly view: Interval;
  readonly width: number;
  x: (at: number) => number;
  at: (x: number) => number;
}

export function scaleOf(fold: Fold, view: Interval, width: number): TimeScale {
  const size = view.to - view.from;
  return {
    fold,
    view,
    width,
    x: (at) => ((fold.place(at) - view.from) / size) * width,
    at: (x) => fold.at(view.from + (x / Math.max(1, width)) * size),
  };
}
