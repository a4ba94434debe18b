import { BabysitterError } from "../../model/errors.js";
import { completeWords } from "../answers/complete-words.js";
import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "../grammar/command-spec.js";
import { COMMANDS } from "../grammar/command-table.js";
import type { Command, Invocation } from "../grammar/invocation.js";
import { usageError } from "../grammar/parse-arguments.js";

const SCRIPTS: Record<string, () => string> = { bash, zsh, fish };
/** What the scripts ask for while somebody types. */
const WORDS = "words";

export const command: Command = async (invocation) => {
  const { positionals, name } = invocation;
  const [shell = "", ...typed] = positionals;
  if (shell === WORDS) {
    const words = await wordsFor(invocation, typed);
    return { document: { words }, text: words.join("\n") };
  }
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined) throw usageError({ name }, `the shell must be bash, zsh or fish, not "${shell}".`);
  return { document: { shell, script: script() }, text: script() };
};

/** Where nothing can be found, nothing is offered: an error would be printed into the line that is being typed. */
async function wordsFor(invocation: Invocation, typed: readonly string[]): Promise<string[]> {
  try {
    return await completeWords(invocation, typed);
  } catch (error) {
    if (!BabysitterError.is(error)) throw error;
    return [];
  }
}

const namesOf = ({ name, aliases = [] }: CommandSpec): string[] => [name, ...aliases];
const names = (): string => COMMANDS.flatMap(namesOf).join(" ");
const optionsOf = (spec: CommandSpec): [string, OptionSpec][] =>
  Object.entries({ ...spec.options, ...GLOBAL_OPTIONS }).filter(([, { hidden }]) => !hidden);
const flagsOf = (spec: CommandSpec): string =>
  optionsOf(spec)
    .map(([name]) => `--${name}`)
    .join(" ");

/** Commands whose arguments are looked up; all others complete without starting a program. */
const LOOKED_UP = new Set(["run", "process-or-run", "effect", "breakpoint", "word"]);
const looksUp = (spec: CommandSpec): boolean => spec.positionals.some(({ name }) => LOOKED_UP.has(name));

function bash(): string {
  const cases = COMMANDS.map(
    (spec) => `    ${namesOf(spec).join("|")}) words="${flagsOf(spec)}"${looksUp(spec) ? " ids=1" : ""} ;;`,
  );
  return `_babysitter() {
  local words ids= current=\${COMP_WORDS[COMP_CWORD]}
  COMP_WORDBREAKS=\${COMP_WORDBREAKS//:/}
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="${names()}" ;;
  esac
  if [ -n "$ids" ] && [ "\${current#-}" = "$current" ]; then
    words="$words $(babysitter completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
  fi
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
    ...(looksUp(spec)
      ? [
          `complete -c babysitter -n '__fish_seen_subcommand_from ${namesOf(spec).join(" ")}' -a '(babysitter completion words -- (commandline -opc)[2..] 2>/dev/null)'`,
        ]
      : []),
  ]);
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
