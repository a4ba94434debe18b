import { expect, it } from "vitest";
import { BLOCK, blocksBetween, piecesOf } from "./window-blocks.js";

const heights = { known: new Map<number, number>(), row: 20 };
const HIGH = BLOCK * 20;

it("draws the blocks that are seen, and space as high as all others", () => {
  const rows = 10 * BLOCK;
  const shown = blocksBetween(rows, heights, { top: 2.5 * HIGH, bottom: 4.5 * HIGH });
  expect(shown).toEqual({ first: 2, last: 4 });
  expect(piecesOf(rows, heights, { ...shown, pinned: [] })).toEqual([
    { kind: "space", block: 0, height: 2 * HIGH },
    { kind: "block", block: 2 },
    { kind: "block", block: 3 },
    { kind: "block", block: 4 },
    { kind: "space", block: 5, height: 5 * HIGH },
  ]);
});

it("believes what was measured", () => {
  const known = { known: new Map([[0, 10 * HIGH]]), row: 20 };
  expect(blocksBetween(10 * BLOCK, known, { top: 5 * HIGH, bottom: 6 * HIGH })).toEqual({ first: 0, last: 0 });
});

it("keeps pinned blocks on the page, and none that do not exist", () => {
  expect(piecesOf(4 * BLOCK + 1, heights, { first: 0, last: 0, pinned: [3, 9] })).toEqual([
    { kind: "block", block: 0 },
    { kind: "space", block: 1, height: 2 * HIGH },
    { kind: "block", block: 3 },
    { kind: "space", block: 4, height: 20 },
  ]);
  expect(piecesOf(0, heights, { first: 0, last: 1, pinned: [0] })).toEqual([]);
});

it("shows the end when it is scrolled past", () => {
  expect(blocksBetween(3 * BLOCK, heights, { top: 1e9, bottom: 2e9 })).toEqual({ first: 2, last: 2 });
  expect(blocksBetween(0, heights, { top: 0, bottom: 100 })).toEqual({ first: 0, last: 0 });
});
