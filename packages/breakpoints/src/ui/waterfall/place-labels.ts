/** Words along one line that do not run into each other. Pure. */

export interface Wanted {
  key: string;
  x: number;
  /** The longest first. */
  texts: readonly string[];
  tone?: string;
}

export interface Placed extends Omit<Wanted, "texts"> {
  text: string;
  /** Where it begins. */
  left: number;
  width: number;
}

/** Small digits and letters, on average, and what stands around them. */
const LETTER = 6.4;
const AROUND = 10;

export function widthOf(text: string): number {
  return text.length * LETTER + AROUND;
}

export interface Taken {
  left: number;
  width: number;
}

/**
 * All stay inside of the line. Whoever comes first has its place first; then, in the same order, whoever has room for
 * more words gets them.
 */
export function placeLabels(wanted: readonly Wanted[], lineWidth: number, taken: readonly Taken[] = []): Placed[] {
  const placed = new Map<string, Placed>();
  const fit = ({ key, x, tone }: Wanted, text: string): void => {
    const width = widthOf(text);
    const left = Math.min(Math.max(0, x - width / 2), lineWidth - width);
    const others = [...taken, ...placed.values()].filter((other) => other !== placed.get(key));
    if (left < 0 || others.some((other) => left < other.left + other.width && other.left < left + width)) return;
    placed.set(key, { key, x, text, left, width, ...(tone === undefined ? {} : { tone }) });
  };
  const here = wanted.filter(({ x }) => x >= 0 && x <= lineWidth);
  for (const label of here) fit(label, label.texts.at(-1) ?? "");
  for (const label of here)
    for (const text of label.texts.slice(0, -1).toReversed()) if (placed.has(label.key)) fit(label, text);
  return [...placed.values()].toSorted((a, b) => a.left - b.left);
}
