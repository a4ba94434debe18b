/** Prose in lines that a screen has room for. */
import { stripVTControlCharacters } from "node:util";
import { displayWidth } from "./display-width.js";
import { screenHere } from "./for-screen.js";
import { isTerminal } from "./is-terminal.js";

/** What people copy is never broken here: quoted words, paths, and commands up to the end of their sentence. */
const COPIED = [
  /`[^`]+`/gu,
  /(?<=^|[ (=])'[^']+'/gu,
  /(?<=^|[ (])\/\S*(?: (?:[^ /]+ ){0,2}[^ /(]+\/\S*)+/gu,
  /(?<=^|: |\()(?:babysitter|npm|tail|kill|rm|cd) \S.*?(?=[.;,)]{1,3}(?: |$)|$)/gu,
  /(?<=^|: )[a-z][^.;]* && .*/gu,
];
const KEPT_SPACE = "\u0000";

/** Broken at spaces, or at those of a kind; `hang` stands before every line but the first. */
export function wrapped(
  text: string,
  { columns, hang = "", at = " " }: { columns: number; hang?: string; at?: string | RegExp },
): string {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of withKeptSpaces(text).split(at)) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    const isFull = line !== undefined && displayWidth(stripVTControlCharacters(longer)) > columns;
    if (isFull && line !== undefined) lines.push(line);
    line = isFull ? `${hang}${word}` : longer;
  }
  return [...lines, line].join("\n").replaceAll(KEPT_SPACE, " ");
}

function withKeptSpaces(text: string): string {
  return COPIED.reduce((kept, kind) => kept.replaceAll(kind, (copied) => copied.replaceAll(" ", KEPT_SPACE)), text);
}

/** The same for the terminal that stdout is. Pipes get the text as it is, and so do lines that quote others. */
export function onScreen(text: string, hang: string): string {
  if (!isTerminal(1)) return text;
  const { columns } = screenHere();
  return text
    .split("\n")
    .map((line) => (line.startsWith("  | ") ? line : wrapped(line, { columns, hang })))
    .join("\n");
}
