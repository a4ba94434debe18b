/** Messages in Telegram's HTML, within its limits. All text is taken for someone else's. */
import { visible } from "@a5c-ai/babysitter-sdk/notify";

/** In characters, as the service counts them without tags: with them there is always room. */
export const LONGEST_MESSAGE = 4_096;
export const LONGEST_CAPTION = 1_024;

/** A text, in a form or as a link. */
type Piece = string | { text: string; as: "b" | "i" | "code" | "blockquote" } | { text: string; href: string };
export type Line = readonly Piece[];

const CUT = "…";

/** Whatever is too long is cut, also within a line; what stands in `foot` is always there. */
export function htmlOf(lines: readonly Line[], { foot = [], longest = LONGEST_MESSAGE }: HtmlLimits = {}): string {
  const end = foot.map((line) => lineWithin(line, longest).html).join("\n");
  let room = longest - end.length - (end === "" ? 0 : 1);
  const shown: string[] = [];
  for (const line of lines) {
    const { html, isCut } = lineWithin(line, room - (shown.length === 0 ? 0 : 1));
    if (html !== "" || !isCut) {
      room -= html.length + (shown.length === 0 ? 0 : 1);
      shown.push(html);
    }
    if (isCut) break;
  }
  return [...shown, ...(end === "" ? [] : [end])].join("\n");
}

interface HtmlLimits {
  foot?: readonly Line[];
  longest?: number;
}

function lineWithin(line: Line, longest: number): { html: string; isCut: boolean } {
  let html = "";
  for (const piece of line) {
    const { text, before, after } = partsOf(piece);
    const room = longest - html.length - before.length - after.length;
    const fitting = textWithin(text, room);
    if (fitting.html !== "") html += `${before}${fitting.html}${after}`;
    if (fitting.isCut) return { html, isCut: true };
  }
  return { html, isCut: false };
}

function partsOf(piece: Piece): { text: string; before: string; after: string } {
  if (typeof piece === "string") return { text: piece, before: "", after: "" };
  if ("href" in piece) return { text: piece.text, before: `<a href="${escaped(piece.href)}">`, after: "</a>" };
  return { text: piece.text, before: `<${piece.as}>`, after: `</${piece.as}>` };
}

/** Cut between characters, never within what stands for one. */
function textWithin(text: string, longest: number): { html: string; isCut: boolean } {
  const shown = visible(text.slice(0, Math.max(longest, 0) + 1).replaceAll("\r\n", "\n"));
  const whole = escaped(shown);
  if (text.length <= longest && whole.length <= longest) return { html: whole, isCut: false };
  let html = "";
  for (const character of shown) {
    const next = escaped(character);
    if (html.length + next.length + CUT.length > longest) break;
    html += next;
  }
  return { html: longest < CUT.length ? "" : `${html.trimEnd()}${CUT}`, isCut: true };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (found) => ENTITIES[found] ?? found);
}
