/** What people get on a terminal: never more than they can read. Pipes and --json get everything. */

import { stripVTControlCharacters } from "node:util";
import { inLine } from "../../model/terminal-text.js";
import { cutToWidth, displayWidth } from "./display-width.js";
import { isTerminal } from "./is-terminal.js";
import { alignColumns } from "./output.js";

export interface Screen {
  columns: number;
  rows: number;
}

/** The terminal that stdout is; a usual one where it does not say. */
export function screenHere(): Screen {
  const { columns = 0, rows = 0 } = process.stdout as Partial<Screen>;
  return { columns: columns > 1 ? columns : 80, rows: rows > 1 ? rows : 24 };
}

/** A line may wrap this often, so that commands and paths can be copied. */
const MAX_WRAPS = 12;
const MAX_ROWS = 400;
/** Room for the last lines, where it says what to do. */
const LAST_ROWS = 40;

/** A text cut to what people read; `rest` says where all of it is. */
export function forScreen(text: string, { columns }: Pick<Screen, "columns">, rest: string, most = MAX_ROWS): string {
  const isClosed = text.endsWith("\n");
  const lines = (isClosed ? text.slice(0, -1) : text).split("\n");
  const first = thatFit(lines, columns, most);
  const shown = first.length === lines.length ? withNote() : withGap();
  return shown.join("\n") + (isClosed ? "\n" : "");

  function withNote(): string[] {
    const isWhole = first.every((line, index) => line === lines[index]);
    return isWhole ? first : [...first, `(long lines are cut; all of it: ${rest})`];
  }

  function withGap(): string[] {
    const head = thatFit(lines, columns, most - LAST_ROWS);
    const last = thatFit(lines.slice(head.length).slice(-LAST_ROWS).toReversed(), columns, LAST_ROWS).toReversed();
    const left = lines.length - head.length - last.length;
    return [...head, `(${left} ${left === 1 ? "line" : "lines"} left out; all of it: ${rest})`, ...last];
  }
}

/** The lines, each cut, from the first on, as many as fit into so many rows of a screen. */
function thatFit(lines: readonly string[], columns: number, rows: number): string[] {
  const fitting: string[] = [];
  let left = rows;
  for (const line of lines) {
    const cut = cutLine(line, columns * MAX_WRAPS);
    left -= Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(cut)) / columns));
    if (left < 0) break;
    fitting.push(cut);
  }
  return fitting;
}

/** Only a line that is cut loses its colours. */
function cutLine(line: string, width: number): string {
  if (2 * line.length <= width) return line;
  // Nobody reads a line of that many characters, however little room they take.
  const plain = stripVTControlCharacters(line.slice(0, 4 * width));
  return line.length <= 4 * width && displayWidth(plain) <= width ? line : cutToWidth(plain, width, "…");
}

/** No cell takes more of a line than this. */
const MAX_SHARE = 0.45;

/** Rows in columns. On a terminal each takes one line of it, with what does not fit cut off. */
export function fitColumns(rows: readonly (readonly string[])[]): string {
  if (!isTerminal(1)) return alignColumns(rows);
  const { columns } = screenHere();
  const most = Math.floor(columns * MAX_SHARE);
  const short = rows.map((row) => row.map((cell) => cutLine(inLine(cell), most)));
  return alignColumns(short)
    .split("\n")
    .map((line) => cutLine(line, columns))
    .join("\n");
}

/** Lines that take one row each; of many of them the first. Pipes get all of them. */
export function fitLines(lines: readonly string[], most: number, rest: string): string[] {
  if (!isTerminal(1)) return [...lines];
  const { columns } = screenHere();
  const more = lines.length - most;
  const shown = (more > 0 ? lines.slice(0, most) : lines).map((line) => cutLine(line, columns));
  return more > 0 ? [...shown, `(${more} more lines: ${rest})`] : shown;
}
