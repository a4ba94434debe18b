/** The numbers by which a person in a chat names questions. They do not shift under their hands. */

export interface NumberedQuestion {
  id: string;
  n: number;
}

/** So many that are closed keep their numbers, for whoever still looks at an old list. */
const CLOSED_KEPT = 20;

/** Those that are about to be shown have numbers afterwards. While nothing is open it begins with 1 again. */
export function withNumbers(
  known: readonly NumberedQuestion[],
  shown: readonly string[],
  isOpen: (id: string) => boolean,
): NumberedQuestion[] {
  const closed = known.filter(({ id }) => !isOpen(id));
  const isAnew = closed.length === known.length && !shown.some((id) => known.some((one) => one.id === id));
  const gone = new Set((isAnew ? closed : closed.slice(0, -CLOSED_KEPT)).map(({ id }) => id));
  const kept = known.filter(({ id }) => !gone.has(id));
  for (const id of new Set(shown)) {
    if (kept.some((one) => one.id === id)) continue;
    const used = new Set(kept.map(({ n }) => n));
    let n = 1;
    while (used.has(n)) n += 1;
    kept.push({ id, n });
  }
  return kept;
}

export function numberOf(known: readonly NumberedQuestion[], id: string): number | undefined {
  return known.find((one) => one.id === id)?.n;
}

/** What was remembered, as far as it is as it was written. */
export function readNumbers(value: unknown): NumberedQuestion[] {
  return (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    const { id, n } = (one ?? {}) as { id?: unknown; n?: unknown };
    return typeof id === "string" && Number.isSafeInteger(n) ? [{ id, n: n as number }] : [];
  });
}
