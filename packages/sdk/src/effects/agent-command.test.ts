import { describe, expect, it } from "vitest";
import { BabysitterError } from "../model/errors.js";
import { type PlaceholderValues, parseAgentCommand, renderAgentCommand, usesPlaceholder } from "./agent-command.js";

const VALUES: PlaceholderValues = {
  promptFile: "/t/prompt.md",
  outputFile: "/t/answer.json",
  schemaFile: "/t/schema.json",
  effectId: "e1",
  runId: "r1",
  title: "Say $HOME",
  cwd: "/p q",
  model: "big-1",
};

const rendered = (text: string, values: Partial<PlaceholderValues> = {}): string[] =>
  renderAgentCommand(parseAgentCommand(text), { ...VALUES, ...values });

function refusal(text: string): BabysitterError {
  try {
    parseAgentCommand(text);
  } catch (error) {
    if (BabysitterError.is(error)) return error;
  }
  throw new Error(`${text} was not refused`);
}

describe("a command line", () => {
  it("is split as a shell would, and nothing in it is expanded", () => {
    expect(rendered("  claude -p\t--flag\n x ")).toEqual(["claude", "-p", "--flag", "x"]);
    expect(rendered(`a 'b c' "d e" f\\ g 'h'"i"j '' ""`)).toEqual(["a", "b c", "d e", "f g", "hij", "", ""]);
    expect(rendered(`a "x\\"y\\\\z\\n\\$" 'p\\q"' $HOME * ~ \`date\``)).toEqual([
      "a",
      'x"y\\z\\n$',
      'p\\q"',
      "$HOME",
      "*",
      "~",
      "`date`",
    ]);
    expect(rendered("a \\\n b")).toEqual(["a", "", "b"]);
  });

  it("with an unbalanced quote is refused, wherever the quote is", () => {
    for (const text of ["a 'b", 'a "b', 'a "b\\"', "it's", "a b\\"]) {
      expect(refusal(text)).toMatchObject({ code: "USAGE" });
    }
    expect(refusal("claude 'x y").message).toContain("unbalanced quote: 'x y");
  });

  it("that is empty is refused", () => {
    for (const text of ["", "  ", "''", "[]", '[""]']) expect(refusal(text).message).toContain("is empty");
  });

  it("with operators of a shell is refused, unless they are quoted", () => {
    for (const operator of ["|", "&&", ";", ">", "2>&1", "<"]) {
      expect(refusal(`claude ${operator} x`).hint).toContain("sh -c");
    }
    expect(rendered("claude '|' \\; '>'")).toEqual(["claude", "|", ";", ">"]);
  });
});

describe("a JSON array", () => {
  it("is taken as it is", () => {
    expect(rendered('["a b", "$x", "\'", ""]')).toEqual(["a b", "$x", "'", ""]);
  });

  it("of anything but strings is refused", () => {
    for (const text of ["[1]", '["a", null]', '["a"', "[x]"]) expect(refusal(text)).toMatchObject({ code: "USAGE" });
  });
});

describe("placeholders", () => {
  it("become one argument each, whatever is in their value", () => {
    expect(
      rendered("run {promptFile} --out={outputFile} {schemaFile} {effectId}/{runId} {title} {cwd} {model}"),
    ).toEqual(["run", "/t/prompt.md", "--out=/t/answer.json", "/t/schema.json", "e1/r1", "Say $HOME", "/p q", "big-1"]);
    expect(rendered('["{cwd}/agent", "\'{title}\'"]')).toEqual(["/p q/agent", "'Say $HOME'"]);
  });

  it("are not looked for in values", () => {
    expect(rendered("run {title}", { title: "{model} {{" })).toEqual(["run", "{model} {{"]);
  });

  it("are escaped by a second brace", () => {
    expect(rendered(`run '{{"a":{{"b":"{effectId}"}}' {{{runId}}`)).toEqual(["run", '{"a":{"b":"e1"}}', "{r1}"]);
    expect(rendered("run {{model} }")).toEqual(["run", "{model}", "}"]);
  });

  it("that nobody knows are refused, with those that are known", () => {
    for (const text of ["run {prompt}", "run {}", "run {model", "run a{b", "run {toString}", "{x}"]) {
      const { code, hint } = refusal(text);
      expect(code).toBe("USAGE");
      for (const name of Object.keys(VALUES)) expect(hint).toContain(`{${name}}`);
    }
  });

  it("without a value vanish together with their flag", () => {
    const none = { model: undefined, schemaFile: undefined };
    expect(rendered("run --model {model} -p", none)).toEqual(["run", "-p"]);
    expect(rendered("run -m {model} -p", none)).toEqual(["run", "-p"]);
    expect(rendered("run --model={model} -p", none)).toEqual(["run", "-p"]);
    expect(rendered("run --schema {schemaFile} --model {model}", none)).toEqual(["run"]);
    expect(rendered("run --model {model} -p")).toEqual(["run", "--model", "big-1", "-p"]);
  });

  it("without a value take nothing else along", () => {
    const none = { model: undefined };
    expect(rendered("run exec {model} x", none)).toEqual(["run", "exec", "x"]);
    expect(rendered("run - {model}", none)).toEqual(["run", "-"]);
    expect(rendered("run -- {model}", none)).toEqual(["run", "--"]);
    expect(rendered("run --a=b {model}", none)).toEqual(["run", "--a=b"]);
    expect(rendered("run -x {model} {model}", none)).toEqual(["run"]);
    expect(rendered("run -y -x {model} {model}", none)).toEqual(["run", "-y"]);
    expect(rendered("run a{model}b", none)).toEqual(["run", "ab"]);
  });

  it("are known by name", () => {
    const command = parseAgentCommand("run --prompt={promptFile} {{outputFile}");
    expect(usesPlaceholder(command, "promptFile")).toBe(true);
    expect(usesPlaceholder(command, "outputFile")).toBe(false);
  });
});
