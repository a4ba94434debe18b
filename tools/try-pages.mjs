/**
 * Runs the `console run` blocks of pages, as the tests do, and says where a page is wrong. With --write it puts what was
 * printed into the page, with `…` for ids, times and paths; read what it wrote.
 *
 *   node tools/try-pages.mjs [--write] <page>…
 */
import { readFileSync, writeFileSync } from "node:fs";
import { compareOutput } from "./doc-blocks.mjs";
import { renderProblems, runPage } from "./page-runner.mjs";

const write = process.argv.includes("--write");
const pages = process.argv.slice(2).filter((arg) => arg !== "--write");
if (pages.length === 0) throw new Error("Name the pages: npm run docs:try -- docs/tutorial.md");

for (const page of pages) {
  const commands = [];
  let text = readFileSync(page, "utf8");
  let problems = await runPage(text, { onCommand: (done) => commands.push(done) });
  // Each try gets as far as the first command that differs.
  for (let wrong = toWrite(commands); wrong !== undefined; wrong = toWrite(commands)) {
    text = withOutput(text, wrong);
    writeFileSync(page, text);
    commands.length = 0;
    problems = await runPage(text, { onCommand: (done) => commands.push(done) });
  }
  console.log(
    problems.length === 0 ? `${page}: ${commands.length} commands, as shown` : renderProblems(page, problems),
  );
  if (problems.length > 0) process.exitCode = 1;
}

function toWrite(commands) {
  const last = commands.at(-1);
  return write && last !== undefined && compareOutput(last.output, last.shown) !== undefined ? last : undefined;
}

function withOutput(text, { line, command, shown }) {
  const lines = text.split("\n");
  const from = line - 1 + command.split("\n").length;
  const length = lines.slice(from).findIndex((other) => /^ *(?:\$ |```)/u.test(other));
  const indent = /^ */u.exec(lines[line - 1])[0];
  const stable = shown.map((one) => (one === "" ? "" : indent + stabilised(one)));
  while (stable[0] === "") stable.shift();
  lines.splice(from, length, ...stable);
  return lines.join("\n");
}

/** What differs from run to run. */
function stabilised(line) {
  return line
    .replaceAll(/\brun-\d{8}-\d{6}-[\w-]+|\b(?:effect|question)-[0-9a-f]{12,}|\b[0-9a-f]{32,}\b/gu, "…")
    .replaceAll(/\/[\w./-]*babysitter-page-\w+[\w./-]*/gu, "…")
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?|\b\d\d:\d\d:\d\d\b/gu, "…")
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/gu, "…")
    .trimEnd();
}
