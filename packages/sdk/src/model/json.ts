import { BabysitterError } from "./errors.js";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** True for plain JSON objects (not arrays, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A value as it will look after a round trip through the journal: `undefined` becomes null, Dates
 * become ISO strings, functions vanish.
 */
export function toJson(value: unknown, what: string): Json {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw notJson(what, cause);
  }
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** A copy that shares nothing with its source. */
export function copyJson<T extends Json>(value: T): T {
  return typeof value === "object" && value !== null ? (JSON.parse(JSON.stringify(value)) as T) : value;
}

/** JSON text with object keys in sorted order: equal values give equal text. */
export function canonicalJson(value: unknown, what: string): string {
  try {
    return canonical(value, "", []) ?? "null";
  } catch (cause) {
    throw BabysitterError.is(cause) ? cause : notJson(what, cause);
  }
}

function canonical(value: unknown, key: string, path: object[]): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return canonical(toJSON.call(value, key), key, path);
  if (path.includes(value)) throw new TypeError("the value contains itself");
  path.push(value);
  const text = Array.isArray(value)
    ? canonicalArray(value, path)
    : canonicalObject(value as Record<string, unknown>, path);
  path.pop();
  return text;
}

function canonicalArray(items: unknown[], path: object[]): string {
  return `[${items.map((item, index) => canonical(item, String(index), path) ?? "null").join(",")}]`;
}

function canonicalObject(fields: Record<string, unknown>, path: object[]): string {
  const parts: string[] = [];
  for (const key of Object.keys(fields).toSorted()) {
    const text = canonical(fields[key], key, path);
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(",")}}`;
}

function notJson(what: string, cause: unknown): BabysitterError {
  const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
  return new BabysitterError("VALUE_NOT_JSON", `${what} cannot be recorded as JSON: ${why}`, {
    hint: "Pass plain data: objects, arrays, strings, numbers, booleans, null.",
    cause,
  });
}

/** A type whose fields that may be undefined are optional instead. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The fields that have a value: absent and undefined must not differ, because JSON knows only absent. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
