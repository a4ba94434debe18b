/** The files in which an effect keeps what its attempts have printed. */
import fs from "node:fs";
import path from "node:path";
import { readRegularTail } from "../files/read-regular-file.js";

const STREAMS = ["stdout", "stderr"] as const;

/** Logs of the current or last attempt. */
export function logFiles(taskDir: string): { stdoutFile: string; stderrFile: string } {
  return { stdoutFile: path.join(taskDir, "stdout.log"), stderrFile: path.join(taskDir, "stderr.log") };
}

/** What earlier attempts have printed stays readable under the number of the attempt. */
export function keepEarlierLogs(taskDir: string, attempt: number): void {
  if (attempt < 2) return;
  for (const stream of STREAMS) {
    const earlier = path.join(taskDir, `${stream}.attempt-${attempt - 1}.log`);
    try {
      if (!fs.existsSync(earlier)) fs.renameSync(path.join(taskDir, `${stream}.log`), earlier);
    } catch {
      // There was no log, or it cannot be kept: no reason not to try again.
    }
  }
}

/** The end of a log, as text; `truncated` when there is more before it. */
export function readLogTail(file: string, limit: number): { text: string; truncated: boolean } {
  const none = { text: "", truncated: false };
  try {
    const found = readRegularTail(file, limit);
    if (found.kind !== "file") return none;
    const text = found.tail.toString("utf8");
    // The first character may have lost its first bytes.
    return found.size > limit
      ? { text: text.replace(/^\uFFFD{1,3}/u, ""), truncated: true }
      : { text, truncated: false };
  } catch {
    return none;
  }
}
