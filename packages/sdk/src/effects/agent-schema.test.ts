import { describe, expect, it } from "vitest";
import type { Json } from "../model/json.js";
import { compileAgentSchema } from "./agent-schema.js";

function problems(schema: Json, value: Json): string[] {
  const compiled = compileAgentSchema(schema);
  if ("problem" in compiled) throw new Error(compiled.problem);
  return compiled.check(value);
}

function refusal(schema: Json): string {
  const compiled = compileAgentSchema(schema);
  return "problem" in compiled ? compiled.problem : "";
}

const REPORT: Json = {
  type: "object",
  required: ["verdict", "files"],
  additionalProperties: false,
  properties: {
    verdict: { enum: ["good", "bad"] },
    files: { type: "array", items: { type: "object", required: ["path"], properties: { path: { type: "string" } } } },
    "a b/c": { type: "integer" },
  },
};

describe("an answer", () => {
  it("that fits has no problems", () => {
    expect(problems(REPORT, { verdict: "good", files: [{ path: "x" }] })).toEqual([]);
    expect(problems(true, 1)).toEqual([]);
    expect(problems({}, null)).toEqual([]);
  });

  it("that does not fit has each problem with its place", () => {
    const found = problems(REPORT, {
      verdict: "fine",
      files: [{ path: "x" }, { path: 1 }, {}],
      "a b/c": 1.5,
      extra: 1,
    });
    expect(found).toHaveLength(5);
    expect(found[0]).toMatch(/^\/verdict: .*"good","bad"/u);
    expect(found[1]).toMatch(/^\/files\/1\/path: .*"string"/u);
    expect(found[2]).toMatch(/^\/files\/2: .*"path"/u);
    expect(found[3]).toMatch(/^\/a b~1c: .*"integer"/u);
    expect(found[4]).toBe("/extra: must not be present");
    expect(problems(REPORT, [])).toEqual([expect.stringMatching(/^the answer: .*"object"/u)]);
    expect(problems(false, [])).toEqual(["the answer: must not be present"]);
  });

  it("with very many problems has a short list of them", () => {
    const items = Array.from({ length: 150_000 }, (_, index) => `${index}`);
    const found = problems({ items: { type: "number" } }, items);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(11);
    expect(problems({ items: { type: "number" } }, items.slice(0, 50)).at(-1)).toBe("and 40 more");
  });

  it("is judged by the draft that the schema names", () => {
    const tuple = { prefixItems: [{ type: "string" }] };
    expect(problems(tuple, [1])).toHaveLength(1);
    // In draft 7 a $ref stands alone; later its neighbours count.
    const beside: Json = { $ref: "#/definitions/a", type: "string", definitions: { a: {} } };
    expect(problems(beside, 1)).toHaveLength(1);
    expect(problems({ ...beside, $schema: "http://json-schema.org/draft-07/schema#" }, 1)).toEqual([]);
  });

  it("may be as deep as answers get, for a schema that refers to itself", () => {
    const tree: Json = { type: "object", properties: { next: { $ref: "#" }, all: { items: { $ref: "#" } } } };
    let value: Json = {};
    for (let level = 0; level < 95; level += 1) value = { all: [value] };
    expect(problems(tree, value)).toEqual([]);
    expect(problems(tree, { next: { all: [{ next: 1 }] } })).toHaveLength(1);
  });
});

describe("a schema", () => {
  it("that is none is told, with the place", () => {
    expect(refusal("text")).toContain("must be an object");
    expect(refusal({ type: "strin" })).toBe("/type must be a type");
    expect(refusal({ properties: { a: { type: ["string", 1] } } })).toBe("/properties/a/type must be a type");
    expect(refusal({ properties: { a: "string" } })).toBe("/properties must be an object of schemas");
    expect(refusal({ required: "a" })).toContain("/required");
    expect(refusal({ items: { pattern: "(" } })).toContain("/items/pattern");
    expect(refusal({ patternProperties: { "(": {} } })).toContain("/patternProperties");
    expect(refusal({ anyOf: {} })).toContain("/anyOf");
    expect(refusal({ $dynamicRef: "#x" })).toContain("/$dynamicRef");
    expect(refusal({ not: { minItems: -1 } })).toContain("/not/minItems");
  });

  it("may have fields that nobody knows, and properties with the names of keywords", () => {
    const schema: Json = { "x-note": "y", properties: { type: { type: "string" }, required: { type: "boolean" } } };
    expect(problems(schema, { type: "a", required: true })).toEqual([]);
    expect(problems(schema, { type: 1 })).toHaveLength(1);
  });

  it("may have examples with ids in them", () => {
    const item: Json = { type: "object", example: { id: "same" }, default: { $id: "::" } };
    expect(problems({ properties: { a: item, b: item } }, { a: {}, b: 1 })).toHaveLength(1);
  });

  it("is not fetched from elsewhere, nor from a place that is not there", () => {
    for (const $ref of ["https://example.com/a.json", "file:///etc/passwd", "other.json", "#/$defs/none"]) {
      expect(refusal({ properties: { a: { $ref } } })).toContain(`$ref ${$ref}`);
    }
    expect(refusal({ properties: { a: { $ref: "item" } }, $defs: { i: { $id: "item", type: "string" } } })).toBe("");
  });

  it("that never ends is refused", () => {
    expect(refusal({ $ref: "#" })).toContain("endlessly");
    expect(refusal({ allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { anyOf: [{ $ref: "#" }] } } })).toContain(
      "endlessly",
    );
    let deep: Json = {};
    for (let level = 0; level < 5000; level += 1) deep = { not: deep };
    expect(refusal(deep)).toContain("levels deep");
  });

  it("that multiplies itself is given up, not waited for", () => {
    const $defs: Record<string, Json> = { d0: { type: ["string", "null"] } };
    for (let level = 1; level <= 40; level += 1) {
      const $ref = `#/$defs/d${level - 1}`;
      $defs[`d${level}`] = { allOf: [{ $ref }, { $ref }] };
    }
    expect(refusal({ $ref: "#/$defs/d40", $defs })).toContain("steps");
    expect(problems({ properties: { a: { $ref: "#/$defs/d40" } }, $defs }, { a: "x" })).toEqual([
      expect.stringContaining("cannot be checked"),
    ]);
  });
});
