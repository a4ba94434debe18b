/** Pointers, wheels and fingers on the picture. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Fall } from "./use-fall.js";
import { panned, zoomed } from "./zoom.js";

interface Point {
  x: number;
  y: number;
}

interface Gesture {
  /** Every finger, or the mouse, that is down. */
  points: Map<number, Point>;
  hasMoved: boolean;
}

/** A pointer that moved less was a press. In pixels. */
const STILL = 5;
/** How much of a turn of the wheel is one zoom. */
const WHEEL = 300;

export interface PointerHandlers {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: (event: PointerEvent) => void;
  onPointerCancel: (event: PointerEvent) => void;
  onPointerLeave: () => void;
  onClick: (event: MouseEvent) => void;
  onDblClick: (event: MouseEvent) => void;
}

export function useFallPointer(fall: Fall, list: RefObject<HTMLDivElement | null>): PointerHandlers {
  const gesture = useRef<Gesture>({ points: new Map(), hasMoved: false }).current;
  // Listeners that outlive a drawing need what is shown now.
  const latest = useRef(fall);
  latest.current = fall;
  useWheel(latest, list);
  /** From the beginning of the time that is shown. */
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const box = list.current?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0) - fall.layout.names, y: clientY - (box?.top ?? 0) };
  };
  const indexAt = (event: MouseEvent): number | undefined => {
    const option = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-span]") : null;
    if (option !== null) return Number(option.dataset["span"]);
    return fall.rows.at(pointOf(event), fall.mode, fall.layout, fall.scale);
  };
  const lift = ({ pointerId }: PointerEvent): void => void gesture.points.delete(pointerId);
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      if (gesture.points.size === 0) gesture.hasMoved = false;
      gesture.points.set(event.pointerId, pointOf(event));
    },
    onPointerMove: (event) => {
      const index = gesture.points.size === 0 && event.pointerType === "mouse" ? indexAt(event) : undefined;
      fall.hover.value = index === undefined ? undefined : { index, x: event.clientX, y: event.clientY };
      follow(fall, gesture, event.pointerId, pointOf(event));
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onPointerLeave: () => {
      fall.hover.value = undefined;
      gesture.points.clear();
    },
    onClick: (event) => {
      const index = gesture.hasMoved ? undefined : indexAt(event);
      if (index !== undefined) fall.choose(index);
    },
    onDblClick: (event) => {
      const index = indexAt(event);
      if (index !== undefined) fall.zoomTo(index);
    },
  };
}

/** One finger moves the time, two stretch it. What is under them stays under them. */
function follow({ scale, view, setView }: Fall, gesture: Gesture, id: number, to: Point): void {
  const from = gesture.points.get(id);
  if (from === undefined) return;
  if (!gesture.hasMoved && Math.abs(to.x - from.x) < STILL) return;
  gesture.hasMoved = true;
  const other = [...gesture.points].find(([pointer]) => pointer !== id)?.[1];
  gesture.points.set(id, to);
  const place = (x: number): number => view.from + (x / scale.width) * (view.to - view.from);
  if (other === undefined) setView(panned(view, place(from.x) - place(to.x)));
  else {
    const factor = Math.max(1, Math.abs(to.x - other.x)) / Math.max(1, Math.abs(from.x - other.x));
    setView(zoomed(view, place(other.x), factor));
  }
}

/** With the control key a wheel zooms, and so does a pinch on a touchpad; sideways it moves the time. */
function useWheel(latest: RefObject<Fall>, list: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const turn = (event: WheelEvent): void => {
      const { current } = latest;
      if (current === null) return;
      const { view, scale, layout, setView } = current;
      const size = view.to - view.from;
      const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        const x = event.clientX - element.getBoundingClientRect().left - layout.names;
        const place = view.from + (Math.min(Math.max(0, x), scale.width) / scale.width) * size;
        setView(zoomed(view, place, 2 ** (-event.deltaY / WHEEL)));
      } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY) && size < 1)
        setView(panned(view, (sideways / scale.width) * size));
      else return;
      event.preventDefault();
    };
    // Without this a browser may zoom the page before it asks.
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, [latest, list]);
}
