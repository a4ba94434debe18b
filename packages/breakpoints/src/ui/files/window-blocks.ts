/** Which part of a long list is on the page: whole blocks of rows, with space in place of all others. */

/** Rows in a block: small enough to draw quickly, large enough that scrolling seldom has to. */
export const BLOCK = 40;

export interface BlockHeights {
  /** Blocks that were on the page, as high as they were there. */
  known: ReadonlyMap<number, number>;
  /** What one row of all others takes. */
  row: number;
}

export type Piece = { kind: "block"; block: number } | { kind: "space"; block: number; height: number };

export function blockCount(rows: number): number {
  return Math.ceil(rows / BLOCK);
}

function heightOf(block: number, rows: number, { known, row }: BlockHeights): number {
  return known.get(block) ?? Math.min(BLOCK, rows - block * BLOCK) * row;
}

/** The blocks between two heights, both included. */
export function blocksBetween(
  rows: number,
  heights: BlockHeights,
  { top, bottom }: { top: number; bottom: number },
): { first: number; last: number } {
  const count = blockCount(rows);
  let first = 0;
  let at = 0;
  while (first < count - 1) {
    const height = heightOf(first, rows, heights);
    if (at + height > top) break;
    at += height;
    first += 1;
  }
  let last = first;
  while (last < count - 1) {
    at += heightOf(last, rows, heights);
    if (at >= bottom) break;
    last += 1;
  }
  return { first, last };
}

/** What stands on the page, from top to bottom. Pinned blocks stay: someone is typing there, or has the focus. */
export function piecesOf(
  rows: number,
  heights: BlockHeights,
  shown: { first: number; last: number; pinned: readonly number[] },
): Piece[] {
  const count = blockCount(rows);
  const blocks = new Set(shown.pinned.filter((block) => block >= 0 && block < count));
  for (let block = shown.first; block <= Math.min(shown.last, count - 1); block += 1) blocks.add(block);
  const pieces: Piece[] = [];
  let next = 0;
  for (const block of [...[...blocks].toSorted((a, b) => a - b), count]) {
    const height = spaceBetween({ from: next, to: block }, rows, heights);
    if (height > 0) pieces.push({ kind: "space", block: next, height });
    if (block < count) pieces.push({ kind: "block", block });
    next = block + 1;
  }
  return pieces;
}

/** The height of the blocks from one up to, and without, another. */
export function spaceBetween({ from, to }: { from: number; to: number }, rows: number, heights: BlockHeights): number {
  let height = 0;
  for (let block = from; block < to; block += 1) height += heightOf(block, rows, heights);
  return height;
}
