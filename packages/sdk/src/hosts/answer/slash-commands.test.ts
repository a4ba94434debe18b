import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COMMANDS, type CommandSpec } from "../../cli/grammar/command-table.js";
import { parseDuration } from "../../cli/grammar/durations.js";
import type { Options } from "../../cli/grammar/invocation.js";
import { parseArguments } from "../../cli/grammar/parse-arguments.js";
import { words } from "../claude-code/words.js";
import type { TypedVerb } from "../host.js";
import { type CommandLine, type SlashRequest, slashRequest } from "./slash-commands.js";

const SESSION = ["--session-id=s-1", "--harness=claude-code"];

function asked(verb: TypedVerb, args: string): SlashRequest {
  return slashRequest({ verb, args }, SESSION);
}

function lineOf(args: string): CommandLine {
  const request = asked("babysit", args);
  if (request.kind !== "start" && request.kind !== "process") throw new Error(JSON.stringify(request));
  return request.line;
}

/** What the command line says, read as the command reads it. */
function readBack([name, ...rest]: CommandLine): Options {
  const start = COMMANDS.find((spec) => spec.name === "loop:start") as CommandSpec;
  const spec = COMMANDS.find((candidate) => candidate.name === name) as CommandSpec;
  return parseArguments({ ...spec, options: { ...start.options, ...spec.options } }, rest).options;
}

describe("names of slash commands", () => {
  test.each([
    ["babysit", "babysit"],
    ["babysitter:babysit", "babysit"],
    ["babysitter:resume", "resume"],
    ["babysitter:cancel", "cancel"],
    ["resume", undefined],
    ["status", undefined],
    ["other:babysit", undefined],
    ["babysitter:babysitter-score", undefined],
    ["babysitter:", undefined],
    ["babysitter:constructor", undefined],
    ["Babysit", undefined],
  ])("%s is %s", (name, verb) => {
    expect(words.verbNamed(name)).toBe(verb);
  });

  test.each([
    ["/babysit", true],
    ["/babysit Fix it", true],
    ["/babysitter:status", true],
    ["/babysit\nFix it", true],
    ["/babysitters", false],
    ["babysit it", false],
    ["Type /babysit", false],
    ["/status", false],
    ["", false],
  ])("the prompt %j is ours: %s", (prompt, isOurs) => {
    expect(words.verbTyped(prompt) !== undefined).toBe(isOurs);
  });
});

describe("a start", () => {
  test("L1: any characters in the prompt: it comes back from the command line byte for byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (prompt) => {
        fc.pre(prompt.trim() !== "");
        expect(readBack(lineOf(`-- ${prompt}`)).text("prompt")).toBe(prompt);
      }),
    );
  });

  test.each(["--", "-x", "--json", "=", "a\0b", "--prompt=x", "$(touch x)`y`;>z", "'\"\\", "\n\n  x\t\n"])(
    "L1: any characters in the prompt: %j",
    (prompt) => {
      expect(readBack(lineOf(`-- ${prompt}`)).text("prompt")).toBe(prompt);
    },
  );

  test("every flag reaches the command, and nothing else does", () => {
    const line = lineOf(
      `Do it --max-iterations 0 --completion-promise 'ALL "OK"' --criteria 'tests: npm test -- --run' --criteria "lint: a: b"
       --must-not 'leak: grep -r KEY .' --claim '--nice--' --step 'one = 1' --step two --protect 'tests/**'
       --budget-usd 0.000001 --budget-tokens 999999999999999 --max-time 90s --shape colleague`,
    );
    const options = readBack(line);
    const one = Object.fromEntries(
      ["max-iterations", "completion-promise", "budget-usd", "budget-tokens", "max-time", "shape"].map((name) => [
        name,
        options.text(name),
      ]),
    );
    expect(one).toEqual({
      "max-iterations": "0",
      "completion-promise": 'ALL "OK"',
      "budget-usd": "0.000001",
      "budget-tokens": "999999999999999",
      "max-time": "90s",
      shape: "colleague",
    });
    expect(options.texts("criteria")).toEqual(["tests: npm test -- --run", "lint: a: b"]);
    expect(options.texts("must-not")).toEqual(["leak: grep -r KEY ."]);
    expect(options.texts("claim")).toEqual(["--nice--"]);
    expect(options.texts("step")).toEqual(["one = 1", "two"]);
    expect(options.texts("protect")).toEqual(["tests/**"]);
    expect([options.text("session-id"), options.text("harness")]).toEqual(["s-1", "claude-code"]);
    expect(lineOf("Do it")).toEqual(["loop:start", "--prompt=Do it", ...SESSION]);
  });

  test("a time that was typed in any unit is the same time on the command line", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom("s", "m", "h", "d", "w"), (amount, unit) => {
        const typed = `${amount}${unit}`;
        const said = readBack(lineOf(`x --max-time ${typed}`)).text("max-time") ?? "";
        expect(parseDuration(said)).toBe(parseDuration(typed));
      }),
    );
  });
});

describe("a process", () => {
  test("goes to run:create, with everything that was agreed on", () => {
    const request = asked("babysit", "Release it --process p/release.mjs#go --inputs in.json --max-iterations 9");
    expect(request).toEqual({
      kind: "process",
      entry: "p/release.mjs#go",
      hasContract: true,
      line: [
        "run:create",
        "--entry=p/release.mjs#go",
        "--inputs=in.json",
        "--prompt=Release it",
        "--max-iterations=9",
        ...SESSION,
      ],
    });
    expect(asked("babysit", "--process p.mjs")).toMatchObject({ hasContract: false });
  });

  test("cannot read inputs from the host's stdin", () => {
    expect(asked("babysit", "--process p.mjs --inputs -")).toMatchObject({ kind: "say" });
  });
});

describe("a resumption", () => {
  test("takes limits along; a new promise is a change of the contract", () => {
    expect(asked("resume", "run-1 --max-iterations 9 --completion-promise 'NEW ONE'")).toEqual({
      kind: "resume",
      run: "run-1",
      line: ["run:resume", "run-1", "--max-iterations=9", ...SESSION],
      bind: ["session:resume", "run-1", "--max-iterations=9", "--completion-promise=NEW ONE", ...SESSION],
      amend: ["loop:amend", "run-1", "--completion-promise=NEW ONE", ...SESSION],
    });
  });

  test.each([
    "run-1 --take --max-iterations 9",
    " run-1\n--max-iterations 9 --take ",
    "--max-iterations 9 run-1 --take",
  ])("may take the run from another session: %j", (args) => {
    expect(asked("resume", args)).toMatchObject({
      line: ["run:resume", "run-1", "--max-iterations=9", ...SESSION, "--take"],
      bind: ["session:resume", "run-1", "--max-iterations=9", ...SESSION, "--take"],
    });
  });

  test("may take it behind /babysit as well, where the words are no task then", () => {
    expect(asked("babysit", " resume run-1 --take --max-iterations 9")).toEqual(
      asked("resume", "run-1 --take --max-iterations 9"),
    );
    expect(asked("babysit", "resume the work --take care")).toMatchObject({ kind: "say" });
    expect(asked("babysit", "-- resume run-1 --take")).toMatchObject({ kind: "start" });
  });

  test.each(["", " ", "--take", "--max-iterations 9"])("%j without a run means the session's own", (args) => {
    const own = "/somewhere/.a5c/runs/run-1";
    expect(slashRequest({ verb: "resume", args }, SESSION, own)).toMatchObject({ kind: "resume", run: own });
    expect(asked("resume", args)).toMatchObject({
      kind: "say",
      text: expect.stringContaining("this session has none"),
    });
  });

  test("words inside of a value take nothing", () => {
    expect(asked("resume", "run-1 --completion-promise 'I --take it --take'")).toMatchObject({
      line: ["run:resume", "run-1", ...SESSION],
      amend: ["loop:amend", "run-1", "--completion-promise=I --take it --take", ...SESSION],
    });
  });

  test("typed behind /babysit the words may have been a task; behind /babysitter:resume never", () => {
    expect(asked("babysit", "resume editing")).toMatchObject({
      kind: "resume",
      otherwise: ["loop:start", "--prompt=resume editing", ...SESSION],
    });
    expect(asked("resume", "editing")).not.toHaveProperty("otherwise");
  });
});

describe("what costs no model call", () => {
  test.each<[TypedVerb, string, string]>([
    ["babysit", "--help", "/babysit PROMPT [flags]"],
    ["resume", "-h", "/babysit PROMPT [flags]"],
    ["pause", "--help", "/babysit PROMPT [flags]"],
    ["babysit", "x --max-iteration 3", "There is no flag --max-iteration."],
    ["babysit", "x --max-iterations -1", "--max-iterations"],
    ["resume", "", "which run"],
    ["resume", "run-1 --criteria 'a: b'", "cannot be given when a run is resumed"],
    ["pause", "run-1 and more", "takes the id of a run"],
    ["cancel", "../../etc", "takes the id of a run"],
    ["cancel", "a..b", "takes the id of a run"],
    ["status", "--all", "takes the id of a run"],
    ["doctor", "x", "takes nothing"],
  ])("/%s %s", (verb, args, text) => {
    const request = asked(verb, args);
    expect(request.kind).toBe("say");
    expect(request).toHaveProperty("text", expect.stringContaining(text));
  });

  test.each<[TypedVerb, string, SlashRequest]>([
    ["babysit", " \n", { kind: "overview" }],
    ["status", "", { kind: "status" }],
    ["pause", " ", { kind: "pause" }],
    ["cancel", " run-1\n", { kind: "cancel", run: "run-1" }],
    ["doctor", "", { kind: "doctor" }],
  ])("/%s %j", (verb, args, request) => {
    expect(asked(verb, args)).toEqual(request);
  });
});
