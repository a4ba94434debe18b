/**
 * Checks the figures that pages repeat: each one of bench/README.md must stand, rounded, in the rows there that it comes
 * from, and what is "more than" a number of tests or files must be more. A new measurement so shows what else to change.
 *
 *   node tools/check-figures.mjs [repository]
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const home = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const MEASURED = "bench/README.md";
const COUNTED = "docs/how-sure.md";

/** Where a line begins, and where the rows of the benchmarks begin that it repeats. */
const REPEATED = {
  "docs/how-fast.md": {
    "an idle session": ["hook of an idle session"],
    "the end of a turn in a loop": ["Stop hook as a process", "a classic hook in bash"],
    "start of the command": ["CLI start"],
    "one durable step": [
      "sequential durable step, N = 1000 / raw",
      "sequential durable step, in-process, N = 100 ",
      "sequential durable step, in-process, N = 1000 ",
    ],
    "shell tasks one after another": ["driven steps"],
    "200 tasks of 50 ms": ["200 shell tasks of 50 ms, driven"],
    "`run:status` of a run": ["`run:status` at 100000 events"],
    "`run:list` with": ["`run:list` at"],
    "a question in a journal": ["question in a journal"],
    "an event in a journal": ["event in a journal until the page of its run"],
    "a run of 5,000 events": ["5000 events in one run, cold: first", "100000 events in one run, warm: first"],
    "the board with": ["the board of 10000 runs: first", "10000 runs: from the start"],
    "search over": ["search over"],
    "first load": ["first load of the inbox"],
    "memory of the driver": ["memory of the driver over"],
    "Compared with others": [
      "sequential durable step, N = 1000: Restate",
      "whole run of 100 steps",
      "whole run of 1000 steps",
    ],
  },
  "docs/coming-from-ralph.md": { "What you give up": ["2.1.197 | prompt", "2.1.325 | prompt"] },
};

const problems = [];
for (const [page, lines] of Object.entries(REPEATED)) if (exists(page)) checkRepeated(page, lines);
if (exists(COUNTED)) checkCounted();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function checkRepeated(page, known) {
  const measured = rowsOf(read(MEASURED));
  const unused = new Set(Object.keys(known));
  for (const [index, line] of linesOf(page)) {
    const begin = Object.keys(known).find((words) => line.startsWith(words));
    unused.delete(begin);
    if (begin === undefined) {
      const [figure] = /\d[\d,.]* (?:ms|s|min|times|KiB|MB)\b/u.exec(withoutCode(line)) ?? [];
      if (figure !== undefined) report(page, index, `"${figure}": say in tools/check-figures.mjs where it comes from.`);
      continue;
    }
    const rows = measured.filter((row) => known[begin].some((words) => row.startsWith(words)));
    const values = rows.flatMap((row) => numbersIn(row).map(({ value }) => value));
    for (const { text, value, unit } of numbersIn(withoutCode(line))) {
      const digits = text.split(".")[1]?.length ?? 0;
      const isIt = (other) => Number(other.toFixed(digits)) === value;
      if (values.some((other) => isIt(other) || (unit === "s" && isIt(other / 1000)))) continue;
      report(page, index, `${text} does not stand in ${MEASURED}, in: ${rows.join("; ") || known[begin].join("; ")}`);
    }
  }
  for (const words of unused)
    problems.push(`${page} has no line "${words} …": remove it from tools/check-figures.mjs.`);
}

function checkCounted() {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.test.ts", "*.test.tsx"], {
    cwd: home,
    encoding: "utf8",
  }).split("\n");
  const ofKind = (kind) => files.filter((file) => file.includes(`.${kind}.test.`)).length;
  const proofs = rowsOf(read("docs/promises.md")).filter((row) => /^[A-Z]+\d+ \| (?:not yet|\[)/u.test(row));
  const links = proofs.flatMap((row) => row.match(/\]\(\.\.\/[^)]*\.test\.ts\)/gu) ?? []);
  const counts = {
    "promises and invariants": [proofs.length],
    "tests that prove them": [links.length, new Set(links).size],
    "files of fast tests": [files.filter((file) => /^[^.]*\.test\./u.test(file.replace(/^.*\//u, ""))).length],
    "files of slow tests": [ofKind("slow")],
    "files of tests in the real Claude Code": [ofKind("host")],
    "files of tests in a real Chromium": [ofKind("browser")],
  };
  const open = proofs.filter((row) => row.includes("| not yet")).map((row) => row.split(" ")[0]);
  for (const [index, line] of linesOf(COUNTED)) {
    const begin = Object.keys(counts).find((words) => line.startsWith(words));
    for (const [at, [, number]] of [...line.matchAll(/more than (\d[\d,]*)/gu)].entries()) {
      const count = counts[begin]?.[at];
      if (count === undefined) report(COUNTED, index, "Say in tools/check-figures.mjs how this is counted.");
      else if (count <= numbersIn(number)[0].value)
        report(COUNTED, index, `Not more than ${number}: there are ${count}.`);
    }
    const said = /"not yet": ([A-Z]+\d+(?:, [A-Z]+\d+)*)/u.exec(line)?.[1];
    if (said !== undefined && said !== open.join(", "))
      report(COUNTED, index, `docs/promises.md says "not yet" of ${open.join(", ") || "none"}, not of ${said}.`);
  }
}

/** Rows of tables, without the marks around them. */
function rowsOf(text) {
  return text.split("\n").flatMap((line) => (line.startsWith("| ") ? [line.slice(2)] : []));
}

function linesOf(page) {
  return read(page)
    .split("\n")
    .map((line) => line.replace(/^\| /u, ""))
    .entries();
}

function withoutCode(line) {
  return line.replaceAll(/`[^`]*`|\]\([^)]*\)/gu, "");
}

function numbersIn(text) {
  return [...text.matchAll(/(?<text>\d+(?:,\d{3})*(?:\.\d+)?)(?: (?<unit>[a-zA-Z]+))?/gu)].map(({ groups }) => ({
    ...groups,
    value: Number(groups.text.replaceAll(",", "")),
  }));
}

function report(page, index, what) {
  problems.push(`${page}:${index + 1} ${what}`);
}

function exists(file) {
  return existsSync(join(home, file));
}

function read(file) {
  return readFileSync(join(home, file), "utf8");
}
