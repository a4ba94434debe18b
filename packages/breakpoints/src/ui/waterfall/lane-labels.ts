/** The names of steps that share a row, where there is room for them. Pure. */
import type { FallRows } from "./fall-rows.js";
import type { RowWindow } from "./layout.js";
import type { TimeScale } from "./time-scale.js";

export interface LaneLabel {
  index: number;
  row: number;
  x: number;
  width: number;
  /** Has a place, but no room for words. */
  isBare?: boolean;
}

const LEAST_WIDTH = 48;

/** A name reaches from its bar to the next one. */
export function laneLabels(rows: FallRows, window: RowWindow, scale: TimeScale): LaneLabel[] {
  const labels: LaneLabel[] = [];
  for (const { row, index } of rows.seen("lanes", window, scale)) {
    const x = Math.max(0, scale.x(rows.span(index)?.from ?? 0));
    const last = labels.at(-1);
    if (last?.row === row) last.width = Math.min(last.width, x - last.x);
    labels.push({ index, row, x, width: scale.width - x });
  }
  return labels.filter(({ width }) => width >= LEAST_WIDTH);
}

/** One that is always there: for the step that the keyboard is on. */
export function laneLabel(rows: FallRows, index: number, scale: TimeScale): LaneLabel {
  const span = rows.span(index);
  const x = Math.min(Math.max(0, scale.x(span?.from ?? 0)), Math.max(0, scale.width - LEAST_WIDTH));
  return { index, row: span?.lane ?? 0, x, width: LEAST_WIDTH, isBare: true };
}
