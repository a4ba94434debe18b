/** The command lines on a page: in its shell blocks and in `code` within its text. Pure functions. */
import { readBlocks } from "./doc-blocks.mjs";

const SHELLS = ["bash", "sh", "shell", "console"];
/** What may stand in front of a program. */
const BEFORE = /^(?:[A-Za-z_]\w*=.*|nohup|exec|npx|sudo|time|then|do|if|while|until|else|!|\{|\()$/u;

/**
 * Lines that a shell would read as a call of this program: `{ line, args }`, arguments as the program gets them.
 * `inline`: within the text, where a command may be named without all that it needs.
 */
export function programLines(text, program) {
  return readLines(text).flatMap(({ line, code, inline }) =>
    lineCommands(code)
      .filter((command) => command.program === program)
      .map(({ at, words }) => ({
        line: line + at,
        args: words.filter((word) => word !== "…" && !/^\[.*\]$/u.test(word)),
        ...(inline && { inline }),
      })),
  );
}

/** What a shell would read: the shell blocks, and each `code` within the text (`inline`), with the line of each. */
export function readLines(text) {
  const inline = inlineCode(text).map(({ line, code }) => ({ line, code: withoutOptional(code), inline: true }));
  return [...shellTexts(text).map(({ line, source }) => ({ line, code: source, inline: false })), ...inline];
}

/** The calls of programs in a script: which, what stands before it, its arguments, and the line (from 0). */
export function lineCommands(code) {
  return shellCommands(code).flatMap(({ words, at }) => {
    const first = words.findIndex((word) => !BEFORE.test(word));
    if (first < 0) return [];
    return [{ at, program: words[first], before: words.slice(0, first), words: words.slice(first + 1) }];
  });
}

/** Lines that people type into an agent host: `{ line, verb, args }`, where `/babysit` itself is the verb babysit. */
export function slashLines(text) {
  const typed = readBlocks(text).blocks.flatMap(({ line, lines }) =>
    lines.map((code, index) => ({ line: line + 1 + index, code: code.trim() })),
  );
  const within = inlineCode(text).map(({ line, code }) => ({ line, code, inline: true }));
  return [...typed, ...within].flatMap(({ code, ...rest }) => {
    const { verb = "babysit", args = "" } = SLASH.exec(code)?.groups ?? {};
    if (!SLASH.test(code)) return [];
    const words = withoutOptional(args)
      .replaceAll(/<([\w-]+)>/gu, "$1")
      .replaceAll(/ …$/gu, "");
    return [{ ...rest, verb, args: words.trim() }];
  });
}

const SLASH = /^\/babysit(?:ter:(?<verb>[\w-]+))?(?<args>\s.*)?$/u;

/** `[question or run]` says what may stand there. */
export function withoutOptional(code) {
  return code.replaceAll(/\[[^\]'"]*\]/gu, "");
}

function shellTexts(text) {
  return readBlocks(text)
    .blocks.filter(({ language }) => SHELLS.includes(language) || language === "yaml")
    .map(({ line, language, lines }) => ({ line: line + 1, source: sourceOf(language, lines) }));
}

function sourceOf(language, lines) {
  if (language === "console") return typedOnly(lines);
  return language === "yaml" ? stepsOnly(lines) : lines.join("\n");
}

/** The commands of a CI job: what stands behind `run:`, also on lines of its own; each line stays where it is. */
function stepsOnly(lines) {
  let margin = Number.POSITIVE_INFINITY;
  return lines
    .map((line) => {
      const indent = /^\s*/u.exec(line)[0].length;
      const step = /^(?<before>\s*(?:- )?)run: *(?<command>.*)$/u.exec(line)?.groups;
      if (step === undefined) {
        if (line.trim() !== "" && indent <= margin) margin = Number.POSITIVE_INFINITY;
        return margin < indent ? line : "";
      }
      const isBlock = /^[|>]/u.test(step.command);
      margin = isBlock ? step.before.length : Number.POSITIVE_INFINITY;
      return isBlock ? "" : step.command;
    })
    .join("\n");
}

/** What is printed is not typed; each line stays where it is. */
function typedOnly(lines) {
  let continues = false;
  return lines
    .map((line) => {
      const isTyped = continues || line.startsWith("$ ");
      continues = isTyped && line.endsWith("\\");
      if (!isTyped) return "";
      return line.startsWith("$ ") ? line.slice(2) : line;
    })
    .join("\n");
}

/** Code within a line of text, outside of blocks. */
export function inlineCode(text) {
  return withoutBlocks(text)
    .split("\n")
    .flatMap((source, index) =>
      [...source.matchAll(/(?<!`)(`+)(?!`)(?<code>.*?[^`])\1(?!`)/gu)].map(({ groups: { code } }) => ({
        line: index + 1,
        code: code.replaceAll("\\|", "|").trim(),
      })),
    );
}

/** The page with its blocks emptied; what is left stays on its lines. */
export function withoutBlocks(text) {
  const lines = text.split("\n");
  for (const { line, lines: body } of readBlocks(text).blocks)
    for (let at = line - 1; at <= line + body.length; at += 1) lines[at] = "";
  return lines.join("\n");
}

/** The simple commands of a script, each as words, with the line where it begins (from 0). `<name>` is a word. */
export function shellCommands(script) {
  const commands = [];
  let command = { words: [], at: 0 };
  let word;
  let line = 0;
  const endWord = () => {
    if (word !== undefined) command.words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (command.words.length > 0) commands.push(command);
    command = { words: [], at: line };
  };
  const add = (text) => {
    if (command.words.length === 0 && word === undefined) command.at = line;
    word = (word ?? "") + text;
  };
  const source = script
    .replaceAll(/<([\w-]+(?: [\w-]+)*)>/gu, (_, name) => name.replaceAll(" ", "-"))
    .replaceAll(/\d*[<>]&\d/gu, "");
  for (const [token, { quoted, escaped, end, space, comment }] of tokensOf(source)) {
    if (quoted !== undefined) add(quoted);
    else if (end !== undefined) endCommand();
    else if (space !== undefined || escaped === "\n") endWord();
    else if (comment === undefined) add(escaped ?? token);
    line += token.split("\n").length - 1;
  }
  endCommand();
  return commands.map(({ words, at }) => ({ at, words: withoutRedirections(words) }));
}

const TOKEN =
  /"(?<double>(?:[^"\\]|\\[\s\S])*)"|'(?<single>[^']*)'|\\(?<escaped>[\s\S])|(?<end>\$\(|[;&|()\n]+)|(?<space>[ \t]+)|(?<comment>(?<=^|[\s;])#[^\n]*)|[\s\S]/gu;

function* tokensOf(source) {
  for (const [token, double, single, ...rest] of source.matchAll(TOKEN)) {
    const [escaped, end, space, comment] = rest;
    const quoted = double?.replaceAll(/\\(["\\$`])/gu, "$1") ?? single;
    yield [token, { quoted, escaped, end, space, comment }];
  }
}

/** `> file`, `2>&1` and the like are the shell's own. */
function withoutRedirections(words) {
  const left = [];
  for (let at = 0; at < words.length; at += 1) {
    const redirection = /^\d*(?:>>?|<<?<?)(?<target>.*)$/u.exec(words[at]);
    if (redirection === null) left.push(words[at]);
    else if (redirection.groups.target === "") at += 1;
  }
  return left;
}
