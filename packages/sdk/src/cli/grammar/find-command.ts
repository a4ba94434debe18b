import { editDistance } from "../../model/edit-distance.js";
import { BabysitterError } from "../../model/errors.js";
import { type CommandSpec, GLOBAL_OPTIONS } from "./command-spec.js";
import { COMMANDS, REPLACED_COMMANDS, WORDS_FOR } from "./command-table.js";

/** The command that a command line names, the word that named it, and what else the line says. */
export interface FoundCommand {
  spec: CommandSpec;
  calledAs: string;
  rest: string[];
}

/** Finds the command: `noun:verb`, or `noun verb`, under any of its names. */
export function findCommand(argv: readonly string[]): FoundCommand | undefined {
  const at = argv.findIndex((argument, index) => !argument.startsWith("-") && !takesValue(argv[index - 1]));
  if (at === -1) return undefined;
  const word = argv[at] as string;
  const next = argv[at + 1]?.startsWith("-") ? undefined : argv[at + 1];
  const joined = next === undefined ? word : `${word}:${next}`;
  const before = argv.slice(0, at);
  // `run status` means run:status, although `run` alone takes a name behind it.
  const split = next === undefined ? undefined : commandNamed(joined);
  if (split !== undefined) return { spec: split, calledAs: joined, rest: [...before, ...argv.slice(at + 2)] };
  const direct = Object.hasOwn(REPLACED_COMMANDS, joined) ? undefined : commandNamed(word);
  if (direct !== undefined) return { spec: direct, calledAs: word, rest: [...before, ...argv.slice(at + 1)] };
  throw unknownCommand(next !== undefined && COMMANDS.some(({ name }) => name.startsWith(`${word}:`)) ? joined : word);
}

export function commandNamed(word: string): CommandSpec | undefined {
  return COMMANDS.find(({ name, aliases }) => name === word || aliases?.includes(word));
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
  const isNoun = COMMANDS.some(({ name }) => name.startsWith(`${word}:`));
  if (isNoun)
    return new BabysitterError("USAGE", `"${word}" is only the first half of a command.`, {
      hint: `\`babysitter help ${word}\` lists the commands that begin with it.`,
    });
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
