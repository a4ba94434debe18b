/** Whether a JSON Schema is one: known keywords have the values that they need. Unknown ones may be there. */
import { isDeeperThan, isJsonObject, type Json, type JsonObject } from "../model/json.js";

/** Schemas are walked by recursion, here and by the validator. */
const DEEPEST = 100;
const TYPES = new Set<Json>(["array", "boolean", "integer", "null", "number", "object", "string"]);

const isText = (value: Json): boolean => typeof value === "string";
const isTextList = (value: Json): boolean => Array.isArray(value) && value.every(isText);
const isSize = (value: Json): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber = (value: Json): boolean => typeof value === "number";
const isBound = (value: Json): boolean => isNumber(value) || typeof value === "boolean";
const isSchema = (value: Json): boolean => typeof value === "boolean" || isJsonObject(value);
const isSchemaList = (value: Json): boolean => Array.isArray(value) && value.every(isSchema);
const isSchemaMap = (value: Json): boolean => isJsonObject(value) && Object.values(value).every(isSchema);
const isTypeName = (value: Json): boolean => TYPES.has(value);

interface Shape {
  fits: (value: Json) => boolean;
  /** Follows "must be". */
  what: string;
}

function shapes(fits: Shape["fits"], what: string, ...keywords: string[]): [string, Shape][] {
  return keywords.map((keyword) => [keyword, { fits, what }]);
}

const SCHEMA_KEYWORDS = ["additionalItems", "unevaluatedItems", "contains", "additionalProperties"];
SCHEMA_KEYWORDS.push("unevaluatedProperties", "propertyNames", "not", "if", "then", "else");
const LIST_KEYWORDS = ["prefixItems", "allOf", "anyOf", "oneOf"];
const MAP_KEYWORDS = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"];

const SHAPES = new Map<string, Shape>([
  ...shapes((value) => (Array.isArray(value) ? value.every(isTypeName) : isTypeName(value)), "a type", "type"),
  ...shapes(isText, "a text", "$id", "$ref", "$anchor", "$schema", "format"),
  ...shapes(isPattern, "a regular expression", "pattern"),
  ...shapes(isTextList, "a list of names", "required"),
  ...shapes((value) => Array.isArray(value), "a list of values", "enum"),
  ...shapes(isSize, "a number of at least 0", "minLength", "maxLength", "minItems", "maxItems"),
  ...shapes(isSize, "a number of at least 0", "minProperties", "maxProperties", "minContains", "maxContains"),
  ...shapes(isNumber, "a number", "minimum", "maximum", "multipleOf"),
  ...shapes(isBound, "a number", "exclusiveMinimum", "exclusiveMaximum"),
  ...shapes((value) => typeof value === "boolean", "true or false", "uniqueItems"),
  ...shapes(isSchema, "a schema", ...SCHEMA_KEYWORDS),
  ...shapes(isSchemaList, "a list of schemas", ...LIST_KEYWORDS),
  ...shapes((value) => isSchema(value) || isSchemaList(value), "a schema", "items"),
  ...shapes(isSchemaMap, "an object of schemas", ...MAP_KEYWORDS),
  ...shapes(hasPatternNames, "an object with regular expressions as names", "patternProperties"),
  ...shapes((value) => isJsonObject(value) && Object.values(value).every(isTextList), "lists", "dependentRequired"),
  ...shapes(() => false, "omitted, because it cannot be checked", "$dynamicRef", "$recursiveRef"),
]);

/** What is wrong with it, each with a JSON pointer into the schema. */
export function problemsInSchema(schema: Json): string[] {
  if (!isSchema(schema)) return ["a schema must be an object, true or false"];
  if (isDeeperThan(schema, DEEPEST)) return [`it is nested more than ${DEEPEST} levels deep`];
  const problems: string[] = [];
  forEachSchema(schema, (node, pointer) => {
    for (const [keyword, value] of Object.entries(node)) {
      const shape = SHAPES.get(keyword);
      if (shape !== undefined && !shape.fits(value)) problems.push(`${pointer}/${keyword} must be ${shape.what}`);
    }
  });
  return problems;
}

/** Calls back for the schema and all schemas in it, outer ones first. */
export function forEachSchema(schema: Json, visit: (node: JsonObject, pointer: string) => void, pointer = ""): void {
  if (!isJsonObject(schema)) return;
  visit(schema, pointer);
  for (const [keyword, value] of Object.entries(schema)) {
    const below = `${pointer}/${keyword}`;
    if (MAP_KEYWORDS.includes(keyword) || LIST_KEYWORDS.includes(keyword)) forEachEntry(value, visit, below);
    else if (keyword === "items" && Array.isArray(value)) forEachEntry(value, visit, below);
    else if (keyword === "items" || SCHEMA_KEYWORDS.includes(keyword)) forEachSchema(value, visit, below);
  }
}

function forEachEntry(entries: Json, visit: (node: JsonObject, pointer: string) => void, pointer: string): void {
  if (typeof entries !== "object" || entries === null) return;
  for (const [key, entry] of Object.entries(entries)) forEachSchema(entry, visit, `${pointer}/${key}`);
}

function isPattern(value: Json): boolean {
  if (typeof value !== "string") return false;
  try {
    RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}

function hasPatternNames(value: Json): boolean {
  return isSchemaMap(value) && Object.keys(value as JsonObject).every(isPattern);
}
