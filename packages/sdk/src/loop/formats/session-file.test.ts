import { describe, expect, test } from "vitest";
import { MAX_SESSION_FILE, parseSessionFile, renderSessionFile, type SessionFile } from "./session-file.js";

const full: SessionFile = {
  active: true,
  iteration: 3,
  maxIterations: 20,
  completionPromise: "DONE",
  runId: "my-run-abc123",
  runDir: "/home/ann/project/.a5c/runs/my-run-abc123",
  harness: "claude-code",
  startedAt: "2026-03-02T10:00:00Z",
  lastIterationAt: "2026-03-02T10:05:30Z",
  iterationTimes: [45, 62, 58],
  prompt: "Build a REST API.",
  unknown: [],
};

function parsed(text: string): SessionFile {
  const result = parseSessionFile(text);
  if (!result.ok) throw new Error(result.problem);
  return result.session;
}

const problemOf = (text: string): string => {
  const result = parseSessionFile(text);
  return result.ok ? "none" : result.problem;
};

const withFields = (...lines: string[]): string => ["---", ...lines, "---", "", "Go on", ""].join("\n");
const withCounts = (...lines: string[]): string =>
  withFields("active: true", "iteration: 1", "max_iterations: 20", ...lines);

describe("L2: session state file format: files of scripts", () => {
  test("the shell script's, with a blank line before and a line end after the prompt", () => {
    const text = `---
active: true
iteration: 3
max_iterations: 20
completion_promise: "DONE"
started_at: "2026-01-20T10:15:30Z"
---

Build a REST API for managing todos with the following features:
- Create, read, update, delete todos
`;
    expect(parsed(text)).toEqual({
      active: true,
      iteration: 3,
      maxIterations: 20,
      completionPromise: "DONE",
      startedAt: "2026-01-20T10:15:30Z",
      iterationTimes: [],
      prompt: "Build a REST API for managing todos with the following features:\n- Create, read, update, delete todos",
      unknown: [],
    });
  });

  test("the one with the run's id, and the prompt right behind the fields", () => {
    const text = `---
active: true
iteration: 3
max_iterations: 256
run_id: "my-run-abc123"
started_at: "2026-03-02T10:00:00Z"
last_iteration_at: "2026-03-02T10:05:30Z"
iteration_times: 45,62,58
---
Build a REST API with authentication.`;
    expect(parsed(text)).toEqual({
      active: true,
      iteration: 3,
      maxIterations: 256,
      runId: "my-run-abc123",
      startedAt: "2026-03-02T10:00:00Z",
      lastIterationAt: "2026-03-02T10:05:30Z",
      iterationTimes: [45, 62, 58],
      prompt: "Build a REST API with authentication.",
      unknown: [],
    });
  });

  test("the baseline of a session without a run is written and read byte for byte", () => {
    const baseline = `---
active: true
iteration: 1
max_iterations: 256
run_id: ""
started_at: "2026-03-02T10:00:00Z"
last_iteration_at: "2026-03-02T10:00:00Z"
iteration_times:
---
`;
    expect(parsed(baseline)).toMatchObject({ runId: "", iterationTimes: [], prompt: "" });
    expect(renderSessionFile(parsed(baseline))).toBe(baseline);
  });

  test("one with Windows line ends", () => {
    const text = withCounts('completion_promise: "DONE"', "note: kept").replaceAll("\n", "\r\n");
    expect(parsed(text)).toMatchObject({ completionPromise: "DONE", prompt: "Go on", unknown: [["note", "kept"]] });
  });
});

describe("L2: session state file format: what comes back", () => {
  test("every field", () => {
    expect(parsed(renderSessionFile(full))).toEqual(full);
  });

  test.each([
    ["lines of dashes", "one\n---\ntwo\n---\nthree"],
    ["dashes first", "---\niteration: 5\n---\nx"],
    ["a line that looks like a field", "iteration: keep this\nmax_iterations: 0\nactive: false"],
    ["shell syntax", "Build $(whoami) `id` ${HOME} x; rm -rf / > y & 'q' \"p\" \\"],
    ["NUL and other control characters", "a\0b\u0007\u001b[31m"],
    ["emoji", "🔄 build 👩‍👩‍👧 it"],
    ["Windows line ends", "one\r\ntwo\r\n"],
    ["a carriage return first and last", "\rx\r"],
    ["Windows line ends first and last", "\r\nx\r\n"],
    ["blank lines first and last", "\n\n x \n\n\n"],
    ["nothing but line ends", "\n"],
    ["nothing but two line ends", "\n\n"],
    ["blanks", "  \t "],
    ["a byte order mark", "\uFEFFx"],
    ["line separators", "a\u2028b\u2029c"],
    ["200 KB", "0123456789abcdef ---\n".repeat(10_000)],
    ["nothing", ""],
  ])("a prompt of %s", (_, prompt) => {
    expect(parsed(renderSessionFile({ ...full, prompt }))).toEqual({ ...full, prompt });
  });

  test.each([
    'Say "hi"',
    "C:\\new\\table",
    "two\nlines",
    "---",
    "null",
    "x\u2028y\u007f",
    "\0",
    " padded ",
    "a: b # c",
    "'single'",
    "🎉",
    '"',
  ])("a completion promise of %j", (completionPromise) => {
    const session = { ...full, completionPromise };
    expect(parsed(renderSessionFile(session))).toEqual(session);
  });

  test("lengths of iterations, the last three, also broken ones; nothing that is no length", () => {
    const iterationTimes = [1, 2, 45.25, 0.1 + 0.2, 1e-7];
    expect(parsed(renderSessionFile({ ...full, iterationTimes })).iterationTimes).toEqual([45.25, 0.3, 0]);
    expect(renderSessionFile({ ...full, iterationTimes: [9, 1, 2, 3] })).toContain("\niteration_times: 1,2,3\n");
    const none = [Number.NaN, -1, Number.POSITIVE_INFINITY];
    expect(parsed(renderSessionFile({ ...full, iterationTimes: none })).iterationTimes).toEqual([]);
  });

  test("fields of others, in order, with the lines that belong to them", () => {
    const text = withCounts(
      "__proto__: 1",
      "tags:",
      "  - a",
      "- b",
      "url: http://x/y",
      "Iteration: 7",
      "empty:",
      "my key: 2",
    );
    const { unknown } = parsed(text);
    expect(unknown).toEqual([
      ["__proto__", "1"],
      ["tags", "\n  - a\n- b"],
      ["url", "http://x/y"],
      ["Iteration", "7"],
      ["empty", ""],
      ["my key", "2"],
    ]);
    expect(parsed(renderSessionFile(parsed(text))).unknown).toEqual(unknown);
  });
});

describe("L2: session state file format: how values are read", () => {
  test.each([
    ['completion_promise: "DONE"', "DONE"],
    ["completion_promise: DONE", "DONE"],
    ["completion_promise: 'it''s DONE'", "it's DONE"],
    ['completion_promise: "Say "hi" now"', 'Say "hi" now'],
    ['completion_promise: "C:\\dir"', "C:\\dir"],
    ['completion_promise: "a\\nb"', "a\nb"],
    ["completion_promise: ALL  DONE", "ALL  DONE"],
    ["completion_promise: null", null],
    ['completion_promise: "null"', null],
    ['completion_promise: ""', null],
    ["completion_promise:", null],
    ["", undefined],
  ])("%s", (line, promise) => {
    expect(parsed(withCounts(line)).completionPromise).toBe(promise);
  });

  test.each([
    ["run_id: abc", "abc"],
    ['run_id: "abc"', "abc"],
    ['run_id: ""', ""],
    ["run_id:", ""],
    ["run_id: null", ""],
    ["", undefined],
  ])("%s", (line, runId) => {
    expect(parsed(withCounts(line)).runId).toBe(runId);
  });

  test.each([
    ["08", 8],
    ["010", 10],
    ["0", 0],
    ['"12"', 12],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ])("a number is decimal, whatever it begins with: %s", (value, count) => {
    const session = parsed(withFields("active: true", `iteration: ${value}`, `max_iterations:${value}`));
    expect([session.iteration, session.maxIterations]).toEqual([count, count]);
  });

  test.each(["", "45", "45,62,58", " 1 , 2 ", '"1,2.5"'])("iteration_times: %s", (value) => {
    const numbers = value.match(/[\d.]+/g)?.map(Number) ?? [];
    expect(parsed(withCounts(`iteration_times: ${value}`)).iterationTimes).toEqual(numbers);
  });

  test("blank lines and comments between the fields are no fields", () => {
    expect(parsed(withCounts("", "# a comment: 1", "  "))).toMatchObject({ unknown: [], prompt: "Go on" });
  });

  test("blanks behind the dashes do not matter", () => {
    expect(parsed(withCounts().replaceAll("---", "---  "))).toMatchObject({ iteration: 1, prompt: "Go on" });
  });

  test("active: false is read as such", () => {
    expect(parsed(withFields("active: false", "iteration: 1", "max_iterations: 0")).active).toBe(false);
  });
});

describe("L8: corrupt state: the problem is named", () => {
  test.each(["keep this", "-1", "1e3", "", "0x10", "1.5", "٣", "NaN", "9".repeat(30), "1 2", '"'])(
    "iteration: %s",
    (value) => {
      expect(problemOf(withFields("active: true", `iteration: ${value}`, "max_iterations: 20"))).toBe(
        "'iteration' field is not a valid number",
      );
      expect(problemOf(withFields("active: true", "iteration: 1", `max_iterations: ${value}`))).toBe(
        "'max_iterations' field is not a valid number",
      );
    },
  );

  test.each([
    ["an empty file", "", "the file is empty"],
    ["no frontmatter", "Build a REST API\n---\n", "no frontmatter: the first line is not ---"],
    ["binary", "\u007fELF\0\u0001\u0002", "no frontmatter: the first line is not ---"],
    ["binary between the lines", withCounts("x\0: 1"), "the frontmatter contains control characters"],
    ["a byte order mark", `\uFEFF${withCounts()}`, "the file starts with a byte order mark"],
    ["only the first line", "---", "the frontmatter is not closed: the second --- line is missing"],
    ["half a file", withCounts().slice(0, 30), "the frontmatter is not closed: the second --- line is missing"],
    ["no fields", "---\n---\n", "'iteration' field is not a valid number"],
    ["no line of the form", withCounts("what is this"), `the frontmatter line "what is this" is not 'key: value'`],
    ["more than three dashes", withCounts("----"), `the frontmatter line "----" is not 'key: value'`],
    ["a field that is there twice", withCounts("iteration: 2"), "'iteration' field appears twice"],
    ["no active", withFields("iteration: 1", "max_iterations: 2"), "'active' field is not true or false"],
    [
      "active: yes",
      withFields("active: yes", "iteration: 1", "max_iterations: 2"),
      "'active' field is not true or false",
    ],
    ["times as a list", withCounts("iteration_times:", "  - 45"), `the frontmatter line "  - 45" is not 'key: value'`],
    ["times that are none", withCounts("iteration_times: 4,x"), "'iteration_times' field is not a list of numbers"],
    ["negative times", withCounts("iteration_times: -4"), "'iteration_times' field is not a list of numbers"],
    ["50 MB", withCounts() + "x".repeat(50_000_000), "the file is too large"],
  ])("%s", (_, text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  test("no beginning of a file is taken for a whole one before its second fence", () => {
    const text = renderSessionFile(full);
    const fence = text.indexOf("\n---\n", 4);
    for (let length = 0; length <= fence + 3; length += 1)
      expect({ length, ok: parseSessionFile(text.slice(0, length)).ok }).toEqual({ length, ok: false });
  });

  test("frontmatter as large as a file may be is read in one go, not in square time", () => {
    const blanks = " ".repeat(MAX_SESSION_FILE - 1000);
    expect(problemOf(withCounts(`x:${blanks}y`))).toBe("none");
    expect(problemOf(withCounts(`iteration_times: ${blanks}y`))).toBe(
      "'iteration_times' field is not a list of numbers",
    );
    expect(problemOf(`---\n${"a:\n".repeat(100_000)}`)).toBe(
      "the frontmatter is not closed: the second --- line is missing",
    );
  });
});
