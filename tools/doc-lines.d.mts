export interface ProgramLine {
  line: number;
  args: string[];
  inline?: true;
}
export interface SlashLine {
  line: number;
  verb: string;
  args: string;
  inline?: true;
}
export function programLines(text: string, program: string): ProgramLine[];
export function slashLines(text: string): SlashLine[];
export function inlineCode(text: string): { line: number; code: string }[];
export function withoutBlocks(text: string): string;
export function shellCommands(script: string): { at: number; words: string[] }[];
