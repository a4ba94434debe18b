/** How many cells a character takes on the screen of a modern terminal; emoji take two, which older tables do not say. */
import type { Terminal } from "@xterm/headless";

const WIDE =
  /^[\u1100-\u115F\u231A\u231B\u23E9-\u23EC\u23F0\u23F3\u2705\u2728\u274C\u2753-\u2757\u2B1B\u2B1C\u2B50\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]$/u;
const NONE = /^[\p{Cc}\p{Mn}\p{Me}\u200B-\u200F]$/u;

const VERSION = "emoji";

type Width = 0 | 1 | 2;

function widthOf(codepoint: number): Width {
  if (codepoint >= 0x20 && codepoint < 0x7f) return 1;
  const character = String.fromCodePoint(codepoint);
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** As the screen keeps it: whether the character joins the one before it, and their width together. */
function properties(codepoint: number, before: number): number {
  const width = widthOf(codepoint);
  const widthBefore = (before >> 1) & 3;
  const joins = width === 0 && widthBefore > 0;
  return ((joins ? widthBefore : width) << 1) | (joins ? 1 : 0);
}

export function measureEmoji({ unicode }: Terminal): void {
  unicode.register({ version: VERSION, wcwidth: widthOf, charProperties: properties });
  unicode.activeVersion = VERSION;
}
