/** Placeholder of the room ui/text. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}
