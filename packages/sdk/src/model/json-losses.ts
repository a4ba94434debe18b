/** What JSON cannot hold: what a value would lose on its way through the journal, and where. */

/** A part of a value that is not recorded as it is. */
export interface JsonLoss {
  /** Such as `.list[3].when`; empty for the value itself. */
  path: string;
  what: string;
}

/** Named in one warning; more are counted. */
const MAX_NAMED = 5;
/** A value with more parts than this is not looked at to its end. */
const MAX_PARTS = 100_000;

/** The losses of a value. A field that is undefined is no loss: JSON has no such fields. */
export function jsonLosses(value: unknown): JsonLoss[] {
  const losses: JsonLoss[] = [];
  const above = new Set<object>();
  let parts = 0;
  const look = (part: unknown, path: string, inList: boolean): void => {
    parts += 1;
    if (parts > MAX_PARTS) return;
    const what = lossOf(part, inList) ?? (isObject(part) && above.has(part) ? "an object that contains it" : undefined);
    if (what !== undefined) losses.push({ path, what });
    if (!isObject(part) || above.has(part) || isOpaque(part)) return;
    above.add(part);
    if (Array.isArray(part)) for (const [index, item] of part.entries()) look(item, `${path}[${index}]`, true);
    else for (const [key, field] of Object.entries(part)) look(field, path + keyText(key), false);
    above.delete(part);
  };
  look(value, "", false);
  return losses;
}

/** The losses in words, after a noun such as "The arguments of …"; undefined when there are none. */
export function describeLosses(value: unknown): string | undefined {
  const losses = jsonLosses(value);
  if (losses.length === 0) return undefined;
  const named = losses
    .slice(0, MAX_NAMED)
    .map(({ path, what }) => (path === "" ? `the value is ${what}` : `${path} is ${what}`));
  const more = losses.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** What is lost of a part itself, whatever it contains. */
export function lossOf(part: unknown, inList: boolean): string | undefined {
  if (isObject(part)) return objectLoss(part);
  if (typeof part === "number") return Number.isFinite(part) ? undefined : `${part} (recorded as null)`;
  if (typeof part === "bigint") return "a BigInt";
  if (typeof part === "undefined") return inList ? "undefined (recorded as null)" : undefined;
  if (typeof part !== "function" && typeof part !== "symbol") return undefined;
  return `a ${typeof part} (${inList ? "recorded as null" : "left out"})`;
}

function objectLoss(part: object): string | undefined {
  if (part instanceof Date) return Number.isNaN(part.getTime()) ? "an invalid date (recorded as null)" : undefined;
  // It says itself what it is in JSON; errors are recorded with their message.
  if (isOpaque(part) || Array.isArray(part)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(part);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const { name } = (part as { constructor?: { name?: unknown } }).constructor ?? {};
  const kind = typeof name === "string" && name !== "" ? name : "a class";
  const isEmpty = Object.keys(part).length === 0;
  return `an instance of ${kind} (recorded as ${isEmpty ? "{}" : "a plain object"})`;
}

function isOpaque(part: object): boolean {
  return part instanceof Error || typeof (part as { toJSON?: unknown }).toJSON === "function";
}

function isObject(part: unknown): part is object {
  return typeof part === "object" && part !== null;
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
