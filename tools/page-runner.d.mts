import type { CommandStep, Problem } from "./doc-blocks.mjs";

interface RunOptions {
  onCommand?: (done: CommandStep & { shown: string[]; code: number }) => void;
  commandMs?: number;
}
export function runPage(text: string, options?: RunOptions): Promise<Problem[]>;
export function renderProblems(page: string, problems: readonly Problem[]): string;
