/** Which part of the run is shown: parts of a line from 0 to 1. Pure. */
import type { Fold, Interval } from "./time-scale.js";

export const ALL: Interval = { from: 0, to: 1 };
/** The smallest part that can be shown. */
const LEAST = 1e-6;
/** Around a step that is shown on its own, of its length. */
const AROUND = 0.15;

export function isAll({ from, to }: Interval): boolean {
  return from <= 0 && to >= 1;
}

/** The same length, inside of the line. */
function inside({ from, to }: Interval): Interval {
  const size = Math.min(1, Math.max(LEAST, to - from));
  const begin = Math.min(Math.max(0, from), 1 - size);
  return { from: begin, to: Math.min(1, begin + size) };
}

/** What is at `place` stays where it is. */
export function zoomed({ from, to }: Interval, place: number, factor: number): Interval {
  const size = Math.min(1, Math.max(LEAST, (to - from) / factor));
  const before = to > from ? (place - from) / (to - from) : 0.5;
  const begin = place - before * size;
  return inside({ from: begin, to: begin + size });
}

export function panned({ from, to }: Interval, by: number): Interval {
  return inside({ from: from + by, to: to + by });
}

/** One end moves, and never past the other. */
export function withEnd(view: Interval, end: "from" | "to", place: number): Interval {
  const at = Math.min(1, Math.max(0, place));
  return end === "from"
    ? { from: Math.min(at, view.to - LEAST), to: view.to }
    : { from: view.from, to: Math.max(at, view.from + LEAST) };
}

/** From one place to another, in whichever direction. */
export function brushed(one: number, other: number): Interval {
  return inside({ from: Math.max(0, Math.min(one, other)), to: Math.min(1, Math.max(one, other)) });
}

/** A step with a little around it. */
export function aroundSpan(fold: Fold, { from, to }: Interval): Interval {
  const [begin, end] = [fold.place(from), fold.place(to)];
  const around = Math.max((end - begin) * AROUND, LEAST);
  return inside({ from: begin - around, to: end + around });
}

/** Moved just so far that something of the step is seen. */
export function showing(view: Interval, fold: Fold, { from, to }: Interval): Interval {
  const [begin, end] = [fold.place(from), fold.place(to)];
  if (end >= view.from && begin <= view.to) return view;
  return panned(view, (begin + end) / 2 - (view.from + view.to) / 2);
}

/** The part as times, so that it stays when the line grows; a part that reaches the end grows with it. */
export function viewTimes(fold: Fold, view: Interval): Interval | undefined {
  if (isAll(view)) return undefined;
  return { from: fold.at(view.from), to: view.to >= 1 ? Number.POSITIVE_INFINITY : fold.at(view.to) };
}

export function viewOf(fold: Fold, times: Interval | undefined): Interval {
  if (times === undefined) return ALL;
  return inside({ from: fold.place(times.from), to: fold.place(times.to) });
}

/** What a pointer or a key takes hold of: one end of the part, all of it, or nothing yet. */
export type Grip = "from" | "to" | "body" | "none";

/** A pointer has gone from one place to another. */
export function dragged(view: Interval, grip: Grip, begin: number, place: number): Interval {
  if (grip === "from" || grip === "to") return withEnd(view, grip, place);
  // The whole run cannot be moved, so whoever pulls at it wants a part.
  if (grip === "none" || isAll(view)) return brushed(begin, place);
  return panned(view, place - begin);
}

const ARROWS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
/** Of what is shown, for one press of a key. */
const STEP = 0.1;
/** For one press of a button. */
export const ZOOM = 1.6;

/** What a key on the part, or on one of its ends, comes to; nothing for other keys. */
export function afterKey(
  view: Interval,
  grip: Exclude<Grip, "none">,
  key: string,
  shift: boolean,
): Interval | undefined {
  if (key === "Escape") return ALL;
  const by = (Object.hasOwn(ARROWS, key) ? (ARROWS[key] ?? 0) : 0) * (view.to - view.from) * STEP;
  const end = key === "Home" ? 0 : key === "End" ? 1 : undefined;
  if (by === 0 && end === undefined) return undefined;
  if (grip !== "body") return withEnd(view, grip, end ?? view[grip] + by);
  if (end !== undefined) return panned(view, end === 0 ? -1 : 1);
  return shift ? withEnd(view, "to", view.to + by) : panned(view, by);
}
