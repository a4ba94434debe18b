import { parseArgs } from "node:util";
import { nearestFlag } from "../../loop/formats/nearest-flag.js";
import { BabysitterError } from "../../model/errors.js";
import { shellQuoted } from "../../model/shell-quoted.js";
import { LAST_RUN } from "../../model/short-names.js";
import { type CommandSpec, GLOBAL_OPTIONS, isRunArgument, type OptionSpec } from "./command-spec.js";
import type { Options } from "./invocation.js";

export interface ParsedArguments {
  spec: CommandSpec;
  positionals: string[];
  options: Options;
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
    const problem = (error as Error).message.split("\n")[0]?.replace(/\. To specify a positional.*$/, ".");
    const [, unknown] = /^Unknown option '--(?:no-)?([^']+)'/u.exec(problem ?? "") ?? [];
    const near = unknown === undefined ? undefined : nearestFlag(unknown, visible(known));
    throw usageError(spec, problem ?? "bad arguments", near === undefined ? "" : `Did you mean --${near}? `);
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
    words: () => Object.keys(values).flatMap((name) => (name in spec.options ? optionWords(name, values[name]) : [])),
  };
  return { spec, positionals: parsed.positionals, options };
}

function optionWords(name: string, value: string | boolean | (string | boolean)[] | undefined): string[] {
  if (value === undefined || value === false) return [];
  return [value].flat().map((one) => (typeof one === "string" ? `--${name} ${shellQuoted(one)}` : `--${name}`));
}

/** `--last` is a name for the run, and goes where names of runs go. */
function nameLastRun(
  spec: CommandSpec,
  { values, positionals }: { values: Record<string, unknown>; positionals: string[] },
): void {
  delete values["last"];
  const at = spec.positionals.findIndex(isRunArgument);
  if (at === -1) values["run"] ??= LAST_RUN;
  else if (positionals.length >= spec.positionals.length)
    throw usageError(spec, `--last names the newest run; leave ${positionals[at]} out.`);
  else positionals.splice(at, 0, LAST_RUN);
}

function visible(options: Readonly<Record<string, OptionSpec>>): string[] {
  return Object.keys(options).filter((name) => !options[name]?.hidden);
}

/** An error about how a command was called. */
export function usageError(spec: Pick<CommandSpec, "name">, problem: string, advice = ""): BabysitterError {
  const hint = `${advice}See: babysitter ${spec.name} --help`;
  return new BabysitterError("USAGE", `${spec.name}: ${problem}`, { hint });
}

/** A whole number from an option. */
export function numberOption(spec: string, options: Options, name: string): number | undefined {
  const text = options.text(name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError({ name: spec }, `--${name} must be a whole number, not "${text}".`);
}
