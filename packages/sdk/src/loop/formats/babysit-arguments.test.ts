import { describe, expect, it } from "vitest";
import { BABYSIT_HELP } from "../texts/babysit-help.js";
import { parseBabysitArguments, parseResumeArguments } from "./babysit-arguments.js";
import { BABYSIT_FLAGS } from "./babysit-flags.js";
import { type LoopTerms, noTerms } from "./loop-terms.js";

const NONE: LoopTerms = noTerms();

function promptOf(text: string): string | undefined {
  const request = parseBabysitArguments(text);
  return request.kind === "start" ? request.prompt : undefined;
}

function optionsOf(text: string): Partial<LoopTerms> | undefined {
  const request = parseBabysitArguments(text);
  return request.kind === "start" ? request.terms : undefined;
}

function wrongWith(text: string): string {
  const request = parseBabysitArguments(text);
  return request.kind === "error" ? `${request.problem} | ${request.hint}` : `no error: ${JSON.stringify(request)}`;
}

describe("P9: --plan", () => {
  it("wants a process written for the task, whatever else is said", () => {
    expect(optionsOf("--plan Write the notes")).toEqual({ ...NONE, plan: true });
    expect(promptOf("Write the notes --plan --max-iterations 5")).toBe("Write the notes");
    expect(optionsOf("Write the notes --plan --max-iterations 5")).toMatchObject({
      plan: true,
      limits: { iterations: 5 },
    });
    expect(optionsOf("Write the notes")).not.toHaveProperty("plan");
    expect(promptOf("-- Explain what --plan does")).toBe("Explain what --plan does");
  });

  it("needs a task, and no process that is there already", () => {
    expect(wrongWith("--plan")).toContain("/babysit --plan TASK");
    expect(wrongWith("--plan --process p.mjs")).toContain("omit --plan");
    expect(wrongWith("--plann Write")).toContain("Did you mean --plan?");
    expect(BABYSIT_HELP).toContain("/babysit --plan TASK");
  });
});

describe("L1: any characters in the prompt", () => {
  const verbatim: [what: string, prompt: string][] = [
    ["apostrophes", "Don't break the tests, it's Bob's"],
    ["parentheses", "Fix (the) bug [now] {please}"],
    ["command substitution", "Build $(whoami) and ${HOME} and `rm -rf /`"],
    ["quotes", `Say "hi" and 'bye' and "unclosed`],
    ["shell characters", "a; b && c | d > e < f & g \\ h # i ! j * k ? l ~ m"],
    ["a rule of dashes", "first\n---\nsecond\n---\nthird"],
    ["words of a state file", "---\nactive: true\niteration: 5\n---\niteration: keep this"],
    ["several spaces and tabs", "a  b\t\tc   d\n\n\n    indented\r\nwindows"],
    ["emoji and other scripts", "Füge 👩‍👩‍👧‍👦 hinzu, 修复错误, עברית, e\u0301"],
    ["NUL and control characters", "a\0b \0 c\u0001\u001b[31m\u007f"],
    ["a lone surrogate", "a\ud800b"],
    ["dashes inside of words", "a--b x--max-iterations 5 (--claim) `--step` '--shape'"],
    ["things that are no flags", "-- is a dash? no: --- ---- --5 --= --. - -x -1 --ä"],
    ["a dash between words", "Fix the login -- it crashes"],
    ["single dashes", "-max-iterations 5 -p"],
    ["long dashes", "it — works – or —process dies"],
    ["nothing but punctuation", "?!"],
    ["other white space at the ends", "\u00a0x\u3000"],
  ];
  it.each(verbatim.filter(([what]) => what !== "things that are no flags"))("L1: %s", (_, prompt) => {
    expect(promptOf(prompt)).toBe(prompt);
  });

  it.each(verbatim)("L1: %s behind --", (_, prompt) => {
    expect(promptOf(`-- ${prompt}`)).toBe(prompt);
    expect(promptOf(`--max-iterations 3 --\n${prompt}`)).toBe(prompt);
    expect(promptOf(`--\r\n${prompt}`)).toBe(prompt);
  });

  it("L1: what only looks like a flag is prompt", () => {
    expect(promptOf("see: --- ---- --5 --= --. - -x -1 --ä --")).toBe("see: --- ---- --5 --= --. - -x -1 --ä --");
  });

  it("L1: 200 KB come back byte for byte", () => {
    const prompt = `start ${"word  'quote' \"two\" $(x) 🙂 a--b\n".repeat(7_000)}end`;
    expect(prompt.length).toBeGreaterThan(200_000);
    expect(promptOf(prompt)).toBe(prompt);
    expect(promptOf(`-- ${prompt}`)).toBe(prompt);
    const { kind } = parseBabysitArguments(`do --completion-promise "${'\\"x '.repeat(60_000)}`);
    expect(kind).toBe("error");
    expect(optionsOf(`do --completion-promise "${'\\"x '.repeat(60_000)}"`)?.completionPromise).toBe(
      '"x '.repeat(60_000),
    );
  });

  it.each([
    "--a ",
    "--claim x ",
    "'",
    '--claim "\\',
    "--claim=",
    "— ",
    "--max-iterations 1 ",
    "--criteria 'a: b' ",
    " \n",
  ])("L1: 200 KB of %j get an answer like anything else", (part) => {
    const text = `x ${part.repeat(Math.ceil(200_000 / part.length))}y`;
    expect(["start", "error"]).toContain(parseBabysitArguments(text).kind);
    expect(parseResumeArguments(text).kind).toBe("error");
  });

  it("L1: after -- even flags, help and white space are part of the prompt", () => {
    expect(promptOf("--  --help -h --nonsense --max-iterations x 'unclosed  ")).toBe(
      " --help -h --nonsense --max-iterations x 'unclosed  ",
    );
    expect(promptOf("-- resume run-1")).toBe("resume run-1");
    expect(promptOf("-- a -- b")).toBe("a -- b");
  });

  it("L1: after words of the prompt, -- is a dash, and a flag after it still counts", () => {
    expect(parseBabysitArguments("Fix the login -- it crashes --max-iterations 5")).toEqual({
      kind: "start",
      prompt: "Fix the login -- it crashes",
      terms: { ...NONE, limits: { iterations: 5 } },
    });
    expect(wrongWith("Fix it -- see --verbose")).toMatch(/Unknown flag --verbose.*\/babysit \[flags\] -- the prompt/);
  });

  it.each([
    ["  a b \n", "a b"],
    ["a --max-iterations 5 b", "a b"],
    ["a   --max-iterations 5   b", "a b"],
    ["a --max-iterations 5", "a"],
    ["--max-iterations 5 a  b", "a  b"],
    ["a\n--max-iterations 5\nb", "a\nb"],
    ["a --max-iterations 5\nb", "a\nb"],
    ["a\n\n--max-iterations 5 --shape tool\n\nb", "a\n\nb"],
    ["a\n--max-iterations 5\n    b", "a\n    b"],
    ["a\n\n--max-iterations 5\n    b", "a\n\n    b"],
    ["a\n    --max-iterations 5 b", "a\n    b"],
    ["a\r\n--max-iterations 5\r\nb", "a\r\nb"],
    ["a --step x b --step y c", "a b c"],
    ["a --claim 'x\n\ny' b", "a b"],
  ])("L1: a flag taken out of %j leaves %j", (text, prompt) => {
    expect(promptOf(text)).toBe(prompt);
  });
});

describe("L1: strict flags", () => {
  it.each<[string, Partial<LoopTerms>]>([
    ["x --max-iterations 20", { limits: { iterations: 20 } }],
    ["x --max-iterations=20", { limits: { iterations: 20 } }],
    ["x --max-iterations='20'", { limits: { iterations: 20 } }],
    ["x --max-iterations \t20", { limits: { iterations: 20 } }],
    ["x --max-iterations 08", { limits: { iterations: 8 } }],
    ["x --max-iterations 0", { limits: { iterations: 0 } }],
    ["x --completion-promise DONE", { completionPromise: "DONE" }],
    ["x --completion-promise 'ALL  DONE'", { completionPromise: "ALL  DONE" }],
    ['x --completion-promise "it\'s \\"done\\" \\\\ \\n"', { completionPromise: 'it\'s "done" \\ \\n' }],
    ["x --completion-promise 'a \\\" b'", { completionPromise: 'a \\" b' }],
    ["x --completion-promise 'two\nlines'", { completionPromise: "two\nlines" }],
    ["x --completion-promise=--done", { completionPromise: "--done" }],
    ["x --completion-promise '--done'", { completionPromise: "--done" }],
    ["x --completion-promise a=b", { completionPromise: "a=b" }],
    ["x --completion-promise '$(touch x)'", { completionPromise: "$(touch x)" }],
    [
      "x --criteria 'tests: npm test' --criteria=\"lint: npm run lint -- --fix\"",
      {
        criteria: [
          { id: "tests", command: "npm test" },
          { id: "lint", command: "npm run lint -- --fix" },
        ],
      },
    ],
    ["x --claim 'reads well' --claim short", { claims: ["reads well", "short"] }],
    ["x --step 'one' --step 'two two'", { steps: ["one", "two two"] }],
    ["x --budget-usd 2.50", { limits: { usd: 2.5 } }],
    ["x --budget-usd 25", { limits: { usd: 25 } }],
    ["x --budget-tokens 2000000", { limits: { tokens: 2_000_000 } }],
    ["x --max-time 90s", { limits: { wallMs: 90_000 } }],
    ["x --max-time 30m", { limits: { wallMs: 1_800_000 } }],
    ["x --max-time 12h", { limits: { wallMs: 43_200_000 } }],
    ["x --max-time 2d", { limits: { wallMs: 172_800_000 } }],
    ["x --protect 'tests/**' --protect=*.json", { protect: ["tests/**", "*.json"] }],
    ["x --must-not 'todo: grep -r TODO src'", { mustNot: [{ id: "todo", command: "grep -r TODO src" }] }],
    ["x --shape colleague", { shape: "colleague" }],
    ["x --shape tool", { shape: "tool" }],
  ])("L1: %j", (text, options) => {
    expect(parseBabysitArguments(text)).toEqual({ kind: "start", prompt: "x", terms: { ...NONE, ...options } });
  });

  it.each([
    ["--max-iterations", "needs a value"],
    ["--max-iterations=", "needs a value"],
    ["--max-iterations= 5", "needs a value"],
    ["--max-iterations\n5", "on the same line"],
    ["--max-iterations --shape tool", "--max-iterations needs a value"],
    ["--max-iterations -- 5", "--max-iterations needs a value"],
    ["--max-iterations ''", "--max-iterations: the value is empty"],
    ["--claim ' \n'", "--claim: the value is empty"],
    ["--max-iterations -5", 'not "-5"'],
    ["--max-iterations +5", 'not "+5"'],
    ["--max-iterations 1e3", 'not "1e3"'],
    ["--max-iterations 0x10", 'not "0x10"'],
    ["--max-iterations 5.0", 'not "5.0"'],
    ["--max-iterations 1_000", 'not "1_000"'],
    ["--max-iterations 1000000000", 'not "1000000000"'],
    ["--max-iterations ５", 'not "５"'],
    ["--max-iterations '5 6'", 'not "5 6"'],
    ["--max-iterations NaN", 'not "NaN"'],
    ["--max-iterations 5 --max-iterations 6", "given twice"],
    ["--budget-usd $5", 'not "$5"'],
    ["--budget-usd .5", 'not ".5"'],
    ["--budget-usd 0", "omit the flag"],
    ["--budget-usd 0.00", "omit the flag"],
    ["--budget-tokens 0", "omit the flag"],
    ["--budget-tokens 2M", 'not "2M"'],
    ["--max-time 0m", "omit the flag"],
    ["--max-time 90", 'not "90". | The unit is missing: 90m or 90h, for example.'],
    ["--max-time 1.5h", 'not "1.5h"'],
    ["--shape boss", '"boss". | Unattended, or with your review every few turns.'],
    ["--completion-promise 'open", "never closed"],
    ['--completion-promise "open \\"', "never closed"],
    ["--completion-promise 'don't stop'", "double quotes"],
    ["--completion-promise don't", "whole value in quotes"],
    ["--criteria tests:'npm test'", "whole value in quotes"],
    ["--completion-promise “ALL DONE”", "typographic"],
    ["—max-iterations 5", "long dash"],
    ["–completion-promise=x", "long dash"],
    ["--criteria 'npm test'", "--claim 'npm test'"],
    ["--criteria 'npm run test:unit'", "has no name"],
    ["--criteria 'http://x'", "has no name"],
    ["--criteria 'tests:'", "has no name"],
    ["--criteria '(no) type errors: npx tsc'", "such as 'no-type-errors: …'"],
    ["--criteria '__proto__: x'", "not a valid criterion name"],
    ["--criteria 'über: x'", "not a valid criterion name"],
    ["--criteria 'a/b: x'", "such as 'a-b: …'"],
    ["--criteria 'a: x\0'", "NUL"],
    ["--criteria 'a: x' --criteria 'a: y'", 'Two criteria are named "a"'],
    ["--criteria 'a: x' --must-not 'a: y'", 'Two criteria are named "a"'],
    ["--inputs i.json", "--process"],
  ])("L1: x %j is refused with %j", (flags, words) => {
    expect(wrongWith(`x ${flags}`)).toContain(words);
  });

  it.each([
    ["--max-iteration 5", "--max-iterations"],
    ["--max_iterations 5", "--max-iterations"],
    ["--Max-Iterations=5", "--max-iterations"],
    ["--iterations 5", "--max-iterations"],
    ["--promise x", "--completion-promise"],
    ["--criterion 'a: b'", "--criteria"],
    ["--budget 5", "--budget-usd"],
    ["--steps x", "--step"],
    ["--halp", "--help"],
    ["--mustnot x", "--must-not"],
  ])("L1: unknown flag %j: the nearest known one is named, and how to have it in the prompt", (flag, near) => {
    expect(wrongWith(`Fix it ${flag}`)).toContain(`Did you mean ${near}?`);
    expect(wrongWith(`${flag} -- Fix it`)).toContain("/babysit [flags] -- the prompt");
  });

  it("L1: a flag that is like no other is an error as well, shown without its control characters", () => {
    expect(wrongWith("x --zzz\u001b[2J, y")).toMatch(/^Unknown flag --zzz\\x1b\[2J,\. \| \/babysit --help lists/);
    expect(wrongWith("x --constructor 1")).toContain("Unknown flag --constructor");
    expect(wrongWith("x --__proto__ 1")).toContain("no error");
  });

  it.each(["--help", "-h", "x --help", "x -h y", "--nonsense --help", "--max-iterations --help", "--claim 'a' -h"])(
    "L1: %j is a call for help",
    (text) => {
      expect(parseBabysitArguments(text)).toEqual({ kind: "help" });
      expect(parseResumeArguments(text)).toEqual({ kind: "help" });
    },
  );

  it("L1: -h inside a quoted value or a word is not a flag", () => {
    expect(promptOf("x --claim 'a --help -h b'")).toBe("x");
    expect(promptOf("x-h --claim a")).toBe("x-h");
  });

  it("L1: --help tells every flag, and its examples can be typed", () => {
    for (const name of Object.keys(BABYSIT_FLAGS)) expect(BABYSIT_HELP).toContain(`\n  --${name} `);
    const examples = BABYSIT_HELP.split("\n").filter((line) => line.startsWith("  /babysit "));
    const kinds = examples.map((line) => parseBabysitArguments(line.slice("  /babysit ".length)).kind);
    expect(kinds).toEqual(["start", "start", "start", "start", "process"]);
    expect(BABYSIT_HELP).toContain("/babysit resume RUN --take");
    expect(BABYSIT_HELP).toMatch(/To stop: press Esc.*\/babysitter:cancel/);
    expect(Math.max(...BABYSIT_HELP.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});

describe("L1: what is asked for", () => {
  it.each(["", " ", "\n\t "])("L1: %j asks where it stands", (text) => {
    expect(parseBabysitArguments(text)).toEqual({ kind: "status" });
  });

  it.each(["--max-iterations 5", "--", "-- \n ", "--claim x --  "])("L1: %j has no prompt", (text) => {
    expect(wrongWith(text)).toContain("no prompt");
  });

  it("L1: --process with inputs and a prompt", () => {
    expect(parseBabysitArguments("--process p.js#main")).toEqual({
      kind: "process",
      entry: "p.js#main",
      terms: NONE,
    });
    expect(parseBabysitArguments("do it --process 'a b.js#main' --inputs=in.json --max-iterations 9")).toEqual({
      kind: "process",
      entry: "a b.js#main",
      inputs: "in.json",
      prompt: "do it",
      terms: { ...NONE, limits: { iterations: 9 } },
    });
    expect(parseBabysitArguments("resume run-1 --process p.js")).toMatchObject({
      kind: "process",
      prompt: "resume run-1",
    });
  });

  it.each([
    ["resume run-20260120-example --max-iterations 15", "run-20260120-example", { limits: { iterations: 15 } }],
    ["  resume   run-1 ", "run-1", {}],
    ["--max-time 1h resume run-1", "run-1", { limits: { wallMs: 3_600_000 } }],
    ["resume editing", "editing", {}],
  ])("L1: /babysit %j resumes a run", (text, run, options) => {
    expect(parseBabysitArguments(text)).toMatchObject({ kind: "resume", run, terms: { ...NONE, ...options } });
  });

  it("L1: what might be a run is also passed as a prompt, in case there is no such run", () => {
    expect(parseBabysitArguments("resume  editing")).toMatchObject({ run: "editing", prompt: "resume  editing" });
  });

  it.each([
    "resume the work on run-1",
    "resume",
    "resume ../etc",
    "resume a..b",
    "resume -x",
    "Resume run-1",
    "resume: run-1",
  ])("L1: %j is a prompt", (text) => {
    expect(promptOf(text)).toBe(text);
  });

  it("L1: what was agreed cannot be changed by resuming", () => {
    expect(wrongWith("resume run-1 --criteria 'a: b'")).toMatch(/--criteria cannot be set.*loop:amend/);
    expect(wrongWith("resume run-1 --step x")).toContain("-- resume …");
  });

  it("L1: /babysitter:resume RUN with limits", () => {
    expect(parseResumeArguments("run-1 --max-iterations 15 --completion-promise 'ALL DONE' --budget-usd 3")).toEqual({
      kind: "resume",
      run: "run-1",
      prompt: "run-1",
      terms: { ...NONE, limits: { iterations: 15, usd: 3 }, completionPromise: "ALL DONE" },
    });
    expect(parseResumeArguments("--max-iterations=0 run-1")).toMatchObject({
      run: "run-1",
      terms: { limits: { iterations: 0 } },
    });
  });

  it.each([
    ["", "No run is given"],
    ["  ", "No run is given"],
    ["run-1 and go on", "Too many words: and go on"],
    ["../../etc/passwd", "is not a run ID"],
    ["run-1\u001b[2J", "is not a run ID"],
    ["run-1 --max-iterations x", 'not "x"'],
    ["run-1 --nonsense", "Unknown flag"],
    ["run-1 --claim x", "--claim cannot be set"],
    ["run-1 --process f", "--process cannot be set"],
    [`r${"x".repeat(128)}`, "is not a run ID"],
  ])("L1: /babysitter:resume %j is refused with %j", (text, words) => {
    const request = parseResumeArguments(text);
    expect(request).toMatchObject({ kind: "error", problem: expect.stringContaining(words) });
    expect(JSON.stringify(request)).not.toContain("\\u001b");
  });
});
