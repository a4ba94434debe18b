/** Results that nobody has worked for: what a task might answer, going by what its definition says about that. */
import { isJsonObject, type Json, type JsonObject } from "../model/json.js";
import type { NewRequest } from "../replay/call.js";

/** Feedback of a rejection that is only played. */
const REJECTION = "Rejected by process:check";
/** References and properties are followed this far. */
const MAX_DEPTH = 8;
const MAX_ITEMS = 20;

/**
 * The value that an effect is resolved with.
 * @param nth how many requests for the same task came before: a loop that waits for another answer gets one
 */
export function inventResult(request: NewRequest, { nth, rejects }: { nth: number; rejects: boolean }): Json {
  const definition = isJsonObject(request.definition) ? request.definition : {};
  const schema = outputSchemaOf(definition);
  switch (request.kind) {
    case "breakpoint":
      return rejects ? { approved: false, feedback: REJECTION } : { approved: true, ...chosenOption(definition) };
    case "sleep":
      return null;
    case "hook":
      return { hookType: request.taskId.slice("hook/".length), success: true, executedHooks: [] };
    case "shell":
      return schema === undefined
        ? { success: true, exitCode: 0, signal: null, stdout: "", stderr: "" }
        : inventValue(schema, nth);
    default:
      return schema === undefined ? {} : inventValue(schema, nth);
  }
}

/** Where the definition describes its result, if it does. */
export function outputSchemaOf(definition: JsonObject): JsonObject | undefined {
  return [definition, definition["agent"], definition["skill"]]
    .map((part) => (isJsonObject(part) ? part["outputSchema"] : undefined))
    .find(isJsonObject);
}

function chosenOption(definition: JsonObject): JsonObject {
  const { payload } = isJsonObject(definition["breakpoint"]) ? definition["breakpoint"] : {};
  const options = isJsonObject(payload) ? payload["options"] : undefined;
  const [first] = Array.isArray(options) ? options : [];
  const name = isJsonObject(first) ? (first["value"] ?? first["id"] ?? first["label"]) : first;
  return typeof name === "string" ? { option: name } : {};
}

/** Where a schema stands that a value is invented for. */
interface Place {
  nth: number;
  /** Of the field. */
  name: string;
  root: Json;
  depth: number;
}

/** A value that fits a JSON Schema, as far as it can be told without solving it. */
function inventValue(schema: Json, nth: number): Json {
  return valueAt(schema, { nth, name: "text", root: schema, depth: 0 });
}

function valueAt(schema: Json, at: Place): Json {
  if (!isJsonObject(schema) || at.depth > MAX_DEPTH) return {};
  const next = (inner: Json, name = at.name): Json => valueAt(inner, { ...at, name, depth: at.depth + 1 });
  return givenValue(schema, at.nth) ?? combinedValue(schema, at, next) ?? typedValue(schema, at, next);
}

type Next = (inner: Json, name?: string) => Json;

/** What the schema says itself. */
function givenValue(schema: JsonObject, nth: number): Json | undefined {
  const { examples, enum: values } = schema;
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(examples) && examples.length > 0) return examples[Math.min(nth, examples.length - 1)];
  if (schema["default"] !== undefined) return schema["default"];
  return Array.isArray(values) && values.length > 0 ? values[nth % values.length] : undefined;
}

/** Of a choice, the first. */
function combinedValue(schema: JsonObject, { root }: Place, next: Next): Json | undefined {
  const { $ref: reference, oneOf, anyOf, allOf } = schema;
  if (typeof reference === "string") return next(pointed(root, reference));
  for (const choice of [oneOf, anyOf]) if (Array.isArray(choice) && choice.length > 0) return next(choice[0] as Json);
  if (!Array.isArray(allOf)) return undefined;
  const parts = [...allOf, { ...schema, allOf: null }].map((part) => next(part));
  return Object.assign({}, ...parts.filter(isJsonObject)) as JsonObject;
}

function typedValue(schema: JsonObject, { nth, name }: Place, next: Next): Json {
  switch (typeOf(schema)) {
    case "object":
      return inventObject(schema, next);
    case "array":
      return inventItems(schema, nth, next);
    case "string":
      return inventText(schema, name);
    case "number":
    case "integer":
      return inventNumber(schema, nth);
    case "boolean":
      return nth % 2 === 0;
    case "null":
      return null;
    default:
      return {};
  }
}

/** Without null, as long as there is something else. */
function typeOf({ type, properties, items }: JsonObject): string {
  const named = Array.isArray(type) ? (type.find((one) => one !== "null") ?? "null") : type;
  if (typeof named === "string") return named;
  if (properties !== undefined) return "object";
  return items === undefined ? "" : "array";
}

function inventObject(schema: JsonObject, next: Next): JsonObject {
  const { properties, required } = schema;
  const named = isJsonObject(properties) ? properties : {};
  const bare = Array.isArray(required) ? required.filter((field) => typeof field === "string") : [];
  return Object.fromEntries(
    [...new Set([...Object.keys(named), ...bare])].map((field) => [field, next(named[field] ?? {}, field)]),
  );
}

/** One item, then none, so that whoever works until nothing is left comes to an end. */
function inventItems(schema: JsonObject, nth: number, next: Next): Json[] {
  const { prefixItems, items, minItems, maxItems } = schema;
  const fixed = Array.isArray(prefixItems) ? prefixItems.slice(0, MAX_ITEMS).map((item) => next(item)) : [];
  const least = Math.max(typeof minItems === "number" ? minItems : 0, nth % 2 === 0 ? 1 : 0);
  const count = Math.min(least, typeof maxItems === "number" ? maxItems : MAX_ITEMS, MAX_ITEMS) - fixed.length;
  return [...fixed, ...Array.from({ length: Math.max(0, count) }, () => next(items ?? {}))];
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00.000Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  email: "somebody@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** A text is called like its field, so that people see in the tree where it came from. */
function inventText(schema: JsonObject, name: string): string {
  const { format, minLength, maxLength } = schema;
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const text = known ?? name.padEnd(typeof minLength === "number" ? Math.min(minLength, 1_000) : 0, ".");
  return typeof maxLength === "number" ? text.slice(0, maxLength) : text;
}

/** The best of a scale, else a small number; a loop that waits for more or less gets it. */
function inventNumber(schema: JsonObject, nth: number): number {
  const bound = (name: string, offset: number): number | undefined => {
    const [plain, exclusive] = [schema[name], schema[`exclusive${name[0]?.toUpperCase()}${name.slice(1)}`]];
    if (typeof plain === "number") return plain;
    return typeof exclusive === "number" ? exclusive + offset : undefined;
  };
  const [least, most] = [bound("minimum", 1), bound("maximum", -1)];
  const wanted = [least !== undefined && most !== undefined ? most : 1, 100, 0][nth % 3] as number;
  return Math.min(Math.max(wanted, least ?? -Infinity), most ?? Infinity);
}

/** What `#/definitions/x` means in the schema itself. */
function pointed(root: Json, reference: string): Json {
  if (!reference.startsWith("#")) return {};
  const keys = reference.slice(1).split("/").slice(1);
  return keys.reduce<Json>((at, key) => {
    const field = key.replaceAll("~1", "/").replaceAll("~0", "~");
    return isJsonObject(at) && Object.hasOwn(at, field) ? (at[field] as Json) : {};
  }, root);
}
