/** The check of figures that pages repeat, in a repository of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const RALPH = "What you give up: 135 to 142 ms instead of about 60.";
const MEASURED = "| 2.1.325 | prompt | 10 | 60.4 | 135 | 2,142 |\n| other | 99 |\n";
const SURE = [
  '| promises and invariants | more than 1, of which one is "not yet": A2 |',
  "| tests that prove them | more than 2 titles in more than 1 files |",
  "| files of slow tests | more than 0 |",
].join("\n");
const PROMISES =
  "| A2 | not yet |\n| A1 | [a](../tests/a.test.ts)<br>[b](../tests/a.test.ts)<br>[c](../tests/b.slow.test.ts) |\n";

function check(pages: Record<string, string>): string[] {
  const dir = tempDir();
  execFileSync("git", ["init", "-q"], { cwd: dir });
  const files = { "bench/README.md": MEASURED, "docs/promises.md": PROMISES, "tests/b.slow.test.ts": "", ...pages };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
  const tool = path.join(REPOSITORY, "tools/check-figures.mjs");
  const { status, stderr } = spawnSync(process.execPath, [tool, dir], { encoding: "utf8" });
  expect(status).toBe(stderr === "" ? 0 : 1);
  return stderr.split("\n").slice(0, -1);
}

test("D1: figures that were measured or counted are fine", () => {
  const measured = MEASURED.replace("2,142", "142");
  expect(check({ "docs/coming-from-ralph.md": RALPH, "bench/README.md": measured, "docs/how-sure.md": SURE })).toEqual(
    [],
  );
});

test("D1: a figure that was not measured in its rows is found, also one of another row", () => {
  const page = `Faster by 8 ms.\n${RALPH.replace("135", "99")}`;
  expect(check({ "docs/coming-from-ralph.md": page })).toEqual([
    expect.stringMatching(/^docs\/coming-from-ralph\.md:1 "8 ms": say in tools\/check-figures\.mjs where/u),
    expect.stringMatching(/^docs\/coming-from-ralph\.md:2 99 does not stand in bench\/README\.md, in: 2\.1\.325/u),
    expect.stringMatching(/:2 142 does not stand/u),
  ]);
  expect(check({ "docs/coming-from-ralph.md": "Nothing." })).toEqual([
    expect.stringMatching(/has no line "What you give up …"/u),
  ]);
});

test("D1: counts that are too high are found, and promises that are not the open ones", () => {
  const page = SURE.replace("than 2", "than 3").replace("than 0", "than 1,000").replace("A2", "A1");
  expect(check({ "docs/how-sure.md": `${page}\n| beetles | more than 5 |` })).toEqual([
    'docs/how-sure.md:1 docs/promises.md says "not yet" of A2, not of A1.',
    "docs/how-sure.md:2 Not more than 3: there are 3.",
    "docs/how-sure.md:3 Not more than 1,000: there are 1.",
    "docs/how-sure.md:4 Say in tools/check-figures.mjs how this is counted.",
  ]);
});
