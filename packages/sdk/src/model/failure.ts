import type { RecordedError } from "./errors.js";
import { hideSecrets } from "./secrets.js";
import { lastLines } from "./shown-text.js";

/** A failed effect, with the end of what it printed. */
export interface Failure {
  effectId: string;
  invocationKey: string;
  kind: string;
  title: string;
  attempt: number;
  at: string;
  code?: string;
  /** With what caused it, and without what is in the lines below. */
  message: string;
  exitCode?: number;
  signal?: string;
  /** `file:line:column` of the call. */
  location?: string;
  stderr: string[];
  stdout: string[];
  /** Paths of the logs, relative to the run. */
  logs: string[];
}

/** Whether an error is the one that a failed effect threw at its call. */
export function isThrownBy(error: Pick<RecordedError, "stack"> | undefined, invocationKey: string): boolean {
  return error?.stack?.endsWith(`\n    at ctx.task (${invocationKey})`) ?? false;
}

const TAIL_LINES = 15;
const MAX_LINE_LENGTH = 300;
/** So much of an output is looked at: lines may be longer than they are shown. */
export function tailBytes(lines: number = TAIL_LINES): number {
  return lines * MAX_LINE_LENGTH * 8;
}

/** The last lines of what a task has printed, safe to show. */
export function outputTail(text: string, most = TAIL_LINES): string[] {
  if (text.trim() === "") return [];
  const lines = lastLines(hideSecrets(text), most, MAX_LINE_LENGTH * 8);
  return lines.map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line));
}
