/** What keeps a page that is run from becoming one that only looks like it. Pure functions. */
import { readBlocks, readSteps } from "./doc-blocks.mjs";

/**
 * The pages that tests run, each with how many of its commands are compared at least: those of which the page shows more
 * than `…`, or that nothing is printed.
 */
export const THAT_RUN = "tests/docs/pages-that-run.json";

/** `{ line, what }`; `minimum` is what that table says of the page. */
export function runProblems(text, { page, minimum }) {
  const { steps, problems } = readSteps(text);
  const commands = steps.filter(({ kind }) => kind === "command");
  const { blocks } = readBlocks(text);
  return [
    ...problems,
    ...countProblem(commands, { page, minimum }),
    ...blocks.flatMap(blindProblem(commands)),
    ...blocks.flatMap(stillProblem),
  ];
}

function countProblem(commands, { page, minimum }) {
  const count = commands.filter((command) => !showsNothing(command)).length;
  if (minimum === undefined)
    return commands.length === 0
      ? []
      : [{ line: commands[0].line, what: `No test runs this page. Add it to ${THAT_RUN}: "${page}": ${count}` }];
  if (count >= minimum) return [];
  const what = `${count} commands are run and compared with what the page shows; there were ${minimum}. If that is meant, change ${THAT_RUN}.`;
  return [{ line: 1, what }];
}

/** Only `…`: whatever is printed would do. */
function showsNothing({ output }) {
  return output.length > 0 && output.every(isAnything);
}

function isAnything(line) {
  return line.trim() === "…";
}

/** In a longer block, `…` may pass over a command that only prepares the next one. */
function blindProblem(commands) {
  return ({ line, lines, run }) => {
    const inside = run ? commands.filter((command) => command.line > line && command.line <= line + lines.length) : [];
    const isBlind = inside.some(showsNothing) && inside.every(({ output }) => output.every(isAnything));
    return isBlind ? [{ line, what: "Whatever is printed would do: show at least one line beside `…`." }] : [];
  };
}

function stillProblem({ line, language, run, lines }) {
  if (language !== "console" || run) return [];
  const at = lines.findIndex((text) => /^\$ .*\bbabysitter\b/u.test(text));
  return at < 0
    ? []
    : [{ line: line + 1 + at, what: "What a terminal shows must be run: `console run`. Commands alone are `sh`." }];
}
