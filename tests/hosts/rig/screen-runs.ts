/** What is on a screen, with its colours. */
import type { IBufferCell, IBufferLine, Terminal } from "@xterm/headless";
import type { Run } from "../../fixtures/terminal-picture.js";

const BASIC = [
  ..."000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5".split(" "),
  ..."666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff".split(" "),
];
const LEVELS = [0, 95, 135, 175, 215, 255];

export function screenRuns({ buffer: { active }, rows }: Terminal): Run[][] {
  return Array.from({ length: rows }, (_, row) => lineRuns(active.getLine(active.baseY + row)));
}

function lineRuns(line: IBufferLine | undefined): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < (line?.length ?? 0); column += 1) {
    const cell = line?.getCell(column);
    // The second half of a wide character has no width of its own.
    if (cell === undefined || cell.getWidth() === 0) continue;
    const run = { column, width: cell.getWidth(), text: cell.getChars() || " ", ...lookOf(cell) };
    const last = runs.at(-1);
    // Fonts disagree on how wide an emoji is, so whatever follows one is placed anew.
    if (last !== undefined && isSame(last, run) && run.width === 1 && line?.getCell(column - 1)?.getWidth() === 1) {
      last.text += run.text;
      last.width += 1;
    } else runs.push(run);
  }
  return runs.filter(({ text, ground }) => text.trim() !== "" || ground !== undefined);
}

type Look = Pick<Run, "color" | "ground" | "isBold" | "isDim">;

function lookOf(cell: IBufferCell): Look {
  const color = cell.isFgDefault() ? undefined : colorOf(cell.getFgColor(), cell.isFgRGB());
  const ground = cell.isBgDefault() ? undefined : colorOf(cell.getBgColor(), cell.isBgRGB());
  const marks = { isBold: cell.isBold() !== 0, isDim: cell.isDim() !== 0 };
  return cell.isInverse() === 0
    ? { color, ground, ...marks }
    : { color: ground ?? "#16181d", ground: color ?? "#d4d4d4", ...marks };
}

function isSame(a: Look, b: Look): boolean {
  return a.color === b.color && a.ground === b.ground && a.isBold === b.isBold && a.isDim === b.isDim;
}

function colorOf(value: number, isRgb: boolean): string {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  const basic = BASIC[value];
  if (basic !== undefined) return `#${basic}`;
  const parts =
    value >= 232
      ? Array.from({ length: 3 }, () => 8 + (value - 232) * 10)
      : [36, 6, 1].map((by) => LEVELS[Math.floor((value - 16) / by) % 6] ?? 0);
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
