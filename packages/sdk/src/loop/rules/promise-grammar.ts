/**
 * Finds what an agent says in tags, such as `<promise>DONE</promise>`, and tells it from what it says about them.
 *
 * A tag counts
 * - when it stands alone: nothing else is on the line where it begins nor on the one where it ends, and it is not in
 *   the middle of a sentence that goes around it, nor announced by a colon unless it ends the text; or
 * - when it ends the text, and what is before it on its line is a finished statement: `All done. <promise>…`.
 *   Within a sentence it is mentioned, not said: "I will not output <promise>…", "When done I say: <promise>…".
 *   A colon, a question mark and dots do not finish a statement, since all of them can announce what is yet to come.
 *
 * Emphasis and a few cheerful marks around a tag are taken for nothing; a list marker is not, since lists hold plans.
 * Whatever is code, quoted or commented out does not count, nor does a tag within another one of its name.
 * Tags are written to the letter: no attributes, no capitals, no white space.
 */
import type { Span } from "../../model/json-scan.js";
import { ownWords } from "./markdown-own-words.js";

export type TagName = "promise" | "loop-complete" | "loop-blocked";

/**
 * Trimmed, and with one space for any run of white space. A no-break space is white space as well: nobody sees the
 * difference, and some editors and terminals put it in by themselves.
 */
export function normalised(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** False for a text that no tag can hold, such as one with the tag in it: a loop would wait for it in vain. */
export function canBePromised(text: string): boolean {
  return promiseMatches([`<promise>${text}</promise>`], text);
}

export const NOT_PROMISABLE = "it contains the tag <promise>, so no agent could ever say it.";
export const PROMISE_HINT = "Give only the words; the agent puts them in <promise> tags.";

/** Whether any tag that counts, in any of the text blocks, says the promise to the letter; an empty one never is said. */
export function promiseMatches(blocks: readonly string[], promise: string): boolean {
  const wanted = normalised(promise);
  return wanted !== "" && blocks.some((block) => findTags(block, "promise").includes(wanted));
}

/** Normalised contents of the tags of a name that count in one text block, in order. */
export function findTags(block: string, name: TagName): string[] {
  return saidTags(block, [name]).map(({ content }) => content);
}

export interface SaidTag {
  name: TagName;
  /** Normalised. */
  content: string;
}

const TAG_NAMES: readonly TagName[] = ["promise", "loop-complete", "loop-blocked"];

/** The tags that count in one text block, in order. */
export function saidTags(block: string, names: readonly TagName[] = TAG_NAMES): SaidTag[] {
  const wanted = names.filter((name) => block.includes(`</${name}>`));
  if (wanted.length === 0) return [];
  const text = block.replace(/\r\n?/g, "\n");
  const words = ownWords(text);
  return wanted
    .flatMap((name) => unnestedTags(words, name).map((tag) => ({ name, tag })))
    .filter(({ tag }) => isSaid(words, tag))
    .toSorted((a, b) => a.tag.whole.start - b.tag.whole.start)
    .map(({ name, tag: { content } }) => ({ name, content: normalised(text.slice(content.start, content.end)) }));
}

const LOOSE_TAG = new RegExp(`<\\s*(?:(/)\\s*)?(${TAG_NAMES.join("|")})\\s*>`, "giu");

/** The same text with tags that were meant, but written with capitals or white space, to the letter. */
export function withExactTags(block: string): string {
  return block.replace(
    LOOSE_TAG,
    (_, slash: string | undefined, name: string) => `<${slash ?? ""}${name.toLowerCase()}>`,
  );
}

interface Tag {
  content: Span;
  /** With `<…>` and `</…>`. */
  whole: Span;
  /** Up to the tags before and behind it. */
  reach: Span;
}

/** All tags of a name that have both ends, and none of that name around or inside them. */
function unnestedTags(words: string, name: TagName): Tag[] {
  const marks = [...words.matchAll(new RegExp(`</?${name}>`, "g"))].map(({ 0: mark, index }) => ({
    opens: !mark.startsWith("</"),
    start: index,
    end: index + mark.length,
  }));
  const tags: Tag[] = [];
  const open: { at: number; mark: Span }[] = [];
  for (const [at, mark] of marks.entries()) {
    const opening = mark.opens ? undefined : open.pop();
    if (mark.opens) open.push({ at, mark });
    else if (opening?.at === at - 1)
      tags.push({
        content: { start: opening.mark.end, end: mark.start },
        whole: { start: opening.mark.start, end: mark.end },
        reach: { start: marks[at - 2]?.end ?? 0, end: marks[at + 1]?.start ?? words.length },
      });
    else if (opening !== undefined) dropBehind(tags, opening.mark.start);
  }
  return tags;
}

/** Takes away the tags that begin behind a place. */
function dropBehind(tags: Tag[], place: number): void {
  while ((tags.at(-1)?.whole.start ?? 0) > place) tags.pop();
}

/** Looks no further than the next tags, so that all tags together take one pass over the text. */
function isSaid(words: string, { whole, reach }: Tag): boolean {
  const above = words.slice(reach.start, whole.start).split("\n");
  const below = words.slice(whole.end, reach.end).split("\n");
  const [before = "", behind = ""] = [above.pop(), below.shift()];
  const isFirstOnLine = above.length > 0 || reach.start === 0;
  if (!isFirstOnLine || withoutOrnaments(behind) !== "") return false;
  const isLast = reach.end === words.length;
  if (isOrnament(before)) return (isLast || below.length > 0) && !isWithinSentence(above, below, isLast);
  return isLast && withoutOrnaments(below.join("")) === "" && isStatement(before);
}

/** A colon above, over empty lines as well, when something follows; or a hard line break, where the line below goes on. */
function isWithinSentence(above: readonly string[], below: readonly string[], isLast: boolean): boolean {
  const announced = withoutOrnaments(above.findLast(hasText) ?? "");
  if (/[:：]$/u.test(announced)) return !isLast || below.some(hasText);
  return /[\p{L}\p{N},;]$/u.test((above.at(-1) ?? "").trimEnd()) && /^\p{Ll}/u.test((below[0] ?? "").trimStart());
}

const hasText = (line: string): boolean => withoutOrnaments(line) !== "";

/** One unit of UTF-16 each, so that text can be walked from its end. */
const ORNAMENTS = new Set("*_✅✔✓☑✨🎉\uFE0F".split(""));

/** Without white space and ornaments at its end. A loop, since a pattern for this takes quadratic time. */
function withoutOrnaments(text: string): string {
  let end = text.length;
  while (end > 0 && (ORNAMENTS.has(text.charAt(end - 1)) || text.charAt(end - 1).trim() === "")) end -= 1;
  return text.slice(0, end);
}

const isOrnament = (before: string): boolean => withoutOrnaments(before) === "" && !/^\s*\*\s/.test(before);

/** Ends like a statement, and has words. `2.`, `b.` and `e.g.` are no statements. */
function isStatement(before: string): boolean {
  const text = withoutOrnaments(before).replace(/\)$/, "");
  if (!/\p{L}/u.test(text)) return false;
  return /[!。！।۔]$/u.test(text) || /(?:\p{L}\p{M}*\p{L}\p{M}*|[^\p{L}\p{N}\s.])\.$/u.test(text);
}
