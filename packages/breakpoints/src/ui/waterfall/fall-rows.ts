/** Which step is in which row, and where one is found. Pure. */
import type { Timeline, TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import type { Layout, RowMode, RowWindow } from "./layout.js";
import { firstIndex, type TimeScale } from "./time-scale.js";

export class FallRows {
  readonly timeline: Timeline;
  readonly #byId = new Map<string, number>();
  readonly #bySeq = new Map<number, number>();
  #lanes: number[][] | undefined;

  constructor(timeline: Timeline) {
    this.timeline = timeline;
    for (const [index, { id, seqs }] of timeline.spans.entries()) {
      this.#byId.set(id, index);
      // The end of one turn of an agent is the beginning of the next: it belongs to the first.
      for (const seq of seqs) if (!this.#bySeq.has(seq)) this.#bySeq.set(seq, index);
    }
  }

  /** Steps that do not overlap, in the order of their beginning, by lane. */
  get lanes(): readonly (readonly number[])[] {
    if (this.#lanes !== undefined) return this.#lanes;
    const lanes: number[][] = [];
    for (const [index, { lane }] of this.timeline.spans.entries()) (lanes[lane] ??= []).push(index);
    this.#lanes = Array.from(lanes, (lane) => lane ?? []);
    return this.#lanes;
  }

  span(index: number): TimelineSpan | undefined {
    return this.timeline.spans[index];
  }

  indexOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** The step that an event belongs to. */
  indexOfEvent(seq: number | undefined): number | undefined {
    return seq === undefined ? undefined : this.#bySeq.get(seq);
  }

  count(mode: RowMode): number {
    return mode === "steps" ? this.timeline.spans.length : this.lanes.length;
  }

  rowOf(index: number, mode: RowMode): number {
    return mode === "steps" ? index : (this.span(index)?.lane ?? 0);
  }

  endOf({ to = this.timeline.to }: TimelineSpan): number {
    return to;
  }

  /** What can be seen of some rows: of steps that would cover each other, one stands for all. */
  *seen(mode: RowMode, { first, end }: RowWindow, scale: TimeScale): Generator<{ row: number; index: number }> {
    if (mode === "steps") for (let row = first; row < end; row += 1) yield { row, index: row };
    else
      for (let row = first; row < end; row += 1)
        for (const index of this.#seenInLane(this.lanes[row] ?? [], scale)) yield { row, index };
  }

  *#seenInLane(lane: readonly number[], scale: TimeScale): Generator<number> {
    const span = (n: number): TimelineSpan => this.timeline.spans[lane[n] as number] as TimelineSpan;
    let n = firstIndex(lane.length, (at) => scale.x(this.endOf(span(at))) >= 0);
    while (n < lane.length) {
      const x = scale.x(span(n).from);
      if (x > scale.width) return;
      yield lane[n] as number;
      const right = Math.max(x, scale.x(this.endOf(span(n)))) + 1;
      const next = n + 1;
      // Whatever ends within the same pixel cannot be seen beside it.
      n = next + firstIndex(lane.length - next, (more) => scale.x(this.endOf(span(next + more))) >= right);
    }
  }

  /** The step at a point of the picture, with the rows at 0. */
  at({ x, y }: { x: number; y: number }, mode: RowMode, layout: Layout, scale: TimeScale): number | undefined {
    const row = Math.floor(y / layout.row);
    if (row < 0 || row >= this.count(mode)) return undefined;
    if (mode === "steps") return row;
    return this.#nearestInLane(this.lanes[row] ?? [], x, scale);
  }

  #nearestInLane(lane: readonly number[], x: number, scale: TimeScale): number | undefined {
    const distance = (index: number): number => {
      const span = this.timeline.spans[index] as TimelineSpan;
      return Math.max(scale.x(span.from) - x, x - scale.x(this.endOf(span)), 0);
    };
    const after = firstIndex(lane.length, (n) => scale.x((this.span(lane[n] as number) as TimelineSpan).from) > x);
    const near = [lane[after - 1], lane[after]].filter((index) => index !== undefined);
    const [best] = near.toSorted((a, b) => distance(a) - distance(b));
    return best !== undefined && distance(best) <= NEAR ? best : undefined;
  }
}

/** How far beside a bar a pointer may be, in pixels. */
const NEAR = 8;
