/** Text from anyone, made safe to show in a terminal, in a line of a format, or in Markdown. */

/**
 * What a terminal acts on, reorders by or does not show. A tab belongs to any file, and joiners to emoji and to
 * scripts other than ours: in a word of ASCII they only hide.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Spaces of all kinds, and whatever else leaves no mark. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
const JOINERS = new Set(["\u200c", "\u200d"]);
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029 ]+/g;

/** One line: breaks become spaces, what is hidden becomes visible, what is too long is cut. */
export function shownLine(text: string, longest = 160): string {
  // Cut before anything is replaced: the text may be large, its beginning is all that is shown.
  const trimmed = text.trim();
  const start = trimmed
    .slice(0, longest * 4)
    .replaceAll(BREAKS, " ")
    .trim();
  const characters = Array.from(start);
  const isCut = characters.length > longest || trimmed.length > longest * 4;
  const line = isCut
    ? characters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()
    : start;
  return `${visible(line)}${isCut ? "…" : ""}`;
}

/** The same text, line by line, with everything hidden made visible. */
export function shownLines(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n").map(visible);
}

/** The last lines of an output, without empty ones at the end. */
export function lastLines(text: string, lines: number, longest: number): string[] {
  // An output that is one endless line is cut as well.
  const end = text.slice(-lines * longest).trimEnd();
  return shownLines(end)
    .slice(-lines)
    .map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line));
}

/** A Markdown code span that ends where it should, whatever the text contains. */
export function codeSpan(text: string, longest = 300): string {
  const line = shownLine(text, longest);
  const fence = "`".repeat(longestRun(line) + 1);
  // Markdown takes one space off each end.
  const pad = line === "" || line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A Markdown code block that ends where it should, whatever the lines contain. */
export function codeBlock(lines: readonly string[], indent = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [`${fence}text`, ...lines, fence].map((line) => `${indent}${line}`).join("\n");
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Most text is: then nothing has to be looked for in it. */
const PLAIN = /^[\t\n -~]*$/;

/** What is hidden in a text, made visible; its lines stay. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(HIDDEN, (found, at: number) => {
    if (JOINERS.has(found) && text.charCodeAt(at - 1) > 0x7f && text.charCodeAt(at + 1) > 0x7f) return found;
    const code = (found.codePointAt(0) ?? 0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
  });
}

/** What somebody has said, without the spaces around it; nothing when nobody could read any of it. */
export function saidText(text: string | undefined): string | undefined {
  return text === undefined || BLANK.test(text) ? undefined : text.trim();
}

/** JSON that stays JSON, and the same value, when what is hidden in it is made visible. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(HIDDEN, (found) => found.split("").map(jsonEscape).join(""));
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Text that someone decides by, as one line with everything hidden made visible. */
export function visibleLine(text: string, longest = 1_000): string {
  const line = visible(text.slice(0, longest).replaceAll(/[\r\n\t]+/g, " "));
  return text.length > longest ? `${line}…` : line;
}

/** Lines of others, each with a mark, so that none passes for one of ours. */
export function quotedLines(text: string): string[] {
  return shownLines(text).map((line) => `  | ${line}`);
}

/** A message that may hold text of others: its first line, and every other one with a mark. */
export function shownMessage(text: string): string {
  const [first = "", ...more] = shownLines(text);
  return [first, ...more.map((line) => `  | ${line}`)].join("\n");
}
