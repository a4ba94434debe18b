/** What a task leaves to be read of it: the end of what it printed, and how it ended. */
import type { SpawnResult } from "../spawn/spawn-request.js";
import type { WorkPlace } from "./executor.js";
import { logFiles, readLogTail } from "./task-logs.js";

/** Enough to see why something has failed; the logs have the rest. */
export const LAST_WORDS_LIMIT = 16 * 1024;

interface Printed {
  stdout: string;
  stderr: string;
  /** There was more; the logs have it. */
  truncated?: true;
}

/** What a task printed, for its result: of much of it the end. */
export function printed(place: WorkPlace, limit: number): Printed {
  const { stdoutFile, stderrFile } = logFiles(place.taskDir);
  const [stdout, stderr] = [readLogTail(stdoutFile, limit), readLogTail(stderrFile, limit)];
  const truncated = stdout.truncated || stderr.truncated;
  return { stdout: stdout.text, stderr: stderr.text, ...(truncated ? { truncated } : {}) };
}

export function howItEnded({ exitCode, signal }: SpawnResult): string {
  return exitCode === null ? `was killed by ${signal ?? "a signal"}` : `exited with ${exitCode}`;
}

/** What Node prints behind a message: frames of its stack, closing brackets, its own version. */
const BESIDE_THE_POINT = /^at |^Node\.js v[\d.]+$/u;

/** The line that most probably says why. */
export function lastWords(...texts: string[]): string {
  for (const text of texts) {
    const lines = text.split(/[\r\n]+/u).map((line) => line.trim());
    const line =
      lines.findLast((one) => /[\p{L}\p{N}]/u.test(one) && !BESIDE_THE_POINT.test(one)) ??
      lines.findLast((one) => one !== "");
    if (line !== undefined) return `: ${line.slice(0, 300)}`;
  }
  return "";
}
