/** The check of the pages, in a repository of its own with the real command table. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempDir } from "../fixtures/temp-dir.js";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

/** `runs`: how many commands of the page are compared at least. */
function check(readme: string, runs?: number, others: Record<string, string> = {}): string {
  const dir = tempDir();
  execFileSync("git", ["init", "-q"], { cwd: dir });
  for (const folder of ["docs", "packages", "tests/docs"]) fs.mkdirSync(path.join(dir, folder), { recursive: true });
  for (const name of ["sdk", "breakpoints"])
    fs.symlinkSync(path.join(REPOSITORY, "packages", name), path.join(dir, "packages", name));
  fs.writeFileSync(path.join(dir, "package.json"), JSON.stringify({ scripts: { "check:x": "true", test: "true" } }));
  if (runs !== undefined)
    fs.writeFileSync(path.join(dir, "tests/docs/pages-that-run.json"), JSON.stringify({ "README.md": runs }));
  fs.writeFileSync(path.join(dir, "docs/README.md"), "[up](../README.md)\n");
  for (const [name, text] of Object.entries({ "README.md": readme, ...others }))
    fs.writeFileSync(path.join(dir, name), text);
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

/** Every line of the page is a paragraph; the answer has the number of each line that is wrong, and a part of what is. */
function wrongLines(lines: readonly string[]): string[] {
  const said = check(lines.join("\n\n")).trim().split("\n");
  return said.map((line) => line.replace(/^README\.md:(\d+) /u, (_, number) => `${(Number(number) + 1) / 2} `));
}

test("D1: names within the text that exist are fine", () => {
  const text = [
    "`run:show <run>`, `loop:start … --criteria 'x: npm run y'`, `check:x`, `node:fs`, `approve:nightly`.",
    "`--json`, `--port 1`, `--plan`, `claude --anything`, `git log --oneline`, `limits.maxIterations`, `hooks.sh`.",
    "`RUN_DIVERGED`, `EFFECT_REQUESTED`, `BABYSITTER_HOME`, `CLAUDE_PLUGIN_ROOT`, `DB_PASSWORD`, `NOTES_AND_MORE.md`.",
    "It ends with exit code 7, exits with 0, or (exit 13); the shell says exit code 127.",
    "| exit code | meaning |\n| --- | --- |\n| 0, 3 | 99 things |",
    "`npm run check:x`, `npm test`, `npm install -g x`, `npx babysitter ui`, `claude plugin marketplace add <clone>`.",
  ].join("\n\n");
  expect(check(text)).toBe("");
});

test("D1: names within the text that do not exist are found, each with its line", () => {
  const wrong = wrongLines([
    "`run:shwo <run>`",
    "`lop:start`",
    "`run:show --jsno`",
    "`--recklessly`",
    "`RUN_DIVERGD`",
    "`STOP_HOOK_INVOKD`",
    "`BABYSITTER_AGENT_COMAND=x`",
    "`driver.concurency`",
    "It ends with exit code `99`.",
    "It exits with 77.",
    "Refused (exit 55).",
    "`npm strat`",
    "`npm run docs:sit`",
    "`npx babysiter ui`",
    "`claude plugin instal x`",
    "`claude plugin marketplace ad x`",
    "`babysiter run x`",
    "| exit code | meaning |\n| 3, 44 | no |",
  ]);
  const messages = [
    /^1 babysitter run:shwo run: Unknown command "run:shwo"/u,
    /^2 babysitter lop:start: Unknown command/u,
    /^3 .*Unknown option '--jsno'/u,
    /^4 No command has the flag --recklessly/u,
    /^5 RUN_DIVERGD is no code/u,
    /^6 STOP_HOOK_INVOKD is no code/u,
    /^7 BABYSITTER_AGENT_COMAND is no code/u,
    /^8 There is no setting driver\.concurency/u,
    /^9 No command has the exit code 99/u,
    /^10 .* 77/u,
    /^11 .* 55/u,
    /^12 npm strat/u,
    /^13 package\.json has no script docs:sit/u,
    /^14 npx babysiter/u,
    /^15 claude plugin instal/u,
    /^16 claude plugin marketplace ad:/u,
    /^17 There is no program babysiter/u,
    /^18\.5 No command has the exit code 44/u,
  ];
  for (const message of messages) expect(wrong).toContainEqual(expect.stringMatching(message));
});

test("D1: pages of the table are run, others are not, and code is looked at", () => {
  const page = "```console run\n$ true\n```\n\n```js\nconst x = ;\n```\n";
  expect(check(page)).toMatch(/^README\.md:2 No test runs this page[^]*\nREADME\.md:5 This does not parse/u);
  expect(check(page, 1)).toMatch(/^README\.md:5 This does not parse/u);
});

const WRONG: [what: string, page: string, message: RegExp][] = [
  ["a command", "```sh\n\nbabysitter run:shwo x\n```", /^3 babysitter run:shwo x: Unknown command/u],
  ["a command in the text", "Try `babysitter lop:start`.", /^1 babysitter lop:start: Unknown command/u],
  ["a flag", "```sh\nbabysitter run x.mjs --recklessly\n```", /^2 .*Unknown option '--recklessly'/u],
  ["a flag after a pipe", "```sh\ntrue | babysitter report --when now\n```", /^2 .*Unknown option '--when'/u],
  ["arguments", "```sh\nbabysitter run:show a b c\n```", /^2 .*Too many arguments/u],
  ["a slash command", "`/babysitter:rseume x`", /^1 \/babysitter:rseume is no slash command/u],
  ["a flag of a slash command", "```\n/babysit Do it --criterai 'x: y'\n```", /^2 \/babysit .*criterai/u],
  ["JSON", "```json\n{ a: 1 }\n```", /^1 This is no JSON/u],
  ["a link", "[x](x.md)", /^1 The link x\.md leads nowhere/u],
  ["a block that is run", "```console run\nx\n```", /^2 Output before the first command/u],
];

test("D1: what does not exist is found on every page, with its line", () => {
  const pages = WRONG.map(([, text], at) => [`docs/${at}.md`, text] as const);
  const index = pages.map(([name]) => `[${name}](${name})`).join("\n");
  const said = check(index, undefined, Object.fromEntries(pages)).split("\n");
  for (const [at, [, , message]] of WRONG.entries()) {
    const prefix = `docs/${at}.md:`;
    const lines = said.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
    expect(lines).toContainEqual(expect.stringMatching(message));
  }
});
