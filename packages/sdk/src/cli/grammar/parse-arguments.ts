import { parseArgs } from "node:util";
import { editDistance } from "../../model/edit-distance.js";
import { BabysitterError } from "../../model/errors.js";
import { LAST_RUN } from "../../model/short-names.js";
import {
  COMMANDS,
  type CommandSpec,
  GLOBAL_OPTIONS,
  isRunArgument,
  type OptionSpec,
  REPLACED_COMMANDS,
  WORDS_FOR,
} from "./command-table.js";
import type { Options } from "./invocation.js";

export interface ParsedArguments {
  spec: CommandSpec;
  positionals: string[];
  options: Options;
}

/** Finds the command: `noun:verb`, or `noun verb`, under any of its names. */
export function findCommand(
  argv: readonly string[],
): { spec: CommandSpec; calledAs: string; rest: string[] } | undefined {
  const at = argv.findIndex((argument, index) => !argument.startsWith("-") && !takesValue(argv[index - 1]));
  if (at === -1) return undefined;
  const word = argv[at] as string;
  const next = argv[at + 1];
  const joined = next === undefined ? word : `${word}:${next}`;
  const before = argv.slice(0, at);
  // `run status` means run:status, although `run` alone takes a name behind it.
  const split = next === undefined ? undefined : commandNamed(joined);
  if (split !== undefined) return { spec: split, calledAs: joined, rest: [...before, ...argv.slice(at + 2)] };
  const direct = Object.hasOwn(REPLACED_COMMANDS, joined) ? undefined : commandNamed(word);
  if (direct !== undefined) return { spec: direct, calledAs: word, rest: [...before, ...argv.slice(at + 1)] };
  throw unknownCommand(next !== undefined && COMMANDS.some(({ name }) => name.startsWith(`${word}:`)) ? joined : word);
}

function commandNamed(word: string): CommandSpec | undefined {
  return COMMANDS.find(({ name, aliases }) => name === word || aliases?.includes(word));
}

/** Splits the rest of the command line; everything unknown is an error. */
export function parseArguments(spec: CommandSpec, rest: string[]): ParsedArguments {
  const known: Record<string, OptionSpec> = { ...GLOBAL_OPTIONS, ...spec.options };
  let parsed: { values: Record<string, string | boolean | (string | boolean)[] | undefined>; positionals: string[] };
  try {
    parsed = parseArgs({
      args: rest,
      options: Object.fromEntries(
        Object.entries(known).map(([name, { type, many = false, short }]) => [
          name,
          { type, multiple: many, ...(short === undefined ? {} : { short }) },
        ]),
      ),
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw usageError(
      spec,
      (error as Error).message.split("\n")[0]?.replace(/\. To specify a positional.*$/, ".") ?? "bad arguments",
    );
  }
  const { values } = parsed;
  if (values["last"] === true) nameLastRun(spec, parsed);
  if (parsed.positionals.length > spec.positionals.length && !spec.positionals.at(-1)?.many) {
    throw usageError(spec, `Too many arguments: ${parsed.positionals.slice(spec.positionals.length).join(" ")}`);
  }
  const options: Options = {
    text: (name) => (typeof values[name] === "string" && values[name] !== "" ? values[name] : undefined),
    texts: (name) =>
      [values[name] ?? []].flat().filter((value) => typeof value === "string" && value !== "") as string[],
    flag: (name) => values[name] === true,
    isEmpty: (name) => values[name] === "",
  };
  return { spec, positionals: parsed.positionals, options };
}

/** `--last` is a name for the run, and goes where names of runs go. */
function nameLastRun(
  spec: CommandSpec,
  { values, positionals }: { values: Record<string, unknown>; positionals: string[] },
): void {
  const at = spec.positionals.findIndex(isRunArgument);
  if (at === -1) values["run"] ??= LAST_RUN;
  else if (positionals.length >= spec.positionals.length)
    throw usageError(spec, `--last names the newest run; leave ${positionals[at]} out.`);
  else positionals.splice(at, 0, LAST_RUN);
}

/** An error about how a command was called. */
export function usageError(spec: Pick<CommandSpec, "name">, problem: string): BabysitterError {
  return new BabysitterError("USAGE", `${spec.name}: ${problem}`, { hint: `See: babysitter ${spec.name} --help` });
}

/** A whole number from an option. */
export function numberOption(spec: string, options: Options, name: string): number | undefined {
  const text = options.text(name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError({ name: spec }, `--${name} must be a whole number, not "${text}".`);
}

function takesValue(argument: string | undefined): boolean {
  const name = argument?.startsWith("--") ? argument.slice(2) : undefined;
  return name !== undefined && GLOBAL_OPTIONS[name]?.type === "string";
}

function unknownCommand(word: string): BabysitterError {
  const replacement = Object.hasOwn(REPLACED_COMMANDS, word) ? REPLACED_COMMANDS[word] : undefined;
  if (replacement !== undefined) {
    return new BabysitterError("USAGE", `Unknown command "${word}".`, {
      hint: `Use ${replacement}.`,
      details: { replacement },
    });
  }
  const near = nearCommands(word);
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`babysitter --help` lists the commands.";
  return new BabysitterError("USAGE", `Unknown command "${word}".`, { hint });
}

const MAX_NEAR = 4;

/** Commands that may have been meant by a word: by what it says, by their verb, else by a slip of the fingers. */
export function nearCommands(word: string): string[] {
  const names = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const verb = verbOf(word.toLowerCase());
  const meant = Object.hasOwn(WORDS_FOR, verb) ? (WORDS_FOR[verb] ?? []).filter((name) => names.includes(name)) : [];
  const said = [...meant, ...names.filter((name) => name.endsWith(`:${verb}`))];
  const isNear = (name: string): boolean => editDistance(name, word) <= Math.min(3, Math.floor(word.length / 2));
  const slips = word.includes(":")
    ? names.filter(isNear)
    : names.filter((name) => isNear(name) || isNear(verbOf(name)));
  return [...new Set(said.length > 0 ? said : slips)].slice(0, MAX_NEAR);
}

function verbOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
