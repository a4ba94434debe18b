/** What the picture of a run shows just now, and how that changes. */
import type { Timeline } from "@a5c-ai/babysitter-sdk/view";
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { FallRows } from "./fall-rows.js";
import { type Layout, layoutOf, type RowMode, type RowWindow, scrollShowing, windowOf } from "./layout.js";
import { type Gap, longGaps, quietTimes } from "./quiet-times.js";
import { Fold, type Interval, scaleOf, type TimeScale } from "./time-scale.js";
import { useTheme } from "./use-theme.js";
import type { WaterfallProps } from "./waterfall.js";
import { aroundSpan, showing, viewOf, viewTimes } from "./zoom.js";

/** The step under the pointer, and where that is in the window. */
export interface Hover {
  index: number;
  x: number;
  y: number;
}

export interface Fall {
  timeline: Timeline;
  /** What the end of the picture is called while the run is not over. */
  endWord: "now" | "then";
  rows: FallRows;
  mode: RowMode;
  isFolded: boolean;
  layout: Layout;
  gaps: readonly Gap[];
  fold: Fold;
  /** The part that is shown, in places of the fold. */
  view: Interval;
  scale: TimeScale;
  window: RowWindow;
  /** The step that keys are about, and the one that is chosen. */
  active: number;
  chosen: number | undefined;
  selected: number | undefined;
  hover: Signal<Hover | undefined>;
  theme: ReadonlySignal<number>;
  box: RefObject<HTMLDivElement | null>;
  head: RefObject<HTMLDivElement | null>;
  /** Rows have moved under the eyes. */
  look: () => void;
  setMode: (mode: RowMode) => void;
  setFolded: (isFolded: boolean) => void;
  setView: (view: Interval) => void;
  /** Keys are about this step from now on: it is brought into view, and gets the focus if that is here already. */
  moveTo: (index: number) => void;
  /** With its last event, or with its first. */
  choose: (index: number, last?: boolean) => void;
  zoomTo: (index: number) => void;
  onSelect: (seq: number) => void;
}

export function useFall({ timeline, selected, onSelect, isThen = false }: WaterfallProps): Fall {
  const [mode, setMode] = useState<RowMode>("steps");
  const [isFolded, setFolded] = useState(true);
  const [times, setTimes] = useState<Interval | undefined>(undefined);
  const [moved, setMoved] = useState<string | undefined>(undefined);
  const hover = useSignal<Hover | undefined>(undefined);
  const [box, head] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const size = useSize(box, timeline.spans.length > 0);
  const rows = useMemo(() => new FallRows(timeline), [timeline]);
  const { width, rem } = size;
  const layout = useMemo(() => layoutOf({ width, rem, mode }), [width, rem, mode]);
  const gaps = useMemo(
    () => (isFolded ? longGaps(quietTimes(timeline), timeline.to - timeline.from) : []),
    [timeline, isFolded],
  );
  const fold = useMemo(() => new Fold(timeline, gaps, layout.chart), [timeline, gaps, layout.chart]);
  const view = useMemo(() => viewOf(fold, times), [fold, times]);
  const scale = useMemo(() => scaleOf(fold, view, layout.chart), [fold, view, layout.chart]);
  const { window, look } = useRowWindow(box, head, { rows: rows.count(mode), row: layout.row, height: size.height });
  const chosen = rows.indexOfEvent(selected);
  const active = rows.indexOf(moved) ?? chosen ?? 0;

  const setView = (next: Interval): void => setTimes(viewTimes(fold, next));
  const bring = (index: number): void => {
    const span = rows.span(index);
    if (span === undefined || box.current === null) return;
    const [top, height] = [box.current.scrollTop, box.current.clientHeight];
    const place = { top, height, head: head.current?.offsetHeight ?? 0 };
    box.current.scrollTop = scrollShowing(rows.rowOf(index, mode), layout.row, place);
    const next = showing(view, fold, { from: span.from, to: rows.endOf(span) });
    if (next !== view) setView(next);
    look();
  };
  const moveTo = (index: number): void => {
    setMoved(rows.span(index)?.id);
    bring(index);
  };
  const choose = (index: number, last = false): void => {
    const span = rows.span(index);
    if (span === undefined) return;
    setMoved(span.id);
    onSelect(last ? (span.endSeq ?? span.seqs.at(-1) ?? span.seq) : span.seq);
  };
  const zoomTo = (index: number): void => {
    const span = rows.span(index);
    if (span !== undefined) setView(aroundSpan(fold, { from: span.from, to: rows.endOf(span) }));
  };
  // Somebody has chosen an event elsewhere, or the rows are others now. At once: a key that comes after it counts.
  useLayoutEffect(() => {
    if (chosen !== undefined) moveTo(chosen);
    // oxlint-disable-next-line exhaustive-deps
  }, [selected, chosen === undefined, mode, layout.row]);
  const endWord: Fall["endWord"] = isThen ? "then" : "now";
  const place = { layout, gaps, fold, view, scale, window };
  const shown = { timeline, endWord, rows, mode, isFolded, ...place, active, chosen, selected };
  const actions = { look, setMode, setFolded, setView, moveTo, choose, zoomTo, onSelect };
  return { ...shown, ...actions, hover, theme: useTheme(), box, head };
}

interface Size {
  width: number;
  height: number;
  rem: number;
}

/** The room inside of the box. */
function useSize(box: RefObject<HTMLDivElement | null>, isThere: boolean): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, rem: 16 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      setSize({ width: element.clientWidth, height: element.clientHeight, rem });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, isThere]);
  return size;
}

/** Which rows are on the page. */
function useRowWindow(
  box: RefObject<HTMLDivElement | null>,
  head: RefObject<HTMLDivElement | null>,
  { rows, row, height }: { rows: number; row: number; height: number },
): { window: RowWindow; look: () => void } {
  const [window, setWindow] = useState<RowWindow>({ first: 0, end: 0 });
  const look = (): void => {
    const element = box.current;
    if (element === null) return;
    const top = element.scrollTop;
    const bottom = top + element.clientHeight - (head.current?.offsetHeight ?? 0);
    const next = windowOf(rows, row, { top, bottom });
    setWindow((last) => (last.first === next.first && last.end === next.end ? last : next));
  };
  useLayoutEffect(look, [rows, row, height]);
  return { window, look };
}
