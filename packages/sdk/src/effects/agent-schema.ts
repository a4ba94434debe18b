/** Checks an answer against the JSON Schema of its task, which anyone may have written. */
import { dereference, type OutputUnit, type Schema, type SchemaDraft, validate } from "@cfworker/json-schema";
import { copyJson, isJsonObject, type Json } from "../model/json.js";
import { forEachSchema, problemsInSchema } from "./agent-schema-shape.js";

/** Tells what is wrong with a value, each with its JSON pointer; an empty list is good. */
export type SchemaCheck = (value: Json) => string[];

/** Visits of subschemas that a check may take: a few lists of references, nested, can ask for billions. */
const VISITS_AT_LEAST = 100_000;
const VISITS_PER_VALUE = 20;
const MAX_PROBLEMS = 10;
const MAX_PROBLEM = 300;

/** Rejects an invalid schema immediately, before any agent works on it. `whole` is what problems call the value. */
export function compileAgentSchema(source: Json, whole = "the answer"): { check: SchemaCheck } | { problem: string } {
  const [problem] = problemsInSchema(source);
  if (problem !== undefined) return { problem };
  const schema = copyJson(source) as Schema | boolean;
  const visits = new VisitCounter();
  try {
    forEachSchema(schema, dropExamples);
    visits.count(schema);
    const lookup = dereference(schema);
    const missing = firstUnresolved(lookup);
    if (missing !== undefined)
      return { problem: `$ref ${missing} is not in the schema, and schemas are never fetched` };
    const draft = draftOf(source);
    const run: Run = (value, untilFirst) => {
      visits.restart(VISITS_AT_LEAST + VISITS_PER_VALUE * countValues(value));
      return validate(value, schema, draft, lookup, untilFirst).errors;
    };
    // What refers to itself without end mostly does so for every value.
    run(null, true);
    return { check: (value) => checkWith(run, value, whole) };
  } catch (error) {
    return { problem: sayWhy(error) };
  }
}

type Run = (value: Json, untilFirst: boolean) => OutputUnit[];

function checkWith(run: Run, value: Json, whole: string): string[] {
  let errors: OutputUnit[];
  try {
    errors = run(value, true);
  } catch (error) {
    return [`it cannot be checked: ${sayWhy(error)}`];
  }
  if (errors.length === 0) return [];
  try {
    errors = run(value, false);
  } catch {
    // Too many to collect; the first ones will do.
  }
  return renderProblems(errors, whole);
}

function sayWhy(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply or refers to itself endlessly";
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

/**
 * The validator has no limit of its own. It reads `$recursiveAnchor` whenever it visits a schema, so every
 * object of the schema gets one that counts. It is not enumerable, so nothing else sees it.
 */
class VisitCounter {
  #left = 0;

  restart(limit: number): void {
    this.#left = limit;
  }

  count(node: Json): void {
    if (typeof node !== "object" || node === null) return;
    for (const field of Object.values(node)) this.count(field);
    if (!isJsonObject(node) || Object.hasOwn(node, "$recursiveAnchor")) return;
    Object.defineProperty(node, "$recursiveAnchor", { get: () => this.#visit(), enumerable: false });
  }

  #visit(): undefined {
    this.#left -= 1;
    if (this.#left < 0) throw new Error("checking it takes too many steps");
  }
}

function countValues(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, field) => sum + countValues(field), 1);
}

/** Examples are not schemas, but the validator would take an `id` in them as a schema's name. */
function dropExamples(node: Record<string, Json>): void {
  for (const keyword of ["example", "examples", "default"]) delete node[keyword];
}

function firstUnresolved(lookup: Readonly<Record<string, Schema | boolean>>): string | undefined {
  for (const schema of Object.values(lookup)) {
    if (typeof schema === "boolean" || schema.$ref === undefined) continue;
    if (lookup[schema.__absolute_ref__ ?? schema.$ref] === undefined) return schema.$ref;
  }
  return undefined;
}

function draftOf(schema: Json): SchemaDraft {
  const { $schema } = isJsonObject(schema) ? schema : {};
  const named = typeof $schema === "string" ? $schema : "";
  if (named.includes("draft-04")) return "4";
  if (named.includes("draft-06") || named.includes("draft-07")) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

/** They only say that there is a problem further in, which is told too. */
const SUMMARIES = new Set(["$ref", "allOf", "if", "items", "prefixItems", "additionalItems", "properties"]);
for (const keyword of ["patternProperties", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"])
  SUMMARIES.add(keyword);

function renderProblems(errors: readonly OutputUnit[], whole: string): string[] {
  const exact = errors.filter(({ keyword }) => !SUMMARIES.has(keyword));
  const lines = [...new Set((exact.length === 0 ? errors : exact).map((unit) => renderProblem(unit, whole)))];
  const more = lines.length - MAX_PROBLEMS;
  return more > 0 ? [...lines.slice(0, MAX_PROBLEMS), `and ${more} more`] : lines;
}

function renderProblem({ instanceLocation, keyword, error }: OutputUnit, whole: string): string {
  const what = keyword === "false" ? "must not be present" : error.replace(/\.$/u, "");
  const text = `${pointerOf(instanceLocation, whole)}: ${what}`;
  return text.length > MAX_PROBLEM ? `${text.slice(0, MAX_PROBLEM)}…` : text;
}

/** The validator writes pointers as URI fragments. */
function pointerOf(fragment: string, whole: string): string {
  const pointer = fragment.replace(/^#/u, "");
  if (pointer === "") return whole;
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
