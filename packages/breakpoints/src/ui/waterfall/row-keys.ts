/** Which step a key leads to. Pure. */

const PAGE = 10;

export function rowAfterKey(key: string, row: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    PageUp: row - PAGE,
    PageDown: row + PAGE,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return next === undefined ? undefined : Math.min(Math.max(0, next), Math.max(0, count - 1));
}
