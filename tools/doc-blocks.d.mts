export interface Problem {
  line: number;
  what: string;
}
export interface Block {
  line: number;
  language: string;
  run: boolean;
  append: boolean;
  file?: string;
  lines: string[];
  text: string;
}
export interface FileStep {
  kind: "file";
  line: number;
  file: string;
  append: boolean;
  text: string;
}
export interface CommandStep {
  kind: "command";
  line: number;
  command: string;
  exit: number;
  answers: string[];
  output: string[];
}
export interface Place {
  expected: number;
  printed: number;
}
export function readBlocks(text: string): { blocks: Block[]; problems: Problem[] };
export function readSteps(text: string): { steps: (FileStep | CommandStep)[]; problems: Problem[] };
export function compareOutput(expected: readonly string[], printed: readonly string[]): Place | undefined;
export function renderDifference(expected: readonly string[], printed: readonly string[], place: Place): string;
