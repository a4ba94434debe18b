import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { codeProblems } from "../../tools/doc-code.mjs";

const schema = JSON.parse(
  fs.readFileSync(new URL("../../packages/sdk/config.schema.json", import.meta.url), "utf8"),
) as object;

function check(language: string, code: string): string {
  const problems = codeProblems(`\n\`\`\`${language}\n${code}\n\`\`\`\n`, { schema });
  return problems.map(({ line, what }) => `${line} ${what}`).join("\n");
}

describe("D1: code and data of a page", () => {
  it.each([
    ["js", 'import { defineTask } from "x";\nawait defineTask();'],
    ["js", "const answer = await ctx.breakpoint({});\nif (!answer.approved) return;"],
    ["js", 'retry: { attempts: 4 }, shell: "true"'],
    ["ts", "export function f(x: number): string;"],
    ["json", '{ "limits": { "maxIterations": 3 } }'],
    ["json", '{ "limits": … , "$schema": "x" }'.replace("…", '{ "maxIterations": 3 }')],
    ["json", '{ "other": { "maxIterations": …, "x": "…" } }'],
    ["yaml", "a:\n  - run: babysitter"],
    ["", "anything {"],
  ])("%s that is right: %j", (language, code) => {
    expect(check(language, code)).toBe("");
  });

  it.each([
    ["js", "const x = ;", /^2 This does not parse: /u],
    ["js", "const x: number = 3;", /^2 This does not parse: /u],
    ["ts", "const x: = 3", /^2 This does not parse: /u],
    ["typescript", "const x = 3", /^2 Write bash, .*, ts, yaml or nothing, not typescript/u],
    ["json", "{ a: 1 }", /^2 This is no JSON: /u],
    ["json", '{ "limits": {}, "limitz": 1 }', /^2 As a configuration .*: #\/limitz There is no such setting/u],
    ["json", '{ "driver": { "concurency": 1 } }', /^2 .*#\/driver\/concurency There is no such/u],
    ["json", '{ "driver": { "concurrency": "many" } }', /^2 .*: #\/driver\/concurrency .*type/u],
    ["yaml", "a:\n\t b: [c", /^2 This is no YAML: /u],
  ])("%s that is wrong: %j", (language, code, message) => {
    expect(check(language, code)).toMatch(message);
  });
});
