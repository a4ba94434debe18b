import { BabysitterError, recordCause } from "./errors.js";
import { jsonLosses } from "./json-losses.js";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** True for plain JSON objects (not arrays, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Walks only as far down as it has to. */
export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((field) => isDeeperThan(field, levels - 1));
}

/**
 * A value as it will look after a round trip through the journal: `undefined` becomes null, Dates
 * become ISO strings, functions vanish.
 */
export function toJson(value: unknown, what: string): Json {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
    if (holdsError(value)) text = JSON.stringify(value, errorsWithMessages);
  } catch (cause) {
    throw notJson(what, cause, value);
  }
  if (text !== undefined && isNestedDeeper(text, DEEPEST_VALUE)) throw notJson(what, new RangeError(TOO_DEEP));
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** An error has nothing that JSON would see; what it says is kept. */
function errorsWithMessages(_key: string, value: unknown): unknown {
  if (!(value instanceof Error) || typeof (value as { toJSON?: unknown }).toJSON === "function") return value;
  const { name, message } = value;
  return {
    name,
    message,
    ...defined({ cause: recordCause(value.cause) }),
    ...Object.fromEntries(Object.entries(value)),
  };
}

/** Only asked about values that JSON can hold otherwise, and so have an end. */
function holdsError(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > DEEPEST_VALUE) return false;
  return value instanceof Error || Object.values(value).some((part) => holdsError(part, depth + 1));
}

/** How deep a value may be nested: deeper ones cannot be compared, checked or written without a risk for the stack. */
export const DEEPEST_VALUE = 1_000;
const TOO_DEEP = `it is nested more than ${DEEPEST_VALUE} levels deep`;
/** Our own documents have values in them. */
const DEEPEST_DOCUMENT = DEEPEST_VALUE + 24;

/** The value of a text that others may have written; throws when it is not JSON, or nested too deep. */
export function parseJson(text: string): Json {
  if (isNestedDeeper(text, DEEPEST_DOCUMENT)) throw new RangeError(TOO_DEEP);
  return JSON.parse(text) as Json;
}

/** Takes time in proportion to the text; what follows an unfinished string is not looked at. */
function isNestedDeeper(text: string, levels: number): boolean {
  if (text.length <= levels * 2) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
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
    throw BabysitterError.is(cause) ? cause : notJson(what, cause, value);
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

function notJson(what: string, cause: unknown, value?: unknown): BabysitterError {
  const found = jsonLosses(value).find(({ what: loss }) => loss.startsWith("a BigInt") || loss.startsWith("an object"));
  const place = found === undefined || found.path === "" ? "" : ` (${found.path} is ${found.what})`;
  const why = `${cause instanceof Error ? cause.message.split("\n")[0] : String(cause)}${place}`;
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
