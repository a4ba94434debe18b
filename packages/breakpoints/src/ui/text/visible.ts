/** Text of others, with everything in it that cannot be seen, or that reorders what can, made visible. */

/** A piece of a text; `hidden` names what stands there when the text itself would not show it. */
export interface Segment {
  text: string;
  hidden?: string;
}

/** What acts on a screen, reorders it or leaves no mark on it. A tab and a line break belong to any file. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Most text is: then nothing has to be looked for in it. */
const PLAIN = /^[\t\n -~]*$/;

const NAMES: Readonly<Record<string, string>> = {
  "0": "null character",
  "7": "bell",
  "8": "backspace",
  d: "carriage return",
  "1b": "escape",
  "7f": "delete",
  ad: "soft hyphen",
  "61c": "Arabic letter mark",
  "200b": "zero-width space",
  "200c": "zero-width non-joiner",
  "200d": "zero-width joiner",
  "200e": "left-to-right mark",
  "200f": "right-to-left mark",
  "202a": "left-to-right embedding",
  "202b": "right-to-left embedding",
  "202c": "end of a change of direction",
  "202d": "left-to-right override",
  "202e": "right-to-left override",
  "2060": "word joiner",
  "2066": "left-to-right isolate",
  "2067": "right-to-left isolate",
  "2068": "first strong isolate",
  "2069": "end of an isolate",
  feff: "byte order mark",
};

/** Letters of scripts that are written from right to left, for expressions. */
export const TURNED = "[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]";

/** The text in pieces; those with `hidden` are tokens such as `\u{202e}`. */
export function visible(text: string): Segment[] {
  if (text === "") return [];
  if (PLAIN.test(text)) return [{ text }];
  const segments: Segment[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(HIDDEN)) {
    if (belongs(text, index, found)) continue;
    if (index > end) segments.push({ text: text.slice(end, index) });
    segments.push(tokenFor(found));
    end = index + found.length;
  }
  if (end < text.length) segments.push({ text: text.slice(end) });
  return segments;
}

/** The same as one string, for titles, attributes and everything else that has no marks. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(HIDDEN, (found, index: number) =>
    belongs(text, index, found) ? found : tokenFor(found).text,
  );
}

function tokenFor(character: string): Segment & { hidden: string } {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return {
    text: code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`,
    hidden: NAMES[code] ?? "invisible character",
  };
}

/** Emoji and many scripts need joiners and variants: one at a time, after something of their own. */
function belongs(text: string, index: number, found: string): boolean {
  const before = text.charCodeAt(index - 1);
  if (isVariant(found.charCodeAt(0)))
    return (before > 0x7f && !isQuiet(before)) || /[0-9#*]/.test(text.charAt(index - 1));
  if (!isJoiner(found.charCodeAt(0))) return false;
  const after = text.charCodeAt(index + 1);
  return before > 0x7f && after > 0x7f && !isJoiner(before) && !isQuiet(after);
}

function isVariant(code: number): boolean {
  return code >= 0xfe00 && code <= 0xfe0f;
}

function isJoiner(code: number): boolean {
  return code === 0x200c || code === 0x200d;
}

function isQuiet(code: number): boolean {
  return isVariant(code) || isJoiner(code);
}
