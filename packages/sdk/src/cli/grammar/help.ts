import { VERSION } from "../../model/version.js";
import { commandGroups } from "./command-groups.js";
import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "./command-spec.js";
import { COMMANDS } from "./command-table.js";

/** The overview of all commands. */
export function renderOverview(): string {
  return [
    `babysitter ${VERSION}: keeps coding agents going until the work is verified.`,
    "",
    "Usage: babysitter <command> [arguments] [--json]",
    "",
    ...commandGroups().flatMap(({ title, commands }) => [
      title,
      ...columns(commands.map(({ name, summary }) => [name, summary])),
      "",
    ]),
    "babysitter help <command>   the options of a command",
    "babysitter help loop        all commands that begin with loop:, also by other names; so for run, task …",
    "babysitter help topics      how to name runs, give inputs, read exit codes …",
    "",
  ].join("\n");
}

/** The help of one command. */
export function renderCommandHelp(spec: CommandSpec): string {
  const positionals = spec.positionals.map(({ name, optional, many }) => {
    const shown = many ? `${name}…` : name;
    return optional ? `[${shown}]` : `<${shown}>`;
  });
  const lines = [`Usage: babysitter ${[spec.name, ...positionals].join(" ")} [options]`, "", spec.summary];
  if (spec.details !== undefined) lines.push(spec.details);
  if (spec.aliases !== undefined) lines.push(`Also: ${spec.aliases.map((name) => `babysitter ${name}`).join(", ")}`);
  if (spec.positionals.length > 0) lines.push("", ...columns(spec.positionals.map(({ name, help }) => [name, help])));
  const options = Object.entries({ ...spec.options, ...GLOBAL_OPTIONS }).filter(([, { hidden }]) => !hidden);
  lines.push("", "Options:", ...columns(options.map(([name, option]) => [optionName(name, option), option.help])));
  if (spec.examples !== undefined) lines.push("", "Examples:", ...spec.examples.map((example) => `  ${example}`));
  return `${lines.join("\n")}\n`;
}

/** The commands that begin with a noun, those by another name last; undefined where the word is not a noun. */
export function renderNoun(noun: string): string | undefined {
  const own = COMMANDS.map(({ name, summary }): [string, string] => [name, summary]);
  const others = COMMANDS.flatMap(({ name, aliases = [], summary }) =>
    aliases.map((alias): [string, string] => [alias, `${summary} The same as ${name}.`]),
  );
  const rows = [...own, ...others].filter(([name]) => name.startsWith(`${noun}:`));
  return rows.length === 0 ? undefined : `${columns(rows).join("\n")}\n`;
}

function optionName(name: string, { value, short }: OptionSpec): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return value === undefined ? `${letter}--${name}` : `${letter}--${name} <${value}>`;
}

function columns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
