/** How a host writes transcripts, as far as it has to be known to read one: lines of text, the newest last. */
import type { MeteredRow } from "./spend-usage.js";
import type { LastMessage, Turn, TurnBreak } from "./turn.js";

export interface TranscriptFormat {
  /**
   * The last turn in these lines, and how many of them are no rows: a last one may still be under way. `broken`: there
   * is no last message, and the line that should have it cannot be read, for this reason.
   */
  turnIn(lines: string, last: LastMessage): Turn & { skipped: number; broken?: string };
  /** Undefined where the lines say nothing about it. */
  breakIn(lines: string): TurnBreak | undefined;
  /** Lines without this text report no model call and need no parsing: they are most of the file. */
  readonly usageMark: string;
  usageIn(line: string): MeteredRow | undefined;
}
