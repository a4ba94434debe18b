import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BabysitterError } from "../model/errors.js";
import { parseConfigFile, type Tier } from "./config-file.js";
import { parseJsonText, valueOf } from "./json-text.js";

function refusal(text: string, tier: Tier = "team"): BabysitterError {
  try {
    parseConfigFile(text, { file: "/p/config.json", tier });
  } catch (error) {
    return error as BabysitterError;
  }
  throw new Error("the file was accepted");
}

const parse = (text: string, tier: Tier = "team") => [
  ...parseConfigFile(text, { file: "/p/config.json", tier }).settings,
];

describe("a configuration file", () => {
  it("C23: its settings are read with their lines, and $schema is allowed", () => {
    const text = `\uFEFF{
  "$schema": "./config.schema.json",
  "driver": {
    "concurrency": 8,
    "agentCommand": ["claude", "-p"]
  },
  "checks": [{ "name": "test", "command": "npm test" }]
}\r\n`;
    expect(parse(text)).toEqual([
      ["driver.concurrency", { value: 8, line: 4 }],
      ["driver.agentCommand", { value: ["claude", "-p"], line: 5 }],
      ["checks", { value: [{ name: "test", command: "npm test" }], line: 7 }],
    ]);
    expect(parse("{}", "person")).toEqual([]);
  });

  it.each([
    ["a misspelt key", '{\n  "driver": { "concurency": 4 }\n}', '2:15: "driver.concurency"', "driver.concurrency"],
    ["a misspelt group", '{ "drivers": {} }', '1:3: "drivers"', "driver"],
    ["a key without its group", '{ "maxIterations": 4 }', '1:3: "maxIterations"', "limits.maxIterations"],
    ["a key in another group", '{ "driver": { "timeoutMs": 4 } }', '1:15: "driver.timeoutMs"', "tasks.timeoutMs"],
    [
      "a key with a dot",
      '{ "driver.concurrency": 4 }',
      '1:3: "driver.concurrency"',
      'driver.concurrency? Write it as { "driver"',
    ],
    ["capitals", '{ "CHECKS": [] }', '1:3: "CHECKS"', "checks"],
  ])("C23: %s is refused with the nearest known one", (_, text, start, near) => {
    const error = refusal(text);
    expect(error).toMatchObject({ code: "CONFIG_INVALID", exitCode: 2 });
    expect(error.message).toBe(`/p/config.json:${start} is not a setting.`);
    expect(error.hint).toContain(`Did you mean ${near}`);
  });

  it.each(["telemetry", "__proto__", "constructor", "toString", "xyzzy", ""])(
    "C23: the key %j is unknown, and all known ones are named",
    (key) => {
      const error = refusal(`{ ${JSON.stringify(key)}: true }`);
      expect(error.message).toContain(`"${key}" is not a setting.`);
      expect(error.hint).toContain("Known settings: driver.concurrency, driver.agentCommand");
    },
  );

  it.each([
    ['{ "driver": { "concurrency": "4" } }', '1:30: "driver.concurrency" is "4"; it must be a whole number'],
    ['{ "driver": { "concurrency": 0 } }', "a whole number from 1 to 1000"],
    ['{ "driver": { "concurrency": 2.5 } }', "a whole number from 1 to 1000"],
    ['{ "driver": { "concurrency": null } }', '"driver.concurrency" is null'],
    ['{ "driver": { "agentCommand": [] } }', "a command line, or a list"],
    ['{ "driver": { "agentCommand": [\n"a",\n 7] } }', "3:2: "],
    ['{ "driver": { "agentCommand": "" } }', "a command line, or a list"],
    ['{ "driver": 4 }', '"driver" is 4; it must be an object with "concurrency", "agentCommand".'],
    ['{ "breakpoints": { "policy": "yes" } }', "ask, approve or reject"],
    ['{ "breakpoints": { "answers": "maybe" } }', "open or bound"],
    ['{ "limits": { "maxIterations": -1 } }', "0 is no limit"],
    ['{ "limits": { "budgetUsd": 0 } }', "a number above 0"],
    ['{ "checks": [{ "name": "a", "command": "b" }, { "name": "c" }] }', "1:47: "],
    ['{ "checks": [{ "name": "a", "command": "b", "x": 1 }] }', "it must be a list such as"],
    ['{ "checks": [{ "name": "a", "command": "b" }, { "name": "a", "command": "c" }] }', "with unique names"],
    ['{ "checks": {} }', "it must be a list such as"],
    ['{ "$schema": 1 }', '"$schema" is 1; it must be a string.'],
    ["[]", "1:1: The file must contain an object"],
    ['"text"', "1:1: The file must contain an object"],
  ])("C23: a value of another kind is refused: %s", (text, message) => {
    const error = refusal(text);
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(message);
  });

  it("C23: settings that belong elsewhere say where", () => {
    const hooks = refusal('{ "hooks": { "enabled": false } }');
    expect(hooks.message).toContain('"hooks.enabled" cannot be set in the team file.');
    expect(hooks.hint).toContain("--no-hooks or BABYSITTER_HOOKS_ENABLED");
    const checks = refusal('{ "checks": [] }', "person");
    expect(checks.message).toContain("cannot be set in the personal file");
    expect(checks.hint).toContain(".a5c/config.json");
  });

  it("C23: everything that is wrong is told at once", () => {
    const error = refusal('{\n "driver": { "concurrency": "x" },\n "limit": {}\n}');
    expect(error.message.split("\n").map((line) => line.split(": ")[0])).toEqual([
      "/p/config.json:2:29",
      "/p/config.json:3:2",
    ]);
    expect(error.details).toMatchObject({
      file: "/p/config.json",
      problems: [
        { key: "driver.concurrency", line: 2, column: 29 },
        { key: "limit", line: 3, column: 2, hint: "Did you mean limits?" },
      ],
    });
  });

  it.each([
    ["a comma at the end", '{\n  "driver": {\n    "concurrency": 4,\n  }\n}', "3:21", "unexpected comma before }"],
    ["a comma at the end of a list", '{ "checks": [1,] }', "1:15", "unexpected comma before ]"],
    ["a comment", '{\n  // mine\n  "driver": {} }', "2:3", "comments are not allowed in JSON"],
    ["a comment at the end", '{ "driver": {} } /* x */', "1:18", "comments are not allowed in JSON"],
    ["a comment of a shell", "# mine\n{}", "1:1", "comments are not allowed in JSON"],
    ["single quotes", "{ 'driver': {} }", "1:3", "expected a key in double quotes, not a single quote"],
    ["a bare key", "{ driver: {} }", "1:3", 'expected a key in double quotes, not "driver"'],
    ["a bare word", '{ "driver": yes }', "1:13", 'expected a value, not "yes"'],
    ["a number with a zero in front", '{ "a": 007 }', "1:8", 'expected a value, not "007"'],
    ["NaN", '{ "a": NaN }', "1:8", 'expected a value, not "NaN"'],
    ["no colon", '{ "a" 1 }', "1:7", 'expected a colon after "a", not "1"'],
    ["no comma", '{ "a": 1 "b": 2 }', "1:10", 'expected a comma or }, not "\\""'],
    ["an end too early", '{ "driver": {', "1:14", "expected a key in double quotes, not the end of the file"],
    ["a string without end", '{ "driver', "1:3", "a string is not closed"],
    ["an unknown escape", '{ "\\x": 1 }', "1:3", "an invalid escape"],
    ["something behind the end", "{} {}", "1:4", '"{" after the end'],
    [
      "the same key twice",
      '{ "driver": {},\n "driver": {} }',
      "2:2",
      'the key "driver" appears twice, first on line 1',
    ],
    ["nothing", "  \n", "2:1", "the file is empty"],
    ["too many brackets", "[".repeat(10_000), "1:52", "nested too deep"],
  ])("C23: %s is shown with line and column", (_, text, place, problem) => {
    const error = refusal(text);
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(`/p/config.json:${place}: Not valid JSON: `);
    expect(error.message).toContain(problem);
  });

  it("any JSON means what it means everywhere", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2, "\t"), (text, indent) => {
        const written = JSON.stringify(JSON.parse(text), null, indent);
        expect(JSON.stringify(valueOf(parseJsonText(written)))).toBe(JSON.stringify(JSON.parse(written)));
      }),
    );
  });

  it("no other text is taken for JSON", () => {
    const signs = "{}[]:, \n\t\"'\\ab01.-+eu/*#".split("");
    const piece = fc.constantFrom(...signs, "true", "null", '"a"', "1e5", "\u0007");
    const taken = (work: () => unknown): boolean => {
      try {
        work();
        return true;
      } catch (error) {
        // Only hand-written files are held to naming a key once.
        return String(error).includes("stands twice");
      }
    };
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      return taken(() => parseJsonText(text)) === taken(() => JSON.parse(text) as unknown);
    });
    expect(fc.check(property, { numRuns: 2000 }).counterexample).toBeNull();
  });
});
