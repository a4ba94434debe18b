import { COMMANDS, GLOBAL_OPTIONS } from "../command-table.js";
import type { Command } from "../invocation.js";
import { usageError } from "../parse-arguments.js";

const SCRIPTS: Record<string, () => string> = { bash, zsh, fish };

export const command: Command = async ({ positionals: [shell = ""], name }) => {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined) throw usageError({ name }, `the shell must be bash, zsh or fish, not "${shell}".`);
  return { document: { shell, script: script() }, text: script() };
};

const names = (): string => COMMANDS.map(({ name }) => name).join(" ");
const flagsOf = (options: object): string =>
  Object.keys({ ...options, ...GLOBAL_OPTIONS })
    .map((name) => `--${name}`)
    .join(" ");

function bash(): string {
  const cases = COMMANDS.map(({ name, options }) => `    ${name}) words="${flagsOf(options)}" ;;`);
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
  const lines = COMMANDS.flatMap(({ name, summary, options }) => [
    `complete -c babysitter -n __fish_use_subcommand -f -a '${name}' -d '${summary.replaceAll("'", "\\'")}'`,
    ...Object.entries({ ...options, ...GLOBAL_OPTIONS }).map(
      ([flag, { help }]) =>
        `complete -c babysitter -n '__fish_seen_subcommand_from ${name}' -l ${flag} -d '${help.replaceAll("'", "\\'")}'`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}
