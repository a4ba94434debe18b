import { describe, expect, it } from "vitest";
import { runProblems } from "../../tools/doc-runs.mjs";

const run = (...lines: string[]): string => ["```console run", ...lines, "```"].join("\n");
const check = (text: string, minimum?: number): string =>
  runProblems(text, { page: "page.md", minimum })
    .map(({ line, what }) => `${line} ${what}`)
    .join("\n");

const GOOD = run("$ babysitter paths", "…", "project …", "$ true");

describe("D1: a page that is run cannot quietly stop being run", () => {
  it.each([1, 2])("two commands are compared where at least %i must be", (minimum) => {
    expect(check(GOOD, minimum)).toBe("");
  });

  it("nothing to run and none expected is fine, and so is `…` for one of several commands", () => {
    expect(check("```sh\nbabysitter paths\n```")).toBe("");
    expect(check(run("$ babysitter paths", "…", "$ ls", "a"), 1)).toBe("");
  });

  it.each([
    ["a page that no test runs", GOOD, undefined, /^2 No test runs this page\. Add it to .*: "page\.md": 2$/u],
    ["fewer commands", GOOD, 3, /^1 2 commands are run .* there were 3\. .*pages-that-run\.json/u],
    ["no command left", GOOD.replace(" run", ""), 2, /^1 0 commands are run/u],
    ["a command of which nothing is shown any more", run("$ babysitter paths", "…", "$ ls", "a"), 2, /^1 1 commands/u],
    ["a block that shows nothing", run("$ cd x", "$ babysitter paths", "…"), 1, /^1 Whatever is printed would do/u],
    ["a terminal that is only shown", "```console\n$ true\n$ babysitter paths\n```", undefined, /^3 .* must be run/u],
  ])("%s", (_, text, minimum, message) => {
    expect(check(text, minimum)).toMatch(message);
  });
});
