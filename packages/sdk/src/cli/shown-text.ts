/** Text that somebody has to decide by, from anybody: what is hidden in it becomes visible. */

/** Everything that a terminal acts on or does not show. Joiners belong to scripts and emoji, a tab to any file. */
const HIDDEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function visibleLines(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n").map(visible);
}

/** The same as one line. */
export function visibleLine(text: string, longest = 1_000): string {
  const line = visible(text.slice(0, longest).replaceAll(/[\r\n\t]+/g, " "));
  return text.length > longest ? `${line}…` : line;
}

function visible(text: string): string {
  return text.replaceAll(HIDDEN, (found) => {
    const code = (found.codePointAt(0) ?? 0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
  });
}
