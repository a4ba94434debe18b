import { expect, it } from "vitest";
import { traitsOf } from "./criterion-kinds.js";
import { criterionFrom, idGiver } from "./criterion-text.js";

it.each([
  ["tests: npm test", "tests", "npm test"],
  ["  tests :\n npm test  ", "tests", "npm test"],
  ["a.b_c-1: sh -c 'echo a: b'", "a.b_c-1", "sh -c 'echo a: b'"],
  ["t: curl http://localhost:80", "t", "curl http://localhost:80"],
  ["no type errors: npx tsc", "no type errors", "npx tsc"],
  [" tests \t pass : npm test", "tests pass", "npm test"],
  ["t: line one\nline two", "t", "line one\nline two"],
])("L10: criteria with commands: %j", (text, id, command) => {
  expect(criterionFrom(text)).toEqual({ id, command });
});

it.each(["", " ", ":", ": npm test", "tests", "tests:", "tests:npm", "http://x y", "npm run a:b"])(
  "L10: %j names no criterion, and the way out is named",
  (text) => {
    expect(criterionFrom(text)).toMatchObject({ hint: expect.stringContaining("--claim") });
  },
);

it.each(["a\nb: x", "-a: x", ".a: x", "_a: x", "ä: x", "a/b: x", `${"a".repeat(65)}: x`, "$(x): y", "a\0: x"])(
  "L10: %j has a name that is none",
  (text) => {
    expect(criterionFrom(text)).toMatchObject({ problem: expect.stringContaining("not a valid criterion name") });
  },
);

it("L10: 200 KB without a colon, or with nothing but colons and spaces, are refused like anything else", () => {
  for (const part of ["a", ":", ": ", " ", "a :"])
    expect(criterionFrom(part.repeat(200_000))).toHaveProperty("problem");
});

it("L10: IDs are made from the words and are unique, whatever the words are", () => {
  const give = idGiver(["tests-pass"]);
  const texts = [
    "Tests pass!",
    "tests  pass",
    "Tests pass",
    "修复",
    "__proto__",
    "constructor",
    "a".repeat(300),
    "…",
    "item-2",
  ];
  const ids = texts.map(give);
  expect(ids).toEqual([
    "tests-pass-2",
    "tests-pass-3",
    "tests-pass-4",
    "item",
    "proto",
    "constructor",
    "a".repeat(40),
    "item-2",
    "item-2-2",
  ]);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
});

it("L10: a hundred thousand equal texts get as many ids", () => {
  const give = idGiver();
  const ids = Array.from({ length: 100_000 }, () => give("same"));
  expect(new Set(ids).size).toBe(100_000);
});

it("L10: a criterion is shown by its words, a command by its name and command line", () => {
  expect(traitsOf({ kind: "claim", id: "c", text: "reads well" }).label).toBe("reads well");
  expect(traitsOf({ kind: "file", id: "f", text: "there is a.txt", path: "a.txt" }).label).toBe("there is a.txt");
  const command = {
    kind: "command",
    id: "t",
    text: "npm test",
    command: "npm test",
    timeoutMs: 1,
    tier: "fast",
  } as const;
  expect(traitsOf({ ...command, role: "required" }).label).toBe("t: npm test");
});
