/** Text that somebody has to decide by, from anybody: what is hidden in it becomes visible. */
import { visible } from "../loop/shown-text.js";

export { shownLines as visibleLines } from "../loop/shown-text.js";

/** The same as one line. */
export function visibleLine(text: string, longest = 1_000): string {
  const line = visible(text.slice(0, longest).replaceAll(/[\r\n\t]+/g, " "));
  return text.length > longest ? `${line}…` : line;
}
