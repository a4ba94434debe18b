/** What is shown of a conversation: what matches, and long outputs folded. */
import type { TranscriptLine } from "../../wire/run-wire.js";

/** Longer ones are folded. */
const SHORT_LINES = 12;
const SHORT_LENGTH = 1_500;

export function isLong(text: string): boolean {
  return text.length > SHORT_LENGTH || text.split("\n", SHORT_LINES + 1).length > SHORT_LINES;
}

/** The first words of a folded output. */
export function beginningOf(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

/** The call of a tool as people read it: a command as in a terminal, everything else as it is. */
export function callText(tool: string | null, text: string): string {
  if (tool !== "Bash") return text;
  try {
    const { command } = JSON.parse(text) as { command?: unknown };
    return typeof command === "string" ? `$ ${command}` : text;
  } catch {
    // It was cut.
    return text;
  }
}

/** Those with the words in them, in whichever case; all when there are none. */
export function matching(entries: readonly TranscriptLine[], words: string): readonly TranscriptLine[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return entries;
  return entries.filter(({ text, name }) => `${name ?? ""} ${text}`.toLowerCase().includes(wanted));
}
