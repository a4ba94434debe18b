import { cutToWidth, displayWidth } from "../output/display-width.js";
import type { Paint } from "../output/paint.js";

/** A piece of a line in one colour. */
export interface Span {
  text: string;
  style?: Parameters<Paint>[0] | undefined;
}

/** One line made of its pieces, no wider than it may be. */
export function paintSpans(
  spans: readonly Span[],
  width: number,
  { paint, cut }: { paint: Paint; cut: string },
): string {
  let left = width;
  let line = "";
  for (const { text, style } of spans) {
    const fitting = cutToWidth(text, left, cut);
    left -= displayWidth(fitting);
    line += style === undefined || fitting.trim() === "" ? fitting : paint(style, fitting);
    if (fitting !== text) break;
  }
  return line.trimEnd();
}

/** Exactly this wide: cut, or filled up on the right. */
export function toColumn(text: string, width: number, cut: string): string {
  const fitting = cutToWidth(text, width, cut);
  return fitting + " ".repeat(Math.max(0, width - displayWidth(fitting)));
}
