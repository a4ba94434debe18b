export const MAX_WORDS: number;
export const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[];
export function findProse(
  markdown: string,
  options?: { isReference?: boolean },
): { line: number; what: string; text: string }[];
