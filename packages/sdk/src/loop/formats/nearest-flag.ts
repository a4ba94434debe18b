import { editDistance } from "../../model/edit-distance.js";

/** The flag that someone may have meant: one that the word is a part of, or the one with the fewest changes. */
export function nearestFlag(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase().replaceAll("_", "-").slice(0, 40);
  const part = wanted.length >= 4 ? known.find((name) => name.includes(wanted)) : undefined;
  const [best] = known
    .map((name) => ({ name, changes: editDistance(wanted, name) }))
    .toSorted((a, b) => a.changes - b.changes);
  const isNear = best !== undefined && best.changes <= Math.max(1, Math.floor(wanted.length / 3));
  return isNear ? best.name : part;
}
