/** A canvas that shows shapes, and paints them anew when they, its size or the colours change. */
import type { ReadonlySignal } from "@preact/signals";
import type { CSSProperties } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Shape } from "./drawing.js";
import { type Colours, coloursOf, paint } from "./paint.js";

interface PaintedProps {
  shapes: readonly Shape[];
  width: number;
  height: number;
  theme: ReadonlySignal<number>;
  style?: CSSProperties;
}

export function Painted({ shapes, width, height, theme, style = {} }: PaintedProps) {
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
      style={{ ...style, width: `${width}px`, height: `${height}px` }}
    />
  );
}
