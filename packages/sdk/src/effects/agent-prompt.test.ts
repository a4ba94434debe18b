import { describe, expect, it } from "vitest";
import { type PromptRequest, renderAgentPrompt, renderRepairPrompt, shorten } from "./agent-prompt.js";

const promptOf = (request: Partial<PromptRequest>): string =>
  renderAgentPrompt({
    title: "Review",
    definition: {},
    args: null,
    schema: undefined,
    outputFile: undefined,
    ...request,
  });

const headings = (prompt: string): string[] => prompt.split("\n").filter((line) => line.startsWith("#"));

describe("the prompt of an agent task", () => {
  it("reads like this", () => {
    const args = { file: "a.ts" };
    const prompt = promptOf({
      definition: {
        kind: "agent",
        title: "Review",
        description: "Look at one file.",
        labels: ["x"],
        agent: {
          name: "reviewer",
          prompt: {
            outputFormat: "JSON with a verdict",
            role: "a careful reader",
            task: "Review the file",
            context: args,
            instructions: ["Read it", "Say what\nyou think"],
            qualityBar: "high",
          },
          outputSchema: { type: "object" },
          tools: ["Read"],
        },
        metadata: { phase: 2 },
      },
      args,
      schema: { type: "object" },
    });
    expect(prompt).toBe(`# Review

Look at one file.

You work as the agent **reviewer**.

## Role

a careful reader

## Task

Review the file

## Context

\`\`\`json
{
  "file": "a.ts"
}
\`\`\`

## Instructions

1. Read it
2. Say what
   you think

## Output format

JSON with a verdict

## Quality bar

high

## Tools

1. Read

## Metadata

\`\`\`json
{
  "phase": 2
}
\`\`\`

## How to answer

Answer with one JSON value that is valid against this JSON Schema:

\`\`\`json
{
  "type": "object"
}
\`\`\`

Print it last, with nothing after it.
`);
  });

  it("has a text as the task itself, and the arguments when they are not said elsewhere", () => {
    const prompt = promptOf({ definition: { agent: { prompt: "Do it" } }, args: { a: [1] } });
    expect(headings(prompt)).toEqual(["# Review", "## Task", "## Arguments", "## How to answer"]);
    expect(prompt).toContain("Do it");
    expect(prompt).toContain('"a": [');
    expect(prompt).toContain("one JSON value.");
  });

  it("tells a skill its name, its facts and its instructions", () => {
    const context = { files: 3, instructions: ["1. one", "2. two"], outputFormat: "JSON" };
    const prompt = promptOf({ definition: { kind: "skill", skill: { name: "tidy", context } } });
    expect(prompt).toContain("Use the skill **tidy**.");
    expect(headings(prompt)).toEqual([
      "# Review",
      "## Context",
      "## Instructions",
      "## Output format",
      "## How to answer",
    ]);
    expect(prompt).toContain("1. one\n2. two");
    expect(prompt).toContain('"files": 3');
  });

  it("loses nothing that it does not know", () => {
    const definition = {
      agent: { prompt: { odd_thing: 7, flag: false, list: [1, "a"] }, more: { deep: "x" } },
      extra: "y",
    };
    const prompt = promptOf({ definition });
    expect(headings(prompt)).toEqual([
      "# Review",
      "## Odd thing",
      "## Flag",
      "## List",
      "## More",
      "## Extra",
      "## How to answer",
    ]);
    for (const text of ["\n7\n", "\nfalse\n", '"a"', '"deep": "x"', "\ny\n"]) expect(prompt).toContain(text);
  });

  it("keeps from the agent what is for the executor", () => {
    const hidden = { model: "m-1", cwd: "dir", timeoutMs: 987, env: { A: "b" } };
    const prompt = promptOf({
      definition: { agent: { prompt: "Do it", ...hidden }, execution: hidden, io: { out: "z" }, ...hidden },
    });
    expect(headings(prompt)).toEqual(["# Review", "## Task", "## How to answer"]);
  });

  it("takes a mere name, an empty task and a title of several lines", () => {
    expect(promptOf({ definition: { agent: "helper" } })).toContain("the agent **helper**");
    expect(headings(promptOf({ title: "one\n# two" }))).toEqual(["# one # two", "## How to answer"]);
  });

  it("keeps values with fences in them inside their own", () => {
    const prompt = promptOf({ args: { code: "```js\n````" } });
    expect(prompt).toMatch(/^`{5}json\n[^]*?^`{5}$/mu);
  });

  it("names the file for the answer", () => {
    const prompt = promptOf({ outputFile: "/t/answer.json" });
    expect(prompt).toContain("`/t/answer.json`");
    expect(prompt).toContain("last message");
  });
});

describe("the prompt of a second try", () => {
  it("is the first one, the refused answer and what was wrong with it", () => {
    const first = promptOf({ args: { a: 1 } });
    const prompt = renderRepairPrompt(first, { answer: '{"x": "```"}', problems: ["/x: no", "/y: missing"] });
    expect(prompt.startsWith(first.trimEnd())).toBe(true);
    expect(prompt).toContain('````\n{"x": "```"}\n````');
    expect(prompt).toContain("- /x: no\n- /y: missing");
    expect(renderRepairPrompt(first, { answer: "", problems: ["none"] })).toContain("It was empty.");
  });

  it("has both ends of an answer that is too long", () => {
    expect(shorten("abc", 3)).toBe("abc");
    const text = shorten(`${"a".repeat(500)}${"z".repeat(500)}`, 30);
    expect(text).toBe(`${"a".repeat(10)}\n[… 970 characters omitted …]\n${"z".repeat(20)}`);
  });
});
