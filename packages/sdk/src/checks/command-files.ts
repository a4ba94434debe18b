/** What a command line depends on for its meaning: programs and tests of the project, and scripts it runs by name. */
import path from "node:path";
import { type SimpleCommand, simpleCommands } from "./shell-words.js";

/** Paths are relative to the project, or absolute. They may or may not exist. */
export interface NamedByCommand {
  files: string[];
  /** Programs without a path, with the folder that they are run in. */
  programs: { dir: string; name: string }[];
  /** Arguments of interpreters: the first one of each that exists is the script. */
  scriptFiles: string[][];
  /** Files that decide how the command is run, and count even while they do not exist. */
  settings: string[];
  /** Scripts in a package.json. */
  scripts: { packageDir: string; script: string }[];
}

const INTERPRETERS = /^(?:(?:ba|da|z|k|fi)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|pwsh)$/u;
const TEST_RUNNERS = /^(?:pytest|vitest|jest|mocha|ava|tap|rspec|phpunit|bats|playwright|cypress)$/u;
/** Start another program, which is among their arguments. */
const LAUNCHERS = /^(?:npx|bunx|pnpx|uv|uvx|poetry|pipenv|timeout|xvfb-run|dotenv)$/u;
const EXECUTES = /^(?:exec|x|dlx)$/u;
const NO_PROGRAM = /^(?:run|exec|x|dlx|--|\d+[smh]?)$/u;
/** Options whose value is a file that says what is checked. */
const SETTINGS_OPTION = /^--(?:config|configfile|config-file|project|makefile|require|import)$/u;
const SHORT_SETTINGS_OPTION: Readonly<Record<string, string>> = {
  tsc: "-p",
  "vue-tsc": "-p",
  eslint: "-c",
  jest: "-c",
  pytest: "-c",
  make: "-f",
  gmake: "-f",
  just: "-f",
  rake: "-f",
};
/** Programs that read a file of the project without being told. */
const OWN_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
  tox: ["tox.ini"],
  nox: ["noxfile.py"],
};
/** A setting in these can replace the shell that runs scripts. */
const MANAGERS: Readonly<Record<string, readonly string[]>> = {
  npm: [".npmrc"],
  pnpm: [".npmrc"],
  yarn: [".yarnrc.yml", ".yarnrc"],
  bun: ["bunfig.toml"],
};
const SHORT_SCRIPTS: Readonly<Record<string, string>> = { t: "test", tst: "test" };
const OF_MANAGER = new Set(["ci", "install", "i", "add", "exec", "x", "dlx", "create", "init", "audit", "pack"]);
/** Options of package managers with a value. */
const FOLDER_OPTION = /^(?:--prefix|--cwd|-C|--dir|-w|--workspace|--filter)$/u;

export function namedByCommand(commandLine: string): NamedByCommand {
  const named: NamedByCommand = { files: [], programs: [], scriptFiles: [], settings: [], scripts: [] };
  for (const command of simpleCommands(commandLine)) addCommand(named, command);
  return named;
}

function addCommand(named: NamedByCommand, { dir, words }: SimpleCommand): void {
  const [program = "", ...args] = words;
  const name = path.posix.basename(program);
  if (program.includes("/")) named.files.push(at(dir, program));
  else if (program !== "") named.programs.push({ dir, name: program });
  for (const [value, option] of optionValues(args))
    if (SETTINGS_OPTION.test(option) || SHORT_SETTINGS_OPTION[name] === option) named.files.push(at(dir, value));
  if (Object.hasOwn(OWN_FILES, name)) addOwnFiles(named, dir, { name, args });
  if (Object.hasOwn(MANAGERS, name)) addScript(named, dir, { manager: name, args });
  addArguments(named, dir, { name, args });
  const launched = launchedBy(name, args);
  if (launched.length > 0) addCommand(named, { dir, words: launched });
}

function addArguments(
  named: NamedByCommand,
  dir: string,
  { name, args }: { name: string; args: readonly string[] },
): void {
  const rest = args.filter((word) => !word.startsWith("-")).map((word) => at(dir, withoutSelection(word)));
  const interprets = INTERPRETERS.test(name);
  if (TEST_RUNNERS.test(name) || (interprets && runsTests(args))) named.files.push(...rest);
  else if (interprets) named.scriptFiles.push(rest);
}

/** The command that this one only starts. */
function launchedBy(name: string, args: readonly string[]): string[] {
  const isLauncher = LAUNCHERS.test(name) || (Object.hasOwn(MANAGERS, name) && EXECUTES.test(args[0] ?? ""));
  const start = isLauncher ? args.findIndex((word) => !word.startsWith("-") && !NO_PROGRAM.test(word)) : -1;
  return start < 0 ? [] : args.slice(start);
}

function at(dir: string, file: string): string {
  return path.posix.isAbsolute(file) ? file : path.posix.join(dir, file);
}

/** `node --test`, `python -m pytest` */
function runsTests(args: readonly string[]): boolean {
  return args.some((word) => word === "--test" || TEST_RUNNERS.test(word));
}

function addOwnFiles(
  named: NamedByCommand,
  dir: string,
  { name, args }: { name: string; args: readonly string[] },
): void {
  const folder = optionValues(args).find(([, option]) => option === "-C" || option === "--directory")?.[0] ?? ".";
  named.files.push(...(OWN_FILES[name] as string[]).map((file) => at(dir, path.posix.join(folder, file))));
}

/** `--name value` and `--name=value`, the value first. */
function optionValues(args: readonly string[]): [string, string][] {
  return args.flatMap((word, place): [string, string][] => {
    const split = /^(--?[\w-]+)=(.*)$/su.exec(word);
    if (split !== null) return [[split[2] as string, split[1] as string]];
    const next = args[place + 1];
    return word.startsWith("-") && next !== undefined ? [[next, word]] : [];
  });
}

/** `tests/test_a.py::test_x` is in `tests/test_a.py`. */
function withoutSelection(word: string): string {
  return word.replace(/::.*$/su, "");
}

function addScript(
  named: NamedByCommand,
  dir: string,
  { manager, args }: { manager: string; args: readonly string[] },
): void {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const options = optionValues(own).filter(([, option]) => FOLDER_OPTION.test(option));
  const values = new Set(options.map(([value]) => value));
  const rest = own.filter((word) => !word.startsWith("-") && !values.has(word));
  const runs = ["run", "run-script", "rum", "urn"].includes(rest[0] ?? "");
  const word = runs ? rest[1] : rest[0];
  if (word === undefined || (!runs && (OF_MANAGER.has(word) || (manager === "bun" && word === "test")))) return;
  const script = runs ? word : (SHORT_SCRIPTS[word] ?? word);
  const packageDir = at(dir, options[0]?.[0] ?? ".");
  named.scripts.push({ packageDir, script });
  named.settings.push(...(MANAGERS[manager] as string[]).map((file) => path.posix.join(packageDir, file)));
}
