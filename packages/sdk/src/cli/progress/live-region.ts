import { stripVTControlCharacters } from "node:util";
import { displayWidth } from "../output/display-width.js";

const ESC = "\u001b[";
/** Terminals that know it show everything in between at once. */
const [SYNC, END_SYNC] = [`${ESC}?2026h`, `${ESC}?2026l`];
const [HIDE_CURSOR, SHOW_CURSOR] = [`${ESC}?25l`, `${ESC}?25h`];
/** A line that was measured too short must not push the others down. */
const [NO_WRAP, WRAP] = [`${ESC}?7l`, `${ESC}?7h`];
const ERASE_BELOW = `${ESC}J`;
const ERASE_TO_END = `${ESC}K`;
const NEW_LINE = "\r\n";

/**
 * The lines at the bottom of a terminal that are drawn again and again; the cursor rests on the line below them.
 * Every change is one write.
 */
export class LiveRegion {
  readonly #write: (text: string) => void;
  #lines: readonly string[] = [];
  #columns = 0;
  #isHidden = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Draws these lines in place of the last ones, and what is to stay above them. */
  draw(above: readonly string[], lines: readonly string[], columns: number): void {
    const isMoved = above.length > 0 || columns !== this.#columns;
    if (!isMoved && sameLines(lines, this.#lines)) return;
    const hide = this.#isHidden ? "" : HIDE_CURSOR;
    const body = isMoved ? this.#redraw(above, lines) : this.#changes(lines);
    this.#write(`${SYNC}${hide}${NO_WRAP}${this.#toTop(columns)}${body}${WRAP}${END_SYNC}`);
    this.#isHidden = true;
    this.#lines = lines;
    this.#columns = columns;
  }

  /** Takes the lines off the screen, leaves others there for good, and gives the cursor back. */
  leave(kept: readonly string[], columns: number): void {
    if (this.#lines.length === 0 && kept.length === 0 && !this.#isHidden) return;
    const text = kept.map((line) => `${line}${NEW_LINE}`).join("");
    this.#write(`${SYNC}${this.#toTop(columns)}${ERASE_BELOW}${text}${END_SYNC}${SHOW_CURSOR}`);
    this.#lines = [];
    this.#isHidden = false;
  }

  /** Gives the cursor back and draws below from now on, such as after someone else has used the screen. */
  abandon(): void {
    if (this.#isHidden) this.#write(`${WRAP}${SHOW_CURSOR}`);
    this.#lines = [];
    this.#isHidden = false;
  }

  #redraw(above: readonly string[], lines: readonly string[]): string {
    const stay = above.map((line) => `${line}${NEW_LINE}`).join("");
    return `${ERASE_BELOW}${WRAP}${stay}${NO_WRAP}${lines.map((line) => `${line}${NEW_LINE}`).join("")}`;
  }

  #changes(lines: readonly string[]): string {
    const drawn = lines.map((line, index) => (line === this.#lines[index] ? "" : `${line}${ERASE_TO_END}`) + NEW_LINE);
    return `${drawn.join("")}${lines.length < this.#lines.length ? ERASE_BELOW : ""}`;
  }

  #toTop(columns: number): string {
    // Terminals wrap what is there when they become narrower.
    const height = this.#lines.reduce((sum, line) => sum + heightOf(line, columns), 0);
    return height === 0 ? "\r" : `\r${ESC}${height}A`;
  }
}

function heightOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / columns));
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
