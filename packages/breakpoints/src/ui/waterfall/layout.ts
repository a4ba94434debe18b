/** How the picture is laid out, and which of its rows are on the page. In pixels. Pure. */

/** A row per step, or a row for steps that are not at the same time. */
export type RowMode = "steps" | "lanes";

export interface Layout {
  isNarrow: boolean;
  /** Of the column with the names, which is 0 where they stand above their bars. */
  names: number;
  /** From the beginning of the time that is shown to its end. */
  chart: number;
  row: number;
  /** Inside of a row. */
  bar: { top: number; height: number };
}

const NARROW_REM = 40;
/** Right of the last moment, so that what stands there can be seen. */
export const MARGIN = 16;

export function layoutOf({ width, rem, mode }: { width: number; rem: number; mode: RowMode }): Layout {
  const isNarrow = width < NARROW_REM * rem;
  const names = isNarrow || mode === "lanes" ? 0 : Math.round(Math.min(22 * rem, Math.max(14 * rem, width * 0.28)));
  const [row, top, height] = mode === "lanes" ? [2.75, 1.625, 0.75] : isNarrow ? [4.25, 3.125, 0.75] : [2.75, 0.875, 1];
  return {
    isNarrow,
    names,
    chart: Math.max(1, width - names - MARGIN),
    row: Math.round(row * rem),
    bar: { top: Math.round(top * rem), height: Math.round(height * rem) },
  };
}

export interface RowWindow {
  first: number;
  /** The row after the last one. */
  end: number;
}

/** Windows begin and end with blocks, so that most scrolling changes nothing. */
const BLOCK = 8;

/** The rows that are seen between two heights, and some around them. */
export function windowOf(rows: number, row: number, seen: { top: number; bottom: number }): RowWindow {
  const first = Math.max(0, Math.floor(seen.top / row / BLOCK) - 1) * BLOCK;
  const end = (Math.ceil(Math.max(0, seen.bottom) / row / BLOCK) + 1) * BLOCK;
  return { first: Math.min(first, Math.max(0, rows - 1)), end: Math.min(rows, end) };
}

/** How far a box has to be scrolled so that a row is seen in it, and no further. `head` covers its upper end. */
export function scrollShowing(
  row: number,
  rowHeight: number,
  box: { top: number; height: number; head: number },
): number {
  const [begin, end] = [row * rowHeight, (row + 1) * rowHeight];
  const room = Math.max(rowHeight, box.height - box.head);
  if (begin < box.top) return begin;
  return end > box.top + room ? end - room : box.top;
}
