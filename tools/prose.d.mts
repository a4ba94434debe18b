export const MAX_WORDS: number;
export const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[];
export function findProse(
  markdown: string,
  options?: { isReference?: boolean },
): { line: number; what: string; text: string }[];
interface HelpTexts {
  name: string;
  summary: string;
  details?: string;
  positionals: readonly { help: string }[];
  options: Readonly<Record<string, { help: string }>>;
}
export function findInHelp(commands: readonly HelpTexts[]): { name: string; what: string; text: string }[];
