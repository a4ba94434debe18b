/**
 * Tells the flags in a typed text from the prompt around them.
 *
 * - A flag begins at the start of the text or behind white space, with two dashes and a letter. Everything else,
 *   such as `a--b`, `---`, `--5` or "`--x`" in backticks, is prompt.
 * - `--` as a word of its own in front of the prompt ends the flags: one white space behind it is dropped, the rest
 *   is the prompt, byte for byte. Behind words of the prompt it is a dash like any other, because people write
 *   "fix the login -- it crashes", and a flag behind that must not become prompt silently.
 * - Without it, white space at both ends of the prompt is dropped, and where a flag is taken out of the middle, one
 *   space stays, or the line breaks and the indentation that were there. Nothing else is changed.
 */

import { shownLine } from "../../model/shown-text.js";
import type { Problem } from "../rules/criterion-text.js";

export interface FlagWord {
  name: string;
  value: string;
}

export interface FlagWords {
  prompt: string;
  flags: FlagWord[];
  /** Flags without a value that were given. */
  switches: string[];
  /** Names that are not known, as written. */
  unknown: string[];
  problems: Problem[];
  help: boolean;
  /** The prompt stood behind `--`. */
  isVerbatim: boolean;
}

const SPACE = /[ \t\n\v\f\r]*/y;
const WORD = /[^ \t\n\v\f\r]+/y;
const FLAG = /--([A-Za-z][^ \t\n\v\f\r=]*)/y;
const BLANKS = /[ \t]*/y;
/** Behind a blank another flag is no value; behind `=` it is. */
const OTHER_FLAG = /--[A-Za-z]|(?:--|-h)(?=$|[ \t\n\v\f\r])/y;
const ENDS_HERE = /(?=$|[ \t\n\v\f\r])/y;
/** What word processors and phones make of two dashes. */
const LONG_DASH = /^[\u2013\u2014]([a-z]+-[a-z]+)(?==|$)/;
const CURLY = /[\u2018-\u201f\u00ab\u00bb]/y;

/** A place in the text that moves on. */
interface Cursor {
  readonly text: string;
  at: number;
}

/** `known` take a value, `switches` take none. */
export function splitFlagWords(
  text: string,
  known: ReadonlySet<string>,
  switches: ReadonlySet<string> = new Set(),
): FlagWords {
  const found: FlagWords = {
    prompt: "",
    flags: [],
    switches: [],
    unknown: [],
    problems: [],
    help: false,
    isVerbatim: false,
  };
  const cursor: Cursor = { text, at: 0 };
  const prompt: string[] = [];
  let spaces: string[] = [];
  for (;;) {
    spaces.push(take(cursor, SPACE) ?? "");
    if (cursor.at >= text.length) break;
    if (prompt.length === 0 && isWord(cursor, "--")) {
      found.prompt = text.slice(cursor.at + 2).replace(/^(?:\r\n|[ \t\n\v\f\r])/, "");
      found.isVerbatim = true;
      return found;
    }
    if (takeHelp(cursor)) found.help = true;
    else if (takeSwitch(cursor, switches, found)) continue;
    else if (looksAt(cursor, FLAG)) takeFlag(cursor, known, found);
    else {
      if (prompt.length > 0) prompt.push(joinedSpaces(spaces));
      spaces = [];
      const word = take(cursor, WORD) as string;
      const name = LONG_DASH.exec(word)?.[1];
      if (name !== undefined && known.has(name)) found.problems.push(longDash(word, name));
      prompt.push(word);
    }
  }
  found.prompt = prompt.join("");
  return found;
}

function takeHelp(cursor: Cursor): boolean {
  const word = ["-h", "--help"].find((help) => isWord(cursor, help));
  cursor.at += word?.length ?? 0;
  return word !== undefined;
}

function takeSwitch(cursor: Cursor, switches: ReadonlySet<string>, found: FlagWords): boolean {
  const name = [...switches].find((one) => isWord(cursor, `--${one}`));
  if (name === undefined) return false;
  cursor.at += name.length + 2;
  found.switches.push(name);
  return true;
}

function takeFlag(cursor: Cursor, known: ReadonlySet<string>, found: FlagWords): void {
  const name = (take(cursor, FLAG) as string).slice(2);
  if (!known.has(name)) {
    found.unknown.push(name);
    // What it would have taken as its value is looked at like everything else.
    take(cursor, WORD);
    return;
  }
  const value = takeValue(cursor, name);
  if (typeof value === "string") found.flags.push({ name, value });
  else found.problems.push(value);
}

function takeValue(cursor: Cursor, name: string): string | Problem {
  const isJoined = cursor.text[cursor.at] === "=";
  if (isJoined) cursor.at += 1;
  else take(cursor, BLANKS);
  if (looksAt(cursor, ENDS_HERE) || (!isJoined && looksAt(cursor, OTHER_FLAG)))
    return {
      problem: `--${name} needs a value.`,
      hint: `Write it on the same line: --${name} VALUE or --${name}=VALUE, in quotes if it contains spaces or starts with dashes.`,
    };
  const quote = cursor.text[cursor.at];
  if (quote === "'" || quote === '"') return takeQuoted(cursor, name, quote);
  if (looksAt(cursor, CURLY)) {
    take(cursor, WORD);
    return { problem: `The value of --${name} starts with a typographic quote.`, hint: `Use ' or ".` };
  }
  const word = take(cursor, WORD) as string;
  if (!/['"]/.test(word)) return word;
  return {
    problem: `The value of --${name} has a quote in the middle: ${shownLine(word, 60)}`,
    hint: `Put the whole value in quotes: --${name} "…" or --${name} '…'.`,
  };
}

function takeQuoted(cursor: Cursor, name: string, quote: "'" | '"'): string | Problem {
  const body = quote === "'" ? /'[^']*'/y : /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
  const start = cursor.at;
  const quoted = take(cursor, body);
  if (quoted === undefined) {
    cursor.at = cursor.text.length;
    return {
      problem: `The value of --${name} starts with ${quote} but the quote is never closed: ${shownLine(cursor.text.slice(start), 60)}`,
      hint: `Close it with ${quote}.`,
    };
  }
  if (!looksAt(cursor, ENDS_HERE)) {
    const rest = take(cursor, WORD) as string;
    return {
      problem: `Unexpected text directly after the closing ${quote} of --${name}: ${shownLine(quoted + rest, 60)}`,
      hint: `Add a space. Put a value with an apostrophe in double quotes, where \\" is a quote and \\\\ a backslash.`,
    };
  }
  const inner = quoted.slice(1, -1);
  return quote === "'" ? inner : inner.replaceAll(/\\(["\\])/g, "$1");
}

/** What stays between two words of the prompt: exactly what was there, unless something was taken out. */
function joinedSpaces(spaces: readonly string[]): string {
  if (spaces.length === 1) return spaces[0] as string;
  const broken = spaces.filter((space) => space.includes("\n"));
  const most = broken.toSorted((a, b) => lineBreaks(b) - lineBreaks(a))[0];
  const last = broken.at(-1);
  if (most === undefined || last === undefined) return " ";
  return most.slice(0, most.lastIndexOf("\n") + 1) + last.slice(last.lastIndexOf("\n") + 1);
}

function lineBreaks(space: string): number {
  return space.split("\n").length;
}

function longDash(word: string, name: string): Problem {
  return {
    problem: `${shownLine(word, 60)} starts with a long dash instead of two hyphens.`,
    hint: `Write --${name}. If it is part of the prompt, put all flags first, then --, then the prompt.`,
  };
}

function isWord(cursor: Cursor, word: string): boolean {
  if (!cursor.text.startsWith(word, cursor.at)) return false;
  ENDS_HERE.lastIndex = cursor.at + word.length;
  return ENDS_HERE.test(cursor.text);
}

function looksAt(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at;
  return pattern.test(cursor.text);
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const [found] = pattern.exec(cursor.text) ?? [];
  cursor.at += found?.length ?? 0;
  return found;
}
