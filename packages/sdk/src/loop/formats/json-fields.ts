/** Fields of a JSON document from another program: each has the expected type, or yields a problem in words. */
import { isJsonObject, type Json, type JsonObject } from "../../model/json.js";
import { shownLine } from "../../model/shown-text.js";
import type { Problem } from "../rules/criterion-text.js";

export interface JsonFields {
  /** The first thing that is wrong. */
  problem: () => string | undefined;
  has: (name: string) => boolean;
  text: (name: string) => string;
  texts: (name: string) => string[];
  flag: (name: string) => boolean;
  /** A number from 0 on; whole unless said otherwise. */
  amount: (name: string, form?: "whole" | "any") => number;
  object: (name: string) => JsonFields;
}

/** Reads a document; what it is called stands in the problem. */
export function parseFields(text: string, what: string): JsonFields | Problem {
  let document: Json;
  try {
    document = JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text) as Json;
  } catch (cause) {
    const why = shownLine(cause instanceof Error ? cause.message : String(cause), 200);
    return { problem: `${what} is not JSON: ${why}`, hint: "It was not changed. Fix it, or start a new loop." };
  }
  if (isJsonObject(document)) return fieldsOf(document, "", []);
  return { problem: `${what} must contain an object, not ${nameOf(document)}.`, hint: "It was not changed." };
}

/** Missing and null are the same as empty; whoever needs a value asks with `has`. */
function fieldsOf(document: JsonObject, prefix: string, problems: string[]): JsonFields {
  const valueOf = (name: string): Json => (Object.hasOwn(document, name) ? (document[name] ?? null) : null);
  const read = <T>(name: string, words: string, empty: T, isRight: (value: Json) => boolean): T => {
    const value = valueOf(name);
    if (value === null) return empty;
    if (isRight(value)) return value as T;
    problems.push(`"${prefix}${name}" must be ${words}, not ${nameOf(value)}.`);
    return empty;
  };
  return {
    problem: () => problems[0],
    has: (name) => valueOf(name) !== null,
    text: (name) => read(name, "a string", "", (value) => typeof value === "string"),
    texts: (name) => read<string[]>(name, "a list of strings", [], isTexts),
    flag: (name) => read(name, "true or false", false, (value) => typeof value === "boolean"),
    amount: (name, form = "whole") =>
      read(name, `a ${form === "whole" ? "whole " : ""}number of at least 0`, 0, isAmount[form]),
    object: (name) => fieldsOf(read<JsonObject>(name, "an object", {}, isJsonObject), `${prefix}${name}.`, problems),
  };
}

const isAmount = {
  whole: (value: Json): boolean => Number.isSafeInteger(value) && (value as number) >= 0,
  any: (value: Json): boolean => Number.isFinite(value) && (value as number) >= 0,
};

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function nameOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value))
    return value.some((item) => typeof item !== "string") ? "a list with other values" : "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "a string" : String(value);
}
