/** The check of the pages, in a repository of its own with the real command table. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

function check(readme: string): string {
  const dir = tempDir();
  execFileSync("git", ["init", "-q"], { cwd: dir });
  fs.mkdirSync(path.join(dir, "docs"));
  fs.mkdirSync(path.join(dir, "packages"));
  fs.symlinkSync(path.join(REPOSITORY, "packages/sdk"), path.join(dir, "packages/sdk"));
  fs.writeFileSync(path.join(dir, "docs/README.md"), "[up](../README.md)\n");
  fs.writeFileSync(path.join(dir, "README.md"), readme);
  const tool = path.join(REPOSITORY, "tools/check-pages.mjs");
  const { status, stderr } = spawnSync(process.execPath, [tool, dir], { encoding: "utf8" });
  expect(status).toBe(stderr === "" ? 0 : 1);
  return stderr;
}

test("D1: commands, flags, slash commands and JSON that exist are fine", () => {
  const text = [
    "Use `babysitter run:show`, `babysitter run --agent`, `/babysitter:resume <run>` or `/babysit --plan`.",
    "```bash",
    "babysitter run notes.mjs --input a=b | tee log   # it runs",
    "RUN=$(babysitter run:create --process-id p --entry p.mjs --json)",
    "```",
    "```text",
    "/babysit Make the tests pass --criteria 'tests: npm test'",
    "```",
    "```json",
    '{ "a": …, "b": "and so on …" }',
    "```",
  ].join("\n");
  expect(check(text)).toBe("");
});

test.each([
  ["a command", "```sh\n\nbabysitter run:shwo x\n```", /^README\.md:3 babysitter run:shwo x: Unknown command/u],
  ["a command in the text", "Try `babysitter lop:start`.", /^README\.md:1 babysitter lop:start: Unknown command/u],
  ["a flag", "```sh\nbabysitter run x.mjs --recklessly\n```", /^README\.md:2 .*Unknown option '--recklessly'/u],
  [
    "a flag after a pipe",
    "```sh\ntrue | babysitter report --when now\n```",
    /^README\.md:2 .*Unknown option '--when'/u,
  ],
  ["arguments", "```sh\nbabysitter run:show a b c\n```", /^README\.md:2 .*Too many arguments/u],
  ["a slash command", "`/babysitter:rseume x`", /^README\.md:1 \/babysitter:rseume is no slash command/u],
  ["a flag of a slash command", "```\n/babysit Do it --criterai 'x: y'\n```", /^README\.md:2 \/babysit .*criterai/u],
  ["JSON", "```json\n{ a: 1 }\n```", /^README\.md:1 This is no JSON/u],
  ["a link", "[x](x.md)", /^README\.md:1 The link x\.md leads nowhere/u],
  ["a block that is run", "```console run\nx\n```", /^README\.md:2 Output before the first command/u],
])("D1: %s that does not exist is found, with its line", (_, text, message) => {
  expect(check(text)).toMatch(message);
});
