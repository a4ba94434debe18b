/**
 * Checks what pages say without running it: commands and flags against the command table, lines for agent hosts
 * against the slash commands, JSON, links, headings and pictures; and that every page is two clicks away from the
 * index. Needs a build.
 *
 *   node tools/check-pages.mjs [repository]
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readBlocks, readSteps } from "./doc-blocks.mjs";
import { programLines, slashLines } from "./doc-lines.mjs";
import { readDocSet } from "./doc-set.mjs";

const home = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));

const { files, pages, problems } = readDocSet(home);
const grammar = await readGrammar();
for (const page of files.filter((name) => name.endsWith(".md") && !name.startsWith("tests/"))) {
  const text = pages[page] ?? read(page);
  problems.push(...checkPage(text, grammar).map((problem) => ({ page, ...problem })));
}
for (const { page, line, what } of problems) console.error(`${page}:${line} ${what}`);
if (problems.length > 0) process.exitCode = 1;

function checkPage(text, { commandProblem, slashProblem }) {
  const { blocks } = readBlocks(text);
  const json = blocks.filter(({ language }) => language === "json").flatMap(jsonProblem);
  const commands = programLines(text, "babysitter").map((line) => ({ line: line.line, what: commandProblem(line) }));
  const slashes = slashLines(text).map((line) => ({ line: line.line, what: slashProblem(line) }));
  return [...readSteps(text).problems, ...json, ...[...commands, ...slashes].filter(({ what }) => what !== undefined)];
}

/** `…` may stand for a value. */
function jsonProblem({ line, text }) {
  try {
    JSON.parse(text.replaceAll(/"(?:[^"\\]|\\.)*"|…/gu, (part) => (part === "…" ? "null" : part)));
    return [];
  } catch (error) {
    return [{ line, what: `This is no JSON: ${error.message}` }];
  }
}

/** What a line of a page means to the program itself. */
async function readGrammar() {
  const { findCommand } = await importBuilt("cli/grammar/find-command.js");
  const { parseArguments } = await importBuilt("cli/grammar/parse-arguments.js");
  const { slashRequest } = await importBuilt("cli/slash/slash-request.js");
  const { TYPED_VERBS } = await importBuilt("hosts/host.js");
  return {
    commandProblem: ({ args, inline }) => {
      try {
        const found = findCommand(args);
        if (found !== undefined) parseArguments(found.spec, found.rest);
        return undefined;
      } catch (error) {
        // A flag may be named without its value.
        return inline && error.message.endsWith("argument missing")
          ? undefined
          : `babysitter ${args.join(" ")}: ${error.message}`;
      }
    },
    slashProblem: ({ verb, args, inline }) => {
      if (!TYPED_VERBS.includes(verb)) return `/babysitter:${verb} is no slash command.`;
      const { kind, text } = slashRequest({ verb, args }, "a-run");
      if (kind !== "say" || !text.startsWith("Babysitter: ") || (inline && / needs /u.test(text))) return undefined;
      return `/${verb} ${args}: ${text.split("\n")[0]}`;
    },
  };
}

async function importBuilt(module) {
  const path = join(home, "packages/sdk/dist", module);
  if (!existsSync(path)) throw new Error(`packages/sdk/dist/${module} does not exist — run npm run build first`);
  return import(pathToFileURL(path).href);
}

function read(file) {
  return readFileSync(join(home, file), "utf8");
}
