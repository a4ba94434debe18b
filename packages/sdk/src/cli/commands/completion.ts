import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "../grammar/command-table.js";
import type { Command } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

const SCRIPTS: Record<string, () => string> = { bash, zsh, fish };

export const command: Command = async ({ positionals: [shell = ""], name }) => {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined) throw usageError({ name }, `the shell must be bash, zsh or fish, not "${shell}".`);
  return { document: { shell, script: script() }, text: script() };
};

const namesOf = ({ name, aliases = [] }: CommandSpec): string[] => [name, ...aliases];
const names = (): string => COMMANDS.flatMap(namesOf).join(" ");
const optionsOf = (spec: CommandSpec): [string, OptionSpec][] =>
  Object.entries({ ...spec.options, ...GLOBAL_OPTIONS }).filter(([, { hidden }]) => !hidden);
const flagsOf = (spec: CommandSpec): string =>
  optionsOf(spec)
    .map(([name]) => `--${name}`)
    .join(" ");

function bash(): string {
  const cases = COMMANDS.map((spec) => `    ${namesOf(spec).join("|")}) words="${flagsOf(spec)}" ;;`);
  return `_babysitter() {
  local words current=\${COMP_WORDS[COMP_CWORD]}
  COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="${names()}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _babysitter babysitter babysitter-sdk
`;
}

function zsh(): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`;
}

function fish(): string {
  const lines = COMMANDS.flatMap((spec) => [
    ...namesOf(spec).map(
      (name) => `complete -c babysitter -n __fish_use_subcommand -f -a '${name}' -d ${quoted(spec.summary)}`,
    ),
    ...optionsOf(spec).map(
      ([flag, { help }]) =>
        `complete -c babysitter -n '__fish_seen_subcommand_from ${namesOf(spec).join(" ")}' -l ${flag} -d ${quoted(help)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
