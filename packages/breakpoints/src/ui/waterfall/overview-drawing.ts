/** The whole run, drawn small: every lane a thin line. Pure. */
import { across, type Shape } from "./drawing.js";
import type { FallRows } from "./fall-rows.js";
import type { Gap } from "./quiet-times.js";
import { type BarTone, segmentsOf } from "./span-look.js";
import type { TimeScale } from "./time-scale.js";

/** What is worse, or waits for somebody, is seen where several fall on one point. */
const WEIGHT: Readonly<Record<BarTone, number>> = { gone: 0, time: 1, work: 2, person: 3, bad: 4 };
const MOST_LINES = 12;
const MARGIN = 4;

export function overviewShapes(rows: FallRows, scale: TimeScale, gaps: readonly Gap[], height: number): Shape[] {
  const lines = Math.max(1, Math.min(MOST_LINES, rows.lanes.length));
  const line = (height - 2 * MARGIN) / lines;
  const thick = Math.min(8, Math.max(1, line - 1));
  const worst: Map<number, BarTone>[] = Array.from({ length: lines }, () => new Map());
  const shapes: Shape[] = gaps.flatMap(({ from, to, use }) => {
    const place = across(scale, from, to);
    return place === undefined
      ? []
      : [{ kind: "zigzag" as const, tone: `gap-${use}` as const, ...place, y: 0, height }];
  });
  for (const span of rows.timeline.spans) {
    const n = span.lane % lines;
    for (const { from, to, tone, isRunning } of segmentsOf(span, rows.endOf(span))) {
      const place = across(scale, from, to);
      if (place === undefined) continue;
      const column = Math.round(place.x);
      const there = worst[n]?.get(column);
      if (place.width < 4 && there !== undefined && WEIGHT[there] >= WEIGHT[tone]) continue;
      worst[n]?.set(column, tone);
      const kind = tone === "gone" ? "hollow" : isRunning ? "hatched" : "solid";
      shapes.push({ kind, tone, ...place, y: MARGIN + n * line + (line - thick) / 2, height: thick });
    }
  }
  return shapes;
}
