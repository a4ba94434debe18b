import type { ComponentChildren, Ref, VNode } from "preact";
import { useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { BLOCK, blockCount, blocksBetween, piecesOf, spaceBetween } from "./window-blocks.js";

export interface WindowedHandle {
  /** Brings a row into view, if it is not. */
  show: (row: number) => void;
}

export interface WindowedProps {
  rows: number;
  label: string;
  class: string;
  /** Digits of the longest number. */
  digits: number;
  /** Rows that stay on the page wherever it is scrolled to. */
  pinned: readonly number[];
  handle: Ref<WindowedHandle>;
  renderRow: (row: number) => ComponentChildren;
  /** The end is near. */
  onEnd: () => void;
  children?: ComponentChildren;
}

/** Drawn above and below what is seen, in pixels. */
const MARGIN = 600;
const FIRST_GUESS = 20;

/** A box that scrolls, and holds only those of its rows that are near what is seen. */
export function Windowed({
  rows,
  label,
  pinned,
  handle,
  renderRow,
  onEnd,
  children,
  digits,
  ...box
}: WindowedProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const heights = useRef({ known: new Map<number, number>(), row: FIRST_GUESS });
  const [shown, setShown] = useState({ first: 0, last: 1 });

  const look = (): void => {
    const element = place.current;
    if (element === null) return;
    measure(element, heights.current);
    const next = blocksBetween(rows, heights.current, {
      top: element.scrollTop - MARGIN,
      bottom: element.scrollTop + element.clientHeight + MARGIN,
    });
    if (next.first !== shown.first || next.last !== shown.last) setShown(next);
    if (next.last >= blockCount(rows) - 1) onEnd();
  };
  // Wrapped lines are higher than others.
  useMemo(() => heights.current.known.clear(), [box.class]);
  useLayoutEffect(look);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    // Another width wraps lines elsewhere, so that what was measured no longer holds.
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== width) heights.current.known.clear();
      width = element.clientWidth;
      setShown((now) => ({ ...now }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useImperativeHandle(handle, () => ({ show: (row: number) => show(place.current, { row, rows }, heights.current) }));

  const pieces = piecesOf(rows, heights.current, { ...shown, pinned: pinned.map((row) => Math.floor(row / BLOCK)) });
  return (
    <div
      class={box.class}
      style={{ "--digits": digits }}
      ref={place}
      onScroll={look}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <div class="code-rows">
        {pieces.map((piece) =>
          piece.kind === "space" ? (
            <div key={`space ${piece.block}`} style={{ height: `${piece.height}px` }} />
          ) : (
            <div key={piece.block} data-block={piece.block}>
              {rowsOf(piece.block, rows).map((row) => renderRow(row))}
            </div>
          ),
        )}
      </div>
      {children}
    </div>
  );
}

function rowsOf(block: number, rows: number): number[] {
  const first = block * BLOCK;
  return Array.from({ length: Math.min(BLOCK, rows - first) }, (_value, n) => first + n);
}

function measure(element: HTMLElement, heights: { known: Map<number, number>; row: number }): void {
  for (const block of element.querySelectorAll<HTMLElement>("[data-block]")) {
    heights.known.set(Number(block.dataset["block"]), block.offsetHeight);
    const row = block.firstElementChild;
    if (row instanceof HTMLElement && row.offsetHeight > 0 && heights.known.size === 1) heights.row = row.offsetHeight;
  }
}

function show(
  element: HTMLDivElement | null,
  { row, rows }: { row: number; rows: number },
  heights: { known: Map<number, number>; row: number },
): void {
  if (element === null) return;
  const drawn = element.querySelector(`[data-row="${row}"]`);
  if (drawn !== null) drawn.scrollIntoView({ block: "nearest", inline: "nearest" });
  else {
    const block = Math.floor(row / BLOCK);
    const top = spaceBetween({ from: 0, to: block }, rows, heights) + (row % BLOCK) * heights.row;
    element.scrollTop = top - element.clientHeight / 2;
  }
}
