/**
 * Finds the gates of a process: its calls of `.breakpoint(`. This is a scan and not a parse, and it works on tokens,
 * so that white space, line breaks, comments, the kind of quotes and a trailing comma make no difference.
 */
import { createHash } from "node:crypto";
import type { Gate } from "../model/code-versions.js";

const NAME = "breakpoint";
const MAX_SHOWN = 200;
/** Deeper ones, within the arguments of as many others, are seen as a part of those only. */
const MAX_NESTED = 8;
/** Type arguments that are longer are none: a comparison may go on to the end of the file. */
const MAX_TYPE_TOKENS = 1_000;

/** Each call with its arguments, in the order of the text. */
export function scanGates(text: string, file: string): Gate[] {
  // Most files have none.
  if (!text.includes(NAME)) return [];
  const tokens = tokensOf(text);
  /** Where the gates end that begin before this place. */
  let ends: number[] = [];
  return tokens.flatMap((token, at) => {
    if (token !== NAME || !isMember(tokens[at - 1])) return [];
    ends = ends.filter((end) => end > at);
    const open = ends.length < MAX_NESTED ? openingAfter(tokens, at + 1) : undefined;
    if (open === undefined) return [];
    const { found, end } = argumentsFrom(tokens, open);
    ends.push(end);
    return [gateOf(found, file)];
  });
}

function gateOf(tokens: readonly string[], file: string): Gate {
  const words = tokens.join(" ");
  const text = words.length > MAX_SHOWN ? `${words.slice(0, MAX_SHOWN - 1)}…` : words;
  return { file, hash: createHash("sha256").update(tokens.join("\0")).digest("hex"), text };
}

function isMember(before: string | undefined): boolean {
  return before === "." || before === "?.";
}

/** Where the arguments begin: behind `?.` and type arguments, if there are any. */
function openingAfter(tokens: readonly string[], start: number): number | undefined {
  let at = tokens[start] === "?." ? start + 1 : start;
  if (tokens[at] === "<") {
    const limit = Math.min(tokens.length, at + MAX_TYPE_TOKENS);
    let depth = 0;
    do {
      if (tokens[at] === "<") depth += 1;
      // The end of an arrow is no closing bracket.
      if (tokens[at] === ">" && tokens[at - 1] !== "=") depth -= 1;
      at += 1;
    } while (depth > 0 && at < limit);
  }
  return tokens[at] === "(" ? at : undefined;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" };

function argumentsFrom(tokens: readonly string[], open: number): { found: string[]; end: number } {
  const found: string[] = [];
  const awaited: string[] = [];
  let at = open;
  for (; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    const closes = awaited.at(-1) === token;
    if (closes) {
      awaited.pop();
      if (found.at(-1) === ",") found.pop();
      if (awaited.length === 0) break;
    }
    if (at > open) found.push(token);
    if (Object.hasOwn(CLOSING, token)) awaited.push(CLOSING[token] as string);
  }
  return { found, end: at };
}

/** Behind these a slash begins a regular expression, and not a division. */
const BEFORE_EXPRESSION = new Set(
  "return typeof case in of delete void throw new else do instanceof await yield default extends".split(" "),
);
const BEFORE_CONDITION = new Set(["if", "while", "for", "with"]);

const BLANK = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/uy;
const WORD = /[\p{ID_Continue}$\u200c\u200d]+/uy;
/** A string ends with its line at the latest, so that a mistake stays where it was made. */
const STRING = /"(?:[^"\\\n]+|\\[\s\S])*"?|'(?:[^'\\\n]+|\\[\s\S])*'?/uy;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/uy;
/** On one line. Each one that fails may have looked at the whole line. */
const MAX_FAILED_REGEXES = 50;
const TEMPLATE_TEXT = /(?:[^`\\$]+|\\[\s\S]|\$(?!\{))*/uy;
const MARK = /\?\.(?!\d)|\+\+|--|[\s\S]/uy;

class Tokens {
  readonly list: string[] = [];
  /** Where each of them begins. */
  readonly starts: number[] = [];
  readonly #text: string;
  #at = 0;
  #start = 0;
  /** For every open bracket: whether it is a template's, or follows a word such as `if`. */
  readonly #open: ("template" | "condition" | "other")[] = [];
  #mayBeRegex = true;
  #failed = { lineEnd: -1, count: 0 };

  constructor(text: string) {
    this.#text = text;
    this.#take(/^#![^\n]*/uy);
  }

  read(): string[] {
    while (this.#at < this.#text.length) {
      if (this.#take(BLANK) !== undefined) continue;
      this.#start = this.#at;
      this.#readToken();
    }
    return this.list;
  }

  #readToken(): void {
    const string = this.#take(STRING);
    if (string !== undefined) return this.#push(sameQuotes(string), false);
    const word = this.#take(WORD);
    if (word !== undefined) return this.#push(word, BEFORE_EXPRESSION.has(word) && !isMember(this.list.at(-1)));
    const regex = this.#mayBeRegex && this.#text[this.#at] === "/" ? this.#takeRegex() : undefined;
    if (regex !== undefined) return this.#push(regex, false);
    this.#readMark(this.#take(MARK) ?? "");
  }

  #takeRegex(): string | undefined {
    if (this.#at > this.#failed.lineEnd) {
      const lineEnd = this.#text.indexOf("\n", this.#at);
      this.#failed = { lineEnd: lineEnd < 0 ? this.#text.length : lineEnd, count: 0 };
    }
    if (this.#failed.count >= MAX_FAILED_REGEXES) return undefined;
    const regex = this.#take(REGEX);
    if (regex === undefined) this.#failed.count += 1;
    return regex;
  }

  #readMark(mark: string): void {
    if (mark === "`") this.#readTemplate();
    else if (["(", "[", "{"].includes(mark)) this.#openBracket(mark);
    else if ([")", "]", "}"].includes(mark)) this.#closeBracket(mark);
    else this.#push(mark, mark !== "++" && mark !== "--");
  }

  #openBracket(mark: string): void {
    this.#open.push(mark === "(" && BEFORE_CONDITION.has(this.list.at(-1) ?? "") ? "condition" : "other");
    this.#push(mark, true);
  }

  #closeBracket(mark: string): void {
    const closed = this.#open.pop();
    // Behind a block a statement begins.
    this.#push(mark, mark === "}" || closed === "condition");
    if (closed === "template" && mark === "}") this.#readTemplate();
  }

  /** The text of a template up to its end or its next `${`, whose inside is code again. */
  #readTemplate(): void {
    // With a mark, so that no text passes for a bracket.
    this.#push(`\`${this.#take(TEMPLATE_TEXT) ?? ""}`, false);
    if (this.#take(/\$\{/uy) !== undefined) {
      this.#open.push("template");
      this.#push("${", true);
    } else if (this.#take(/`/uy) !== undefined) this.#push("`", false);
  }

  #push(token: string, mayBeRegex: boolean): void {
    this.list.push(token);
    this.starts.push(this.#start);
    this.#mayBeRegex = mayBeRegex;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined || found === "") return undefined;
    this.#at += found.length;
    return found;
  }
}

/** The tokens of a text, without white space and comments, and with one kind of quotes. */
export function tokensOf(text: string): string[] {
  return new Tokens(text).read();
}

/** The same, with the number of the line that each begins in. */
export function placedTokensOf(text: string): { tokens: string[]; lines: number[] } {
  const reader = new Tokens(text);
  const tokens = reader.read();
  let [line, at] = [1, 0];
  const lines = reader.starts.map((start) => {
    for (; at < start; at += 1) if (text[at] === "\n") line += 1;
    return line;
  });
  return { tokens, lines };
}

/** Formatters change quotes, and escape them accordingly. */
function sameQuotes(literal: string): string {
  const isClosed = literal.length > 1 && literal.endsWith(literal[0] as string);
  const inner = literal.slice(1, isClosed ? -1 : undefined);
  return `"${inner.replace(/\\([\s\S])/gu, (escape, char: string) => (char === "'" || char === '"' ? char : escape))}"`;
}
