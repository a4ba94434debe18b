import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { words } from "../../hosts/claude-code/words.js";
import type { TypedVerb } from "../../hosts/host.js";
import { type LoopTerms, noTerms } from "../../loop/formats/loop-terms.js";
import { type SlashRequest, slashRequest } from "./slash-request.js";

function asked(verb: TypedVerb, args: string): SlashRequest {
  return slashRequest({ verb, args });
}

function termsOf(terms: Partial<LoopTerms>): LoopTerms {
  return { ...noTerms(), ...terms };
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
  test("L1: any characters in the prompt: it is taken byte for byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (prompt) => {
        fc.pre(prompt.trim() !== "");
        expect(asked("babysit", `-- ${prompt}`)).toEqual({ kind: "start", prompt, terms: noTerms() });
      }),
    );
  });

  test.each(["--", "-x", "--json", "=", "a\0b", "--prompt=x", "$(touch x)`y`;>z", "'\"\\", "\n\n  x\t\n"])(
    "L1: any characters in the prompt: %j",
    (prompt) => {
      expect(asked("babysit", `-- ${prompt}`)).toMatchObject({ kind: "start", prompt });
    },
  );

  test("every flag becomes a term, and nothing else does", () => {
    expect(
      asked(
        "babysit",
        `Do it --max-iterations 0 --completion-promise 'ALL "OK"' --criteria 'tests: npm test -- --run' --criteria "lint: a: b"
         --fast-criteria 'types: tsc' --must-not 'leak: grep -r KEY .' --claim '--nice--' --step 'one = 1' --step two
         --protect 'tests/**' --budget-usd 0.000001 --budget-tokens 999999999999999 --max-time 90s --review-every 3
         --criteria-timeout 5m --shape colleague`,
      ),
    ).toEqual({
      kind: "start",
      prompt: "Do it",
      terms: {
        completionPromise: 'ALL "OK"',
        criteria: [
          { id: "tests", command: "npm test -- --run" },
          { id: "lint", command: "a: b" },
        ],
        fastCriteria: [{ id: "types", command: "tsc" }],
        mustNot: [{ id: "leak", command: "grep -r KEY ." }],
        claims: ["--nice--"],
        steps: ["one = 1", "two"],
        protect: ["tests/**"],
        shape: "colleague",
        criterionTimeoutMs: 300_000,
        limits: { iterations: 0, usd: 0.000001, tokens: 999_999_999_999_999, wallMs: 90_000, reviewEvery: 3 },
      },
    });
  });
});

describe("a process", () => {
  test("has its inputs, a prompt, and everything that was agreed on", () => {
    expect(asked("babysit", "Release it --process p/release.mjs#go --inputs in.json --max-iterations 9")).toEqual({
      kind: "process",
      entry: "p/release.mjs#go",
      inputs: "in.json",
      prompt: "Release it",
      terms: termsOf({ limits: { iterations: 9 } }),
    });
  });

  test("cannot read inputs from the host's stdin", () => {
    expect(asked("babysit", "--process p.mjs --inputs -")).toMatchObject({ kind: "say" });
  });
});

describe("a resumption", () => {
  test("takes limits and a new promise along", () => {
    expect(asked("resume", "run-1 --max-iterations 9 --completion-promise 'NEW ONE'")).toEqual({
      kind: "resume",
      run: "run-1",
      take: false,
      terms: termsOf({ completionPromise: "NEW ONE", limits: { iterations: 9 } }),
    });
  });

  test("may lift a limit", () => {
    expect(asked("resume", "run-1 --budget-usd 0")).toMatchObject({ kind: "resume", terms: { limits: { usd: 0 } } });
  });

  test.each([
    "run-1 --take --max-iterations 9",
    " run-1\n--max-iterations 9 --take ",
    "--max-iterations 9 run-1 --take",
  ])("may take the run from another session: %j", (args) => {
    expect(asked("resume", args)).toEqual({
      kind: "resume",
      run: "run-1",
      take: true,
      terms: termsOf({ limits: { iterations: 9 } }),
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
    expect(slashRequest({ verb: "resume", args }, own)).toMatchObject({ kind: "resume", run: own });
    expect(asked("resume", args)).toMatchObject({
      kind: "say",
      text: expect.stringContaining("this session has none"),
    });
  });

  test("words inside a value take nothing", () => {
    expect(asked("resume", "run-1 --completion-promise 'I --take it --take'")).toMatchObject({
      take: false,
      terms: { completionPromise: "I --take it --take" },
    });
  });

  test("typed behind /babysit the words may have been a task; behind /babysitter:resume never", () => {
    expect(asked("babysit", "resume editing")).toMatchObject({ kind: "resume", prompt: "resume editing" });
    expect(asked("resume", "editing")).not.toHaveProperty("prompt");
  });
});

describe("what costs no model call", () => {
  test.each<[TypedVerb, string, string]>([
    ["babysit", "--help", "/babysit PROMPT [flags]"],
    ["resume", "-h", "/babysit PROMPT [flags]"],
    ["pause", "--help", "/babysit PROMPT [flags]"],
    ["babysit", "x --max-iteration 3", "Unknown flag --max-iteration."],
    ["babysit", "x --max-iterations -1", "--max-iterations"],
    ["resume", "", "No run is given"],
    ["resume", "run-1 --criteria 'a: b'", "cannot be set when a run is resumed"],
    ["pause", "run-1 and more", "takes a run ID"],
    ["cancel", "../../etc", "takes a run ID"],
    ["cancel", "a..b", "takes a run ID"],
    ["status", "--all", "takes a run ID"],
    ["doctor", "x", "takes no arguments"],
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
