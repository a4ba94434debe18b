/** A canvas that shows shapes, and paints them anew when they, its size or the colours change. */
import type { ReadonlySignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Shape } from "./drawing.js";
import { type Colours, coloursOf, paint } from "./paint.js";

interface PaintedProps {
  shapes: readonly Shape[];
  width: number;
  height: number;
  theme: ReadonlySignal<number>;
  /** Where it stands, if that is not the beginning of what it stands in. */
  top?: number;
  left?: number;
}

export function Painted({ shapes, width, height, theme, top = 0, left = 0 }: PaintedProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useRef<{ version: number; are: Colours } | undefined>(undefined);
  const version = theme.value;
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    // Reading them makes the browser lay out the page.
    if (colours.current?.version !== version) colours.current = { version, are: coloursOf(element) };
    paint(element, shapes, { width, height }, colours.current.are);
  }, [shapes, width, height, version]);
  return (
    <canvas
      ref={canvas}
      class="fall-canvas"
      aria-hidden="true"
      style={{ top: `${top}px`, left: `${left}px`, width: `${width}px`, height: `${height}px` }}
    />
  );
}
