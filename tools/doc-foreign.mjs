/** Lines of a page that call npm, npx and claude, as far as they concern this repository. Pure functions. */
import { lineCommands, readLines } from "./doc-lines.mjs";

const NPM = new Set(["ci", "install", "pack", "prefix", "root", "run", "start", "test", "uninstall"]);
const NPX = new Set(["babysitter", "babysitter-breakpoints", "tsc", "vitest"]);
const BABYSITTERS = new Set(["babysit", "babysitter", "babysitter-breakpoints"]);
/** What `claude plugin` does; each may have its own words behind it. */
const PLUGIN = {
  disable: {},
  enable: {},
  install: {},
  list: {},
  marketplace: { add: {}, list: {}, remove: {}, update: {} },
  uninstall: {},
  update: {},
  validate: {},
};

/** `{ line, what }` for every line that calls what does not exist. */
export function foreignProblems(text, { scripts }) {
  return readLines(text).flatMap(({ line, code, inline }) =>
    lineCommands(code).flatMap(({ program, before, words, at }) =>
      [
        ...(program === "npm" ? npmProblem(words, scripts) : []),
        ...(program === "claude" && words[0] === "plugin" ? pluginProblem(words) : []),
        ...(before.includes("npx") && !NPX.has(program) ? [`npx ${program}: there is no such program here.`] : []),
        ...(before.includes("npx") ? [] : misspelt(program, words, inline)),
      ].map((what) => ({ line: line + at, what })),
    ),
  );
}

function npmProblem([verb, ...rest], scripts) {
  if (verb === undefined || verb.startsWith("-")) return [];
  if (!NPM.has(verb)) return [`npm ${verb}: pages use only npm ${[...NPM].join(", ")} (tools/doc-foreign.mjs).`];
  const script =
    verb === "run" ? rest.find((word) => !word.startsWith("-")) : ["start", "test"].find((name) => name === verb);
  return script === undefined || scripts.has(script) ? [] : [`package.json has no script ${script}.`];
}

function pluginProblem(words) {
  let known = PLUGIN;
  for (const [index, word] of words.slice(1).entries()) {
    if (word === "…" || Object.keys(known).length === 0) return [];
    if (known[word] === undefined) return [`claude ${words.slice(0, index + 2).join(" ")}: no such command of claude.`];
    known = known[word];
  }
  return [];
}

/** In the text a name alone may be that of a skill. */
function misspelt(program, words, inline) {
  const isNamed = inline && words.length === 0;
  return isNamed || !/^babys[\w-]*$/u.test(program) || BABYSITTERS.has(program)
    ? []
    : [`There is no program ${program}.`];
}
