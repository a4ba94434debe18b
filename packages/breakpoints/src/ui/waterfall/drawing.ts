/** What is drawn where: shapes for a painter that knows nothing of runs. Pure. */
import type { TimelineSpan } from "@a5c-ai/babysitter-sdk/view";
import type { FallRows } from "./fall-rows.js";
import type { Layout, RowMode, RowWindow } from "./layout.js";
import type { Gap } from "./quiet-times.js";
import { segmentsOf } from "./span-look.js";
import { firstIndex, type Interval, type TimeScale } from "./time-scale.js";

/** Names of colours, which the painter knows. */
export type Tone =
  | "work"
  | "person"
  | "time"
  | "bad"
  | "gone"
  | "thread"
  | "band"
  | "selected"
  | "grid"
  | "row"
  | "plate"
  | "now"
  | "gap-waitingOnPersonMs"
  | "gap-waitingOnTimeMs"
  | "gap-idleMs";

export interface Shape {
  /** `hatched`: goes on. `hollow`: only its edge. `zigzag`: two torn edges, with what is between them. `dashed`: a line. */
  kind: "solid" | "hatched" | "hollow" | "zigzag" | "dashed";
  tone: Tone;
  x: number;
  y: number;
  width: number;
  height: number;
  round?: boolean;
}

export interface Picture {
  rows: FallRows;
  mode: RowMode;
  window: RowWindow;
  layout: Layout;
  scale: TimeScale;
  gaps: readonly Gap[];
  ticks: readonly { x: number }[];
  flags: readonly { x: number; tone: Tone }[];
  selected: number | undefined;
}

/** Shorter steps are as wide as this. */
const LEAST_WIDTH = 3;
/** Of the thread from the request of a step to its end. */
const THREAD = 2;
/** Between a name and its bar. */
const PLATE_GAP = 3;
/** Narrower bands say nothing. */
const LEAST_BAND = 6;

/** From back to front. The window's first row is at the top. */
export function shapesOf(picture: Picture): Shape[] {
  const { rows, mode, window, layout, scale, selected } = picture;
  const height = (window.end - window.first) * layout.row;
  const spans: Shape[] = [];
  for (const { row, index } of rows.seen(mode, window, scale)) {
    const span = rows.span(index);
    if (span !== undefined) spans.push(...spanShapes(picture, span, (row - window.first) * layout.row));
  }
  return [
    ...bandShapes(picture, height),
    ...picture.ticks.map(({ x }) => upright("grid", x, height)),
    ...(selected === undefined ? [] : selectedShapes(picture, selected)),
    ...gapShapes(picture, height),
    ...picture.flags.map(({ x, tone }) => ({ ...upright(tone, x, height), kind: "dashed" as const })),
    ...nowShapes(picture, height),
    ...plates(picture),
    ...rowLines(picture),
    ...spans,
  ];
}

function spanShapes({ rows, layout, scale }: Picture, span: TimelineSpan, top: number): Shape[] {
  const { bar } = layout;
  const y = top + bar.top;
  const end = rows.endOf(span);
  const shapes: Shape[] = [];
  const segments = segmentsOf(span, end);
  for (const { from, to } of between(segments, { from: span.from, to: end })) {
    const thread = across(scale, from, to, 1);
    if (thread !== undefined && thread.width > 1)
      shapes.push({ kind: "solid", tone: "thread", ...thread, y: y + (bar.height - THREAD) / 2, height: THREAD });
  }
  for (const segment of segments) {
    const place = across(scale, segment.from, segment.to);
    if (place === undefined) continue;
    const kind = segment.tone === "gone" ? "hollow" : segment.isRunning ? "hatched" : "solid";
    shapes.push({ kind, tone: segment.tone, ...place, y, height: bar.height, round: true });
  }
  const last = across(scale, end, end);
  // An answer that was no ends its bar with a stop.
  if (span.state === "rejected" && last !== undefined)
    shapes.push({ kind: "solid", tone: "bad", x: last.x - 2, width: 6, y: y - 3, height: bar.height + 6 });
  return shapes;
}

/** What a step took besides its attempts: before, between and after them. */
function between(segments: readonly Interval[], { from, to }: Interval): Interval[] {
  const ends = [from, ...segments.map((segment) => segment.to)];
  const begins = [...segments.map((segment) => segment.from), to];
  return ends.map((end, n) => ({ from: end, to: begins[n] as number })).filter((piece) => piece.to > piece.from);
}

/** Cut at the edges, a little beyond them; nothing for what is not seen. */
export function across(
  scale: TimeScale,
  from: number,
  to: number,
  least = LEAST_WIDTH,
): { x: number; width: number } | undefined {
  const [begin, end] = [scale.x(from), scale.x(to)];
  if (!(end >= -LEAST_WIDTH) || !(begin <= scale.width + LEAST_WIDTH)) return undefined;
  const x = Math.max(begin, -LEAST_WIDTH * 4);
  return { x, width: Math.max(least, Math.min(end, scale.width + LEAST_WIDTH * 4) - x) };
}

/** Every other round of the process, where rounds can be told apart. */
function bandShapes({ scale, ...picture }: Picture, height: number): Shape[] {
  return bandsSeen(picture.rows, scale)
    .filter(({ number }) => number % 2 === 0)
    .map(({ x, width }) => ({ kind: "solid", tone: "band", x, y: 0, width, height }));
}

export interface Band {
  /** From 0: which of the rounds. */
  number: number;
  iteration: number;
  x: number;
  width: number;
}

/** A round lasts until the next one. None when they are too narrow to be seen. */
export function bandsSeen({ timeline: { iterations, to } }: FallRows, scale: TimeScale): Band[] {
  if (iterations.length < 2) return [];
  const endOf = (n: number): number => iterations[n + 1]?.from ?? to;
  const first = firstIndex(iterations.length, (n) => scale.x(endOf(n)) > 0);
  const after = firstIndex(iterations.length, (n) => scale.x(iterations[n]?.from ?? to) > scale.width);
  if (after - first > scale.width / LEAST_BAND) return [];
  return iterations.slice(first, after).map(({ iteration, from }, n) => {
    const [x, end] = [Math.max(0, scale.x(from)), Math.min(scale.width, scale.x(endOf(first + n)))];
    return { number: first + n, iteration, x, width: Math.max(0, end - x) };
  });
}

function gapShapes({ gaps, scale }: Picture, height: number): Shape[] {
  return gaps.flatMap(({ from, to, use }) => {
    const place = across(scale, from, to);
    return place === undefined
      ? []
      : [{ kind: "zigzag" as const, tone: `gap-${use}` as const, ...place, y: 0, height }];
  });
}

function selectedShapes({ rows, mode, window, layout, scale }: Picture, index: number): Shape[] {
  const span = rows.span(index);
  const y = (rows.rowOf(index, mode) - window.first) * layout.row;
  if (span === undefined) return [];
  if (mode === "steps")
    return [{ kind: "solid", tone: "selected", x: 0, y, width: scale.width + 64, height: layout.row }];
  const place = across(scale, span.from, rows.endOf(span));
  if (place === undefined) return [];
  return [{ kind: "solid", tone: "selected", x: place.x - 4, width: place.width + 8, y, height: layout.row }];
}

/** Where names stand above their bars, nothing runs through them. */
function plates({ rows, mode, window, layout, scale, selected }: Picture): Shape[] {
  if (layout.names > 0) return [];
  const chosen = selected === undefined || mode === "lanes" ? undefined : rows.rowOf(selected, mode);
  return Array.from({ length: window.end - window.first }, (_, n) => ({
    kind: "solid" as const,
    tone: window.first + n === chosen ? ("selected" as const) : ("plate" as const),
    x: 0,
    y: n * layout.row,
    width: scale.width + 64,
    height: layout.bar.top - PLATE_GAP,
  }));
}

/** Between rows, for eyes that go from a name to its bar. */
function rowLines({ window, layout, scale }: Picture): Shape[] {
  return Array.from({ length: window.end - window.first }, (_, n) => ({
    kind: "solid" as const,
    tone: "row" as const,
    x: 0,
    y: (n + 1) * layout.row - 1,
    width: scale.width + 64,
    height: 1,
  }));
}

function nowShapes({ rows: { timeline }, scale }: Picture, height: number): Shape[] {
  const x = scale.x(timeline.to);
  return timeline.isOver || x > scale.width + 1 ? [] : [upright("now", x, height, 2)];
}

function upright(tone: Tone, x: number, height: number, width = 1): Shape {
  return { kind: "solid", tone, x: Math.round(x), y: 0, width, height };
}
