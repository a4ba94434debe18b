/** A sentence in pieces: our own words, times, and what others have written. */
export type WordPart =
  | string
  /** "3 min ago". */
  | { ago: string }
  /** "23:01". */
  | { clock: string }
  /** Text of others, which is shown as it is. */
  | { said: string };

/** What others say, within a sentence of ours: it does not end there. */
export function quoted(text: string): WordPart {
  return { said: text.trimEnd().replace(/[.!]$/u, "") };
}

/** Words that are joined by something, where there are any. */
export function joined(parts: readonly (readonly WordPart[])[], by: string): WordPart[] {
  return parts.filter((part) => part.length > 0).flatMap((part, n) => (n === 0 ? part : [by, ...part]));
}
