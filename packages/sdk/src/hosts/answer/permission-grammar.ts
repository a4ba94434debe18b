/**
 * Which commands of an agent are plainly calls of our own command line, and harmless ones. A shell knows a hundred
 * ways to do more than a line seems to say, so nothing is searched for here: a line is one command of words that mean
 * themselves in every shell, or it is not ours to judge. What is allowed is rewritten from what was understood,
 * every word quoted, so that even a misunderstanding could not run anything else.
 */

/** One command, its words as the program gets them, and what it reads. */
export interface PlainCommand {
  words: string[];
  heredoc?: { delimiter: string; body: string };
}

/** A host hands a command over as one argument, and systems do not take longer ones. */
const MAX_COMMAND_LENGTH = 100_000;
/** Of these no shell makes anything else, wherever they stand in a word. */
const PLAIN = "[A-Za-z0-9_./:@%+,=-]+";
/** Between single quotes everything means itself; control characters and split surrogates are still refused. */
const QUOTED = "'[^'\\p{Cc}\\p{Cs}]*'";
const WORD = new RegExp(`(?:${PLAIN}|${QUOTED})`, "uy");
const BLANK = /[ \t]*/uy;
/**
 * The rest of the first line: nothing, or a heredoc in which the shell expands nothing. With a gap before it, for
 * a number that touches it would be the number of a file.
 */
const HEREDOC = /^[ \t]<<[ \t]?'([A-Za-z_][A-Za-z0-9_]{0,63})'[ \t]*$/u;
const UNFIT_IN_BODY = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** Undefined for everything that is not plainly one command. */
export function parsePlainCommand(text: string): PlainCommand | undefined {
  if (text.length > MAX_COMMAND_LENGTH) return undefined;
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end);
  const below = end === -1 ? "" : text.slice(end + 1);
  const { words, rest } = wordsOf(line);
  if (words.length === 0) return undefined;
  if (rest === "") return /^[ \t\n]*$/u.test(below) ? { words } : undefined;
  const delimiter = HEREDOC.exec(rest)?.[1];
  const body = delimiter === undefined ? undefined : bodyOf(below, delimiter);
  return delimiter === undefined || body === undefined ? undefined : { words, heredoc: { delimiter, body } };
}

/** The words at the beginning of a line, and what follows them. */
function wordsOf(line: string): { words: string[]; rest: string } {
  const words: string[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(line)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  for (;;) {
    const gap = take(BLANK) ?? "";
    // Two words without a gap are one word to a shell.
    const word = words.length > 0 && gap === "" ? undefined : take(WORD);
    if (word === undefined) return { words, rest: at === line.length ? "" : gap.slice(0, 1) + line.slice(at) };
    words.push(word.startsWith("'") ? word.slice(1, -1) : word);
  }
}

/** What stands before the first line that is the delimiter; behind it nothing may follow. */
function bodyOf(text: string, delimiter: string): string | undefined {
  const lines = text.split("\n");
  const end = lines.indexOf(delimiter);
  if (end === -1 || lines.slice(end + 1).some((line) => /[^ \t]/u.test(line))) return undefined;
  const body = lines
    .slice(0, end)
    .map((line) => `${line}\n`)
    .join("");
  return UNFIT_IN_BODY.test(body) ? undefined : body;
}

/** The same command for a shell, with nothing left to its interpretation. */
export function renderPlainCommand({ words, heredoc }: PlainCommand): string {
  const line = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  if (heredoc === undefined) return line;
  const { delimiter, body } = heredoc;
  return `${line} <<'${delimiter}'\n${body}${delimiter}`;
}

/** A file is one that the command reads; `-` is what it is given by a heredoc. */
type OptionKind = "flag" | "text" | "file" | "runs-dir";

/** What a command takes, as far as it may be given without asking: what is missing here is for people. */
interface AllowedVerb {
  /** What it is about, behind the run. */
  about?: "effect" | "step" | "process";
  options: Readonly<Record<string, OptionKind>>;
}

const EVERYWHERE = { json: "flag", "runs-dir": "runs-dir" } as const;
const LOOKING = { ...EVERYWHERE, verbose: "flag" } as const;

/** Each option by name: a new one of the command line has to be thought about before it is allowed. */
export const ALLOWED_VERBS: Readonly<Record<string, AllowedVerb>> = {
  "run:iterate": { options: { ...LOOKING, iteration: "text", retry: "flag", "no-hooks": "flag" } },
  "run:status": { options: LOOKING },
  "run:output": { options: LOOKING },
  "run:events": { options: { ...LOOKING, limit: "text", reverse: "flag", "filter-type": "text" } },
  "run:export": { options: { ...LOOKING, mermaid: "flag", svg: "flag" } },
  "run:show": { options: LOOKING },
  "task:list": { options: { ...LOOKING, pending: "flag", kind: "text" } },
  // With --verbose it may show what looks like a secret.
  "task:show": { about: "effect", options: EVERYWHERE },
  "task:post": {
    about: "effect",
    options: {
      ...LOOKING,
      "no-hooks": "flag",
      status: "text",
      value: "file",
      error: "file",
      metadata: "file",
      "stdout-file": "file",
      "stderr-file": "file",
      "stdout-ref": "text",
      "stderr-ref": "text",
      "started-at": "text",
      "finished-at": "text",
      "invocation-key": "text",
      attempt: "text",
      "dry-run": "flag",
    },
  },
  "process:check": { about: "process", options: { ...LOOKING, inputs: "file", "max-steps": "text", strict: "flag" } },
  "loop:status": { options: LOOKING },
  "loop:verify": {
    options: { ...LOOKING, criterion: "text", again: "flag", wait: "flag", "no-wait": "flag", timeout: "text" },
  },
  "loop:check": { options: LOOKING },
  "loop:step": {
    about: "step",
    options: {
      ...LOOKING,
      done: "flag",
      failed: "flag",
      open: "flag",
      title: "text",
      "error-class": "text",
      note: "text",
    },
  },
};

/** May be given several times. */
const MANY: ReadonlySet<string> = new Set(["criterion"]);
/** With one of these, a lone argument of `loop:step` is the step. */
const SAYS_SOMETHING = ["done", "failed", "open", "title", "note", "error-class"];

export interface GivenOption {
  name: string;
  kind: OptionKind;
  /** Of all but flags. */
  value?: string;
}

/** A call that may be allowed, if its run, files and effect are the right ones. */
export interface AllowedCall {
  verb: string;
  /** As it was named; undefined for the session's own. */
  run?: string;
  about?: { kind: "effect" | "step" | "process"; id: string };
  options: GivenOption[];
  heredoc?: PlainCommand["heredoc"];
}

/** The call after the program's name; undefined for everything not on the list. */
export function parseAllowedCall({ words, heredoc }: PlainCommand): AllowedCall | undefined {
  const [, verb = "", ...rest] = words;
  const allowed = Object.hasOwn(ALLOWED_VERBS, verb) ? ALLOWED_VERBS[verb] : undefined;
  const given = allowed === undefined ? undefined : argumentsOf(rest, allowed.options);
  if (allowed === undefined || given === undefined) return undefined;
  const { options } = given;
  const target = targetOf(given, allowed);
  if (target === undefined) return undefined;
  // Nobody would read it.
  if (heredoc !== undefined && !options.some(({ kind, value }) => kind === "file" && value === "-")) return undefined;
  return { verb, ...target, options, ...(heredoc === undefined ? {} : { heredoc }) };
}

interface GivenArguments {
  positionals: string[];
  options: GivenOption[];
}

function argumentsOf(words: readonly string[], known: AllowedVerb["options"]): GivenArguments | undefined {
  const given: GivenArguments = { positionals: [], options: [] };
  const seen = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === "") return undefined;
    if (!word.startsWith("-")) {
      given.positionals.push(word);
      continue;
    }
    const option = optionOf(word, words[at + 1], known);
    if (option === undefined || (seen.has(option.name) && !MANY.has(option.name))) return undefined;
    seen.add(option.name);
    const { takesNext, ...plain } = option;
    given.options.push(plain);
    if (takesNext) at += 1;
  }
  return given;
}

function optionOf(
  word: string,
  next: string | undefined,
  known: AllowedVerb["options"],
): (GivenOption & { takesNext: boolean }) | undefined {
  const [, name = "", joined] = /^--([a-z][a-z-]*)(?:=(.*))?$/su.exec(word) ?? [];
  const kind = Object.hasOwn(known, name) ? known[name] : undefined;
  if (kind === undefined) return undefined;
  if (kind === "flag") return joined === undefined ? { name, kind, takesNext: false } : undefined;
  const value = joined ?? next;
  // A value that looks like an option may be taken for one.
  if (value === undefined || value === "" || (value.startsWith("-") && value !== "-")) return undefined;
  return { name, kind, value, takesNext: joined === undefined };
}

/** The arguments as the commands themselves tell run, effect and step apart. */
function targetOf(
  { positionals, options }: GivenArguments,
  { about }: AllowedVerb,
): Pick<AllowedCall, "run" | "about"> | undefined {
  const [first, second, ...more] = positionals;
  if (more.length > 0 || (second !== undefined && about === undefined)) return undefined;
  if (about === undefined) return first === undefined ? {} : { run: first };
  if (first !== undefined && second !== undefined)
    return about === "process" ? undefined : { run: first, about: { kind: about, id: second } };
  if (about === "step" && !options.some(({ name }) => SAYS_SOMETHING.includes(name)))
    return first === undefined ? {} : { run: first };
  return first === undefined ? undefined : { about: { kind: about, id: first } };
}

/** The words of a call once it is known what they mean on this machine. */
export function wordsOfCall(
  program: readonly string[],
  { verb, about, options }: AllowedCall,
  runDir: string | undefined,
): string[] {
  return [
    ...program,
    verb,
    ...(runDir === undefined ? [] : [runDir]),
    ...(about === undefined ? [] : [about.id]),
    ...options.flatMap(({ name, value }) => (value === undefined ? [`--${name}`] : [`--${name}`, value])),
  ];
}
