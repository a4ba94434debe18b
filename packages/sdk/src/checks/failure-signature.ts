/** What a failure looks like without what differs from run to run. Pure; who calls brings the hash. */
import { withoutVariableParts } from "../model/variable-parts.js";
import { stripVTControls } from "./plain-text.js";

/** Lines that say what went wrong, in any language and with any tool. */
const FAILURE = /fail|error|not ok|assert|panic|exception|fatal|traceback|[✗✘✖✕×❌]/iu;
const LAST_LINES = 10;
const MAX_LINES = 400;
/** Output of which only the end counts. */
const MAX_OUTPUT = 512 * 1024;

/** Equal for two failures of the same kind. */
export function failureSignature(
  criterionId: string,
  exitCode: number | null,
  output: string,
  hash: (text: string) => string,
): string {
  return hash(JSON.stringify([criterionId, exitCode, failureLines(output)]));
}

/** Sorted, each once: the order of tests that run side by side means nothing. */
export function failureLines(output: string): string[] {
  const lines = stripVTControls(output.slice(-MAX_OUTPUT))
    .split("\n")
    // What a progress bar has written over is gone for whoever looks.
    .map((line) => line.trimEnd().split("\r").at(-1) ?? "")
    .filter((line) => line.trim() !== "");
  const failures = lines.filter((line) => FAILURE.test(line)).slice(-MAX_LINES);
  const telling = failures.length > 0 ? failures : lines.slice(-LAST_LINES);
  return [...new Set(telling.map(withoutVariableParts))].toSorted();
}
