/** How a value is shown piece by piece. Pure. */

/** Of a list or an object, at first. */
export const MOST_CHILDREN = 100;
const LONGEST_STRING = 400;

export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function childrenOf(value: object, most: number): { children: [string, unknown][]; left: number } {
  if (Array.isArray(value)) {
    const children = value.slice(0, most).map((child, index): [string, unknown] => [String(index), child]);
    return { children, left: value.length - children.length };
  }
  const keys = Object.keys(value);
  const shown = keys.slice(0, most);
  return {
    children: shown.map((key) => [key, (value as Record<string, unknown>)[key]]),
    left: keys.length - shown.length,
  };
}

export function sizeWords(value: object): string {
  const isList = Array.isArray(value);
  const count = isList ? value.length : Object.keys(value).length;
  if (count === 0) return isList ? "[ ]" : "{ }";
  const noun = isList ? "item" : "field";
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A character of two halves is not cut in the middle. */
export function cutString(text: string, longest = LONGEST_STRING): { shown: string; left: number } {
  if (text.length <= longest) return { shown: text, left: 0 };
  const half = text.charCodeAt(longest - 1);
  const end = half >= 0xd800 && half <= 0xdbff ? longest - 1 : longest;
  return { shown: text.slice(0, end), left: text.length - end };
}

/** Something in the journal: here, or elsewhere when it is long. */
export type Stored = { value: unknown; bytes?: number } | { blob: string; bytes: number };

export function storedIn(payload: unknown, field: string): Stored | undefined {
  const stored = isContainer(payload) ? (payload as Record<string, unknown>)[field] : undefined;
  if (!isContainer(stored)) return undefined;
  if ("value" in stored || "blob" in stored) return stored as Stored;
  return undefined;
}

/** All of it is here. */
export function isWhole(stored: Stored): stored is { value: unknown } {
  return "value" in stored && stored.bytes === undefined;
}
