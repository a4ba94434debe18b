/** The flags of what happened at one moment, so that none covers another. Pure. */
import type { TimelineMark } from "@a5c-ai/babysitter-sdk/view";
import { widthOf } from "./place-labels.js";
import type { TimeScale } from "./time-scale.js";

export interface Flag {
  x: number;
  /** Those that stand too close to have a flag each. */
  marks: TimelineMark[];
  /** Only where there is room for it. */
  text?: string;
  /** Hangs to the left of its line. */
  isLeft: boolean;
}

interface Room {
  /** Of a flag without words, which is also how far two are apart. */
  flag: number;
  /** Right of the last moment. */
  margin: number;
}

export function flagsOf(marks: readonly TimelineMark[], scale: TimeScale, room: Room): Flag[] {
  const flags: Flag[] = [];
  const end = scale.width + room.margin;
  for (const mark of marks) {
    const x = scale.x(mark.at);
    if (x < -0.5 || x > scale.width + 0.5) continue;
    const last = flags.at(-1);
    // One at the very end hangs to the left, and needs that room too.
    const apart = x + room.flag > end ? 2 * room.flag : room.flag;
    if (last !== undefined && x - last.x < apart) last.marks.push(mark);
    else flags.push({ x, marks: [mark], isLeft: false });
  }
  let taken = 0;
  for (const [n, flag] of flags.entries()) {
    hang(flag, room.flag, { from: taken, to: leftOf(flags[n + 1], room.flag, end) });
    taken = flag.isLeft ? flag.x : flag.x + room.flag;
    if (!flag.isLeft && flag.text !== undefined) taken = flag.x + room.flag + widthOf(flag.text);
  }
  return flags;
}

/** Where the next flag begins, at the least. */
function leftOf(next: Flag | undefined, size: number, end: number): number {
  if (next === undefined) return end;
  return next.x + size > end ? next.x - size : next.x;
}

function hang(flag: Flag, size: number, free: { from: number; to: number }): void {
  const [first] = flag.marks;
  const more = flag.marks.length - 1;
  const text = `${first?.text ?? ""}${more > 0 ? ` +${more}` : ""}`;
  const width = size + widthOf(text);
  const fitsRight = flag.x + width <= free.to;
  flag.isLeft = !fitsRight && (flag.x + size > free.to || flag.x - width >= free.from);
  if (fitsRight || (flag.isLeft && flag.x - width >= free.from)) flag.text = text;
}

/** A press on a flag goes through what it stands for. */
export function nextMark({ marks }: Flag, selected: number | undefined): TimelineMark {
  const chosen = marks.findIndex(({ seq }) => seq === selected);
  return marks[(chosen + 1) % marks.length] as TimelineMark;
}
