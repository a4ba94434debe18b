/**
 * The fenced blocks of a page, and what they ask for. Everything here is a pure function of its arguments.
 *
 * In a block `console run`, a line that begins with `$ ` is a command (it continues after a trailing backslash) and the
 * lines below it are what a terminal shows. `# exit 3` behind a command is its exit code, `# answer: y` a line that is
 * typed when it asks. In the output `…` stands for anything within a line, and alone on a line for any number of
 * lines. A block with `file=name` is written to that file; `append` adds to it.
 */

const FENCE = /^(?<indent> *)(?<fence>`{3,}|~{3,})(?<info>.*)$/u;

/** Every fenced block with the line of its fence, from 1. An unclosed block is a problem, and ends the page. */
export function readBlocks(text) {
  const lines = text.split("\n");
  const blocks = [];
  const problems = [];
  for (let at = 0; at < lines.length; at += 1) {
    const { indent, fence, info } = FENCE.exec(lines[at])?.groups ?? {};
    if (fence === undefined) continue;
    const closes = new RegExp(`^ *${fence[0]}{${fence.length},} *$`, "u");
    const length = lines.slice(at + 1).findIndex((line) => closes.test(line));
    if (length < 0) {
      problems.push({ line: at + 1, what: "This block is never closed." });
      break;
    }
    const margin = new RegExp(`^ {0,${indent.length}}`, "u");
    const body = lines.slice(at + 1, at + 1 + length).map((line) => line.replace(margin, ""));
    const { problem, ...tags } = readInfo(info.trim());
    if (problem !== undefined) problems.push({ line: at + 1, what: problem });
    blocks.push({ line: at + 1, ...tags, lines: body, text: body.map((line) => `${line}\n`).join("") });
    at += length + 1;
  }
  return { blocks, problems };
}

/** The first word is the language; behind it stand `run`, `append` and `file=name`. */
function readInfo(info) {
  const [language = "", ...words] = info.split(/\s+/u);
  const tags = { language, run: words.includes("run"), append: words.includes("append") };
  const files = words.filter((word) => word.startsWith("file=")).map((word) => word.slice(5));
  if (files.length > 0) tags.file = files[0];
  return { ...tags, problem: problemOf(tags, words) };
}

function problemOf({ language, run, append, file }, words) {
  const unknown = words.find((word) => word !== "run" && word !== "append" && !word.startsWith("file="));
  if (unknown !== undefined) return `"${unknown}" means nothing behind the language: use run, append or file=name.`;
  if (run && language !== "console") return `Only a console block is run, not ${language || "one without a language"}.`;
  if (append && file === undefined) return "append needs file=name.";
  if (run && file !== undefined) return "A block is either run or written to a file.";
  if (file === undefined) return undefined;
  const isOutside = file === "" || file.startsWith("/") || file.split("/").includes("..");
  return isOutside ? `file=${file} does not name a file in the folder of the page.` : undefined;
}

/** What a page has a reader do, in its order: files to write, commands to type. */
export function readSteps(text) {
  const { blocks, problems } = readBlocks(text);
  const steps = [];
  for (const block of blocks) {
    if (block.file !== undefined) {
      const { line, file, append } = block;
      steps.push({ kind: "file", line, file, append, text: block.text });
    } else if (block.run) steps.push(...commandsOf(block, problems));
  }
  return { steps, problems };
}

const PROMPT = "$ ";

function commandsOf({ line: fence, lines }, problems) {
  const commands = [];
  let continues = false;
  for (const [index, text] of lines.entries()) {
    const line = fence + 1 + index;
    const last = commands.at(-1);
    if (continues) last.typed += `\n${text}`;
    else if (text.startsWith(PROMPT)) commands.push({ kind: "command", line, typed: text.slice(2), output: [] });
    else if (last !== undefined) last.output.push(text.trimEnd());
    else problems.push({ line, what: "Output before the first command. A command begins with `$ `." });
    continues = commands.at(-1)?.typed.endsWith("\\") && (continues || text.startsWith(PROMPT));
  }
  if (commands.length === 0) problems.push({ line: fence, what: "There is no command in this block." });
  if (continues) problems.push({ line: fence + lines.length, what: "The last command goes nowhere behind its \\." });
  return commands.map(({ typed, output, ...rest }) => ({ ...rest, ...readNotes(typed), output: trimEmpty(output) }));
}

const NOTE = /\s+# (?:exit (?<exit>\d+)|answer:(?<answer>[^#]*))$/u;

/** Takes the notes off the end of a command. */
function readNotes(typed) {
  let command = typed.trimEnd();
  let exit = 0;
  const answers = [];
  for (let note = NOTE.exec(command); note !== null; note = NOTE.exec(command)) {
    if (note.groups.exit === undefined) answers.unshift(note.groups.answer.trim());
    else exit = Number(note.groups.exit);
    command = command.slice(0, note.index).trimEnd();
  }
  return { command, exit, answers };
}

const ANYTHING = "…";

/**
 * Compares what a page shows with what was printed, line by line; empty lines before and behind count for nothing.
 * Answers undefined, or the place of the first line that is not there.
 */
export function compareOutput(expected, printed) {
  const wanted = trimEmpty(expected);
  const there = trimEmpty(printed);
  const patterns = wanted.map((line) => (line.trim() === ANYTHING ? undefined : linePattern(line)));
  // How far the output can have been read when the page has been read up to here: all the ways at once.
  let ends = new Set([0]);
  for (const [index, pattern] of patterns.entries()) {
    const next = new Set();
    if (pattern === undefined) for (let at = Math.min(...ends); at <= there.length; at += 1) next.add(at);
    else for (const at of ends) if (at < there.length && pattern.test(there[at])) next.add(at + 1);
    if (next.size === 0) return { expected: index, printed: Math.min(...ends) };
    ends = next;
  }
  return ends.has(there.length) ? undefined : { expected: wanted.length, printed: Math.max(...ends) };
}

function linePattern(line) {
  const parts = line
    .trimEnd()
    .split(ANYTHING)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "u");
}

/** A difference for people: the page beside the terminal, from where they part. */
export function renderDifference(expected, printed, { expected: at, printed: from }) {
  const wanted = trimEmpty(expected);
  const there = trimEmpty(printed);
  const same = wanted.slice(0, at).map((line) => `    ${line}`);
  const missing = wanted.slice(at).map((line) => `  - ${line}`);
  const found = there.slice(from).map((line) => `  + ${line}`);
  return [
    ...same,
    ...(missing.length > 0 ? missing : ["  - (the end)"]),
    ...(found.length > 0 ? found : ["  + (the end)"]),
  ].join("\n");
}

function trimEmpty(lines) {
  const isFull = (line) => line.trim() !== "";
  const first = lines.findIndex(isFull);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isFull) + 1).map((line) => line.trimEnd());
}
