/** Puts spans side by side: each goes to the first lane that is free when it begins. */
export function lanesOf(spans: readonly { from: number; to?: number }[], end: number): number[] {
  const freeFrom: number[] = [];
  return spans.map(({ from, to = end }) => {
    const free = freeFrom.findIndex((at) => at <= from);
    const lane = free === -1 ? freeFrom.length : free;
    // What began and ended at the same time still takes its place.
    freeFrom[lane] = Math.max(to, from + 1);
    return lane;
  });
}
