/** The whole run, drawn small, with a window that can be moved and resized: what it covers is shown below. */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { overviewShapes } from "./overview-drawing.js";
import { Painted } from "./painted.js";
import { shownClock, shownMoment } from "./shown-times.js";
import { type Interval, scaleOf } from "./time-scale.js";
import type { Fall } from "./use-fall.js";
import { ALL, afterKey, dragged, type Grip, isAll, panned } from "./zoom.js";

interface Drag {
  grip: Grip;
  view: Interval;
  begin: number;
}

const NAMES = {
  body: "Visible part of the run",
  from: "Start of the visible part",
  to: "End of the visible part",
} as const;
/** A pointer that moved less was a press. Of the line. */
const STILL = 0.004;

export function Overview({ fall }: { fall: Fall }) {
  const { rows, fold, gaps, view, timeline } = fall;
  const strip = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const { width, height } = useStripSize(strip);
  const shapes = useMemo(
    () => overviewShapes(rows, scaleOf(fold, ALL, width), gaps, height),
    [rows, fold, gaps, width, height],
  );
  const placeOf = (event: PointerEvent): number => {
    const left = strip.current?.getBoundingClientRect().left ?? 0;
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  };
  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const grip = (event.target as Element).closest<HTMLElement>("[data-grip]")?.dataset["grip"] ?? "none";
    drag.current = { grip: grip as Grip, view, begin: placeOf(event) };
    strip.current?.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent): void => {
    const { current } = drag;
    const place = placeOf(event);
    if (current === undefined || Math.abs(place - current.begin) < STILL) return;
    fall.setView(dragged(current.view, current.grip, current.begin, place));
  };
  const onUp = (event: PointerEvent): void => {
    const { current } = drag;
    drag.current = undefined;
    // A press beside the window brings it there.
    if (current?.grip === "none" && Math.abs(placeOf(event) - current.begin) < STILL)
      fall.setView(panned(view, current.begin - (view.from + view.to) / 2));
  };
  return (
    <div class="fall-overview">
      <div
        class="fall-strip"
        ref={strip}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={() => void (drag.current = undefined)}
      >
        <Painted shapes={shapes} width={width} height={height} theme={fall.theme} />
        <span class="fall-veil" style={{ left: 0, width: percent(view.from) }} />
        <span class="fall-veil" style={{ right: 0, width: percent(1 - view.to) }} />
        <Slider fall={fall} grip="body" />
        <Slider fall={fall} grip="from" />
        <Slider fall={fall} grip="to" />
      </div>
      <p class="fall-ends">
        <time title={shownMoment(timeline.from)}>{shownClock(timeline.from, timeline.to)}</time>
        <time title={shownMoment(timeline.to)}>
          {timeline.isOver || fall.endWord === "then" ? shownClock(timeline.to, timeline.from) : "Now"}
        </time>
      </p>
    </div>
  );
}

function Slider({ fall, grip }: { fall: Fall; grip: Exclude<Grip, "none"> }) {
  const { view, fold } = fall;
  const [from, to] = [shownMoment(fold.at(view.from)), shownMoment(fold.at(view.to))];
  const now = grip === "body" ? (view.from + view.to) / 2 : view[grip];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = afterKey(view, grip, event.key, event.shiftKey);
    // Escape on the whole run means something else.
    if (next === undefined || (event.key === "Escape" && isAll(view))) return;
    event.preventDefault();
    event.stopPropagation();
    fall.setView(next);
  };
  return (
    <div
      class={grip === "body" ? "fall-part" : "fall-handle"}
      data-grip={grip}
      role="slider"
      tabIndex={0}
      aria-label={NAMES[grip]}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(now * 100)}
      aria-valuetext={grip === "body" ? `${from} to ${to}` : grip === "from" ? from : to}
      style={
        grip === "body"
          ? { left: percent(view.from), width: percent(view.to - view.from) }
          : { left: percent(view[grip]) }
      }
      onKeyDown={onKeyDown}
    />
  );
}

function percent(part: number): string {
  return `${part * 100}%`;
}

function useStripSize(strip: { current: HTMLDivElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = strip.current;
    if (element === null) return undefined;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [strip]);
  return size;
}
