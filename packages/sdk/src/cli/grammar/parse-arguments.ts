import { parseArgs } from "node:util";
import { editDistance } from "../../model/edit-distance.js";
import { BabysitterError } from "../../model/errors.js";
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec, REPLACED_COMMANDS } from "./command-table.js";
import type { Options } from "./invocation.js";

export interface ParsedArguments {
  spec: CommandSpec;
  positionals: string[];
  options: Options;
}

/** Finds the command: `noun:verb`, or `noun verb`, under any of its names. */
export function findCommand(argv: readonly string[]): { spec: CommandSpec; rest: string[] } | undefined {
  const at = argv.findIndex((argument, index) => !argument.startsWith("-") && !takesValue(argv[index - 1]));
  if (at === -1) return undefined;
  const word = argv[at] as string;
  const next = argv[at + 1];
  const joined = next === undefined ? word : `${word}:${next}`;
  const before = argv.slice(0, at);
  // `run status` means run:status, although `run` alone takes a name behind it.
  const split = next === undefined ? undefined : commandNamed(joined);
  if (split !== undefined) return { spec: split, rest: [...before, ...argv.slice(at + 2)] };
  const direct = Object.hasOwn(REPLACED_COMMANDS, joined) ? undefined : commandNamed(word);
  if (direct !== undefined) return { spec: direct, rest: [...before, ...argv.slice(at + 1)] };
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
        Object.entries(known).map(([name, { type, many = false }]) => [name, { type, multiple: many }]),
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
  if (parsed.positionals.length > spec.positionals.length && !spec.positionals.at(-1)?.many) {
    throw usageError(spec, `Too many arguments: ${parsed.positionals.slice(spec.positionals.length).join(" ")}`);
  }
  const { values } = parsed;
  const options: Options = {
    text: (name) => (typeof values[name] === "string" && values[name] !== "" ? values[name] : undefined),
    texts: (name) =>
      [values[name] ?? []].flat().filter((value) => typeof value === "string" && value !== "") as string[],
    flag: (name) => values[name] === true,
    isEmpty: (name) => values[name] === "",
  };
  return { spec, positionals: parsed.positionals, options };
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

/** Commands that may have been meant by a word. */
export function nearCommands(word: string): string[] {
  return COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]).filter(
    (name) => editDistance(name, word) <= 3,
  );
}
