import { editDistance } from "./edit-distance.js";

/** The known name that someone may have meant by an unknown one. */
export function nearestName(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const ranked = known
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : undefined;
}

/** To the whole name, or to its last part: whoever forgets the group has still named the setting. */
function distanceTo(word: string, name: string): number {
  return Math.min(editDistance(word, name), editDistance(lastPart(word), lastPart(name)));
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
