/** Words along one line that do not run into each other. Pure. */

export interface Wanted {
  key: string;
  x: number;
  /** The longest first; the first that fits is taken. */
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

/** Whoever comes first has the choice. All stay inside of the line, in the order in which they stand there. */
export function placeLabels(wanted: readonly Wanted[], lineWidth: number): Placed[] {
  const placed: Placed[] = [];
  for (const { key, x, texts, tone } of wanted) {
    if (x < 0 || x > lineWidth) continue;
    for (const text of texts) {
      const width = widthOf(text);
      const left = Math.min(Math.max(0, x - width / 2), lineWidth - width);
      if (left < 0 || placed.some((other) => left < other.left + other.width && other.left < left + width)) continue;
      placed.push({ key, x, text, left, width, ...(tone === undefined ? {} : { tone }) });
      break;
    }
  }
  return placed.toSorted((a, b) => a.left - b.left);
}
