/** What the command line prints, without anything that acts on a terminal: names and messages may come from anyone. */
import { visible } from "./shown-text.js";

// oxlint-disable no-control-regex -- escape sequences are control characters
/** Those of our own palette. None of them hides anything. */
const COLOUR = /(\u001B\[(?:0|1|2|31|32|33|36)m)/u;
/** Colours of any kind, and what clears the rest of a coloured line. */
const COLOURS = /\u001B\[(?:[\d;:]*m|0?K)/gu;

/** Text of others whose colours are not shown. Whatever else it does to a terminal stays, to be made visible. */
export function withoutColours(text: string): string {
  return text.replaceAll(COLOURS, "");
}

/** Lines and tabs stay; colours only where they are wanted. */
export function forTerminal(text: string, { colours = false } = {}): string {
  if (!colours) return visible(text);
  // Every other part is what was split at.
  const parts = text.split(COLOUR);
  return parts.map((part, index) => (index % 2 === 1 ? part : visible(part))).join("");
}

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Most text is: then nothing has to be looked for in it. */
const PLAIN = /^[ -~]*$/;

/** A part of a line, in colour or not: it cannot begin another one. */
export function inLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return forTerminal(text.replaceAll(BREAKS, " "), { colours: true });
}

/** A line with text of others in it: what is put into the template stays within the line. */
export function line(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => inLine(String(value))));
}
