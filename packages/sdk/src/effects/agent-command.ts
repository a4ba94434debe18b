/** The command that serves agent tasks: how it is written in a setting, and what becomes of it for one task. */
import { BabysitterError } from "../model/errors.js";

/** What may stand in braces inside an argument, and what it becomes. */
const PLACEHOLDERS = {
  promptFile: "path of the prompt file; without it the prompt goes to stdin",
  outputFile: "path where the answer may be written",
  schemaFile: "path of the JSON Schema of the answer",
  effectId: "ID of the task",
  runId: "ID of the run",
  title: "title of the task",
  cwd: "working directory of the command",
  model: "model that the task asks for",
} as const;

export type Placeholder = keyof typeof PLACEHOLDERS;
/** A value that is undefined does not exist for this task. */
export type PlaceholderValues = Readonly<Record<Placeholder, string | undefined>>;

/** Pieces of one argument: literal text and placeholders. */
type Template = readonly (string | { name: Placeholder })[];

export interface AgentCommand {
  /** The setting as it was given, for messages. */
  readonly text: string;
  readonly argv: readonly Template[];
}

/** Reads the setting: a JSON array of arguments, or a command line with the quoting rules of a shell. */
export function parseAgentCommand(text: string): AgentCommand {
  const words = text.trimStart().startsWith("[") ? parseArgumentList(text) : splitCommandLine(text);
  if (words.length === 0 || words[0] === "") throw usage("The agent command is empty.");
  if (words.some((word) => word.includes("\0"))) throw usage("The agent command contains a NUL character.");
  return { text: text.trim(), argv: words.map(parseTemplate) };
}

export function usesPlaceholder({ argv }: AgentCommand, name: Placeholder): boolean {
  return argv.some((template) => template.some((piece) => typeof piece === "object" && piece.name === name));
}

/**
 * The arguments for one task. An argument that is nothing but a placeholder without a value is left out,
 * and the flag before it too: `--model {model}` vanishes when the task asks for no model. So does
 * `--model={model}`.
 */
export function renderAgentCommand({ argv }: AgentCommand, values: PlaceholderValues): [string, ...string[]] {
  const [program = [], ...rest] = argv;
  const args: string[] = [];
  let flagIsLast = false;
  for (const template of rest) {
    const absent = absenceOf(template, values);
    if (absent === "whole" && flagIsLast) args.pop();
    if (absent === undefined) args.push(render(template, values));
    flagIsLast = absent === undefined && isFlag(template);
  }
  return [render(program, values), ...args];
}

/** Whether the argument consists of a missing value, alone or behind `--flag=`. */
function absenceOf(template: Template, values: PlaceholderValues): "whole" | "with its flag" | undefined {
  const last = template.at(-1);
  if (typeof last !== "object" || values[last.name] !== undefined) return undefined;
  if (template.length === 1) return "whole";
  const [first] = template;
  const isAssignment = template.length === 2 && typeof first === "string" && /^-[^=]*=$/u.test(first);
  return isAssignment ? "with its flag" : undefined;
}

function isFlag(template: Template): boolean {
  const [only] = template;
  return template.length === 1 && typeof only === "string" && /^--?[^-=][^=]*$/u.test(only);
}

function render(template: Template, values: PlaceholderValues): string {
  return template.map((piece) => (typeof piece === "string" ? piece : (values[piece.name] ?? ""))).join("");
}

/** `{name}` is a placeholder, `{{` a brace; a closing brace alone is itself. */
function parseTemplate(word: string): Template {
  const pieces: (string | { name: Placeholder })[] = [];
  let literal = "";
  let at = 0;
  while (at < word.length) {
    const [matched, escaped, name] = /^(?:(\{\{)|\{([^{}]*)\}|[^{]+|\{)/u.exec(word.slice(at)) as RegExpExecArray;
    at += matched.length;
    if (escaped !== undefined) literal += "{";
    else if (!matched.startsWith("{")) literal += matched;
    else {
      if (literal !== "") pieces.push(literal);
      literal = "";
      pieces.push({ name: placeholderOf(name, word) });
    }
  }
  if (literal !== "" || pieces.length === 0) pieces.push(literal);
  return pieces;
}

function placeholderOf(name: string | undefined, word: string): Placeholder {
  if (name !== undefined && Object.hasOwn(PLACEHOLDERS, name)) return name as Placeholder;
  const what = name === undefined ? "an unclosed brace" : `the unknown placeholder {${name}}`;
  const known = Object.keys(PLACEHOLDERS).map((key) => `{${key}}`);
  throw usage(`The agent command has ${what} in ${JSON.stringify(word)}.`, {
    hint: `Known placeholders: ${known.join(", ")}. Write {{ for a literal brace.`,
  });
}

function parseArgumentList(text: string): string[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (cause) {
    throw usage(`The agent command starts with "[" but is not valid JSON: ${String(cause)}`, { cause });
  }
  if (!Array.isArray(list) || !list.every((item) => typeof item === "string"))
    throw usage("The agent command is JSON, but not an array of strings.");
  return list;
}

/** What a shell would do with it by itself; nobody does it here. */
const OPERATOR = /^(?:\||\|\||&|&&|;|[0-9]*(?:<|>|>>)(?:&[0-9-])?)$/u;
const BLANK = /^[ \t\r\n]+/u;
/** One after the other: quoted exactly, quoted with escapes, escaped, plain. */
const PART = /^(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+))/u;

function splitCommandLine(text: string): string[] {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const { word, source } = takeWord(rest);
    if (OPERATOR.test(source)) {
      const hint = `Write it as: sh -c '…'. To pass ${source} as an argument, quote it.`;
      throw usage(`The agent command does not run in a shell, so "${source}" would be a plain argument.`, { hint });
    }
    words.push(word);
    rest = rest.slice(source.length).replace(BLANK, "");
  }
  return words;
}

/** The first word, as meant and as written. */
function takeWord(text: string): { word: string; source: string } {
  let word = "";
  let rest = text;
  while (rest !== "" && !BLANK.test(rest)) {
    const match = PART.exec(rest);
    if (match === null) {
      const what = rest.startsWith("\\") ? "a trailing backslash" : `an unbalanced quote: ${rest.slice(0, 60)}`;
      throw usage(`The agent command has ${what}`);
    }
    const [source, exact, quoted, escaped, plain] = match;
    word += exact ?? quoted?.replaceAll(/\\(["\\$`\n])/gu, unescape) ?? escaped?.replace("\n", "") ?? plain ?? "";
    rest = rest.slice(source.length);
  }
  return { word, source: text.slice(0, text.length - rest.length) };
}

/** A line end that is escaped vanishes. */
function unescape(_source: string, character: string): string {
  return character === "\n" ? "" : character;
}

function usage(message: string, info: { hint?: string; cause?: unknown } = {}): BabysitterError {
  const hint = "Set it with --agent-command or BABYSITTER_AGENT_COMMAND.";
  return new BabysitterError("USAGE", message, { ...info, hint: info.hint === undefined ? hint : info.hint });
}
