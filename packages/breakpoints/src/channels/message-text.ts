/** A message as lines of text, for services that show text. */
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import type { Outgoing, OutgoingItem } from "./channel.js";

/** How a service wants text of others, and addresses of ours. */
export interface TextForm {
  escape: (text: string) => string;
  link: (url: string) => string;
}

export const PLAIN: TextForm = { escape: (text) => text, link: (url) => url };

const LONGEST_LINE = 500;
const REPEAT = "You may have received this before.";
const CUT = "…";

export function headingOf({ heading }: Outgoing): string {
  return shownLine(heading, 200) || "A message from Babysitter";
}

/** All but the heading; every line of others is one line. */
export function bodyLines(message: Outgoing, form: TextForm): string[] {
  const { repeat, items, lines } = message;
  const blocks = [
    repeat ? [REPEAT] : [],
    ...items.map((item) => itemLines(item, form)),
    lines.map((line) => form.escape(shownLine(line, LONGEST_LINE))),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, at) => (at === 0 ? block : ["", ...block]));
}

function itemLines({ title, details, link, outcome }: OutgoingItem, { escape, link: linked }: TextForm): string[] {
  const shown = (text: string): string => escape(shownLine(text, LONGEST_LINE));
  return [
    shown(title) || "(no title)",
    ...details.map(({ name, text }) => `${name}: ${shown(text)}`),
    ...linksIn(link).map(linked),
    ...(outcome === undefined ? [] : [shown(outcome)]),
  ];
}

/** The address of the whole, unless an item has the same. */
export function closingLines({ link, items }: Outgoing, form: TextForm): string[] {
  const isTold = items.some((item) => item.link === link);
  return isTold ? [] : linksIn(link).map(form.link);
}

/** An address in a form that ends where it should, whatever is in it. */
export function linksIn(link: string | undefined): string[] {
  if (link === undefined || !URL.canParse(link)) return [];
  const { protocol, href } = new URL(link);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb ? [href.replaceAll(/[<>|"'`*_~()[\]\\]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`)] : [];
}

/** As many lines as fit, and the closing ones in any case. What is left out is marked. */
export function fittingText(
  lines: readonly string[],
  closing: readonly string[],
  fits: (text: string) => boolean,
): string {
  const textOf = (some: readonly string[]): string => [...some, ...closing].join("\n");
  if (fits(textOf(lines))) return textOf(lines);
  const count = most(lines.length, (n) => fits(textOf([...lines.slice(0, n), CUT])));
  const whole = lines.slice(0, count);
  // Of the line that does not fit, too, as much as there is room for.
  return textOf([...whole, beginningOf(lines[count] ?? "", (part) => fits(textOf([...whole, part])))]);
}

/** As many whole characters as fit, with a mark if some are left out. */
export function cutText(text: string, fits: (text: string) => boolean): string {
  return fits(text) ? text : beginningOf(text, fits);
}

function beginningOf(text: string, fits: (text: string) => boolean): string {
  const characters = [...new Intl.Segmenter("en").segment(text)].map(({ segment }) => segment);
  const partOf = (n: number): string => `${characters.slice(0, n).join("")}${CUT}`;
  return partOf(most(characters.length, (n) => fits(partOf(n))));
}

/** The largest number up to `limit` for which it holds, given that it holds for all smaller ones. */
function most(limit: number, holds: (n: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
