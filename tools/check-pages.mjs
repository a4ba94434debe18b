/**
 * Checks what pages say without running it: commands and flags against the command table, lines for agent hosts
 * against the slash commands, codes, variables and settings against the program, the syntax of code and data, links,
 * headings and pictures; that pages which are run still are; and that every page is two clicks away from the index.
 * Needs a build.
 *
 *   node tools/check-pages.mjs [repository]
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeProblems } from "./doc-code.mjs";
import { foreignProblems } from "./doc-foreign.mjs";
import { programLines, slashLines } from "./doc-lines.mjs";
import { bareCommands, nameProblems } from "./doc-names.mjs";
import { runProblems, THAT_RUN } from "./doc-runs.mjs";
import { readDocSet } from "./doc-set.mjs";
import { importBuilt, readVocabulary } from "./doc-vocabulary.mjs";

const home = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));

const { files, pages, problems } = readDocSet(home);
const vocabulary = await readVocabulary(home);
const grammar = await readGrammar();
const minima = existsSync(join(home, THAT_RUN)) ? JSON.parse(read(THAT_RUN)) : {};
for (const page of files.filter((name) => name.endsWith(".md") && !name.startsWith("tests/"))) {
  const text = pages[page] ?? read(page);
  problems.push(...checkPage(page, text).map((problem) => ({ page, ...problem })));
}
for (const page of Object.keys(minima).filter((name) => !files.includes(name)))
  problems.push({ page: THAT_RUN, line: 1, what: `There is no page ${page}.` });
for (const { page, line, what } of problems) console.error(`${page}:${line} ${what}`);
if (problems.length > 0) process.exitCode = 1;

function checkPage(page, text) {
  const { commandProblem, slashProblem } = grammar;
  const commands = [...programLines(text, "babysitter"), ...bareCommands(text, vocabulary)];
  const lines = [
    ...commands.map((line) => ({ line: line.line, what: commandProblem(line) })),
    ...slashLines(text).map((line) => ({ line: line.line, what: slashProblem(line) })),
  ];
  return [
    ...runProblems(text, { page, minimum: minima[page] }),
    ...codeProblems(text, vocabulary),
    ...lines.filter(({ what }) => what !== undefined),
    ...nameProblems(text, vocabulary),
    ...foreignProblems(text, vocabulary),
  ];
}

/** What a line of a page means to the program itself. */
async function readGrammar() {
  const { findCommand } = await importBuilt(home, "cli/grammar/find-command.js");
  const { parseArguments } = await importBuilt(home, "cli/grammar/parse-arguments.js");
  const { slashRequest } = await importBuilt(home, "cli/slash/slash-request.js");
  const { TYPED_VERBS } = await importBuilt(home, "hosts/host.js");
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

function read(file) {
  return readFileSync(join(home, file), "utf8");
}
