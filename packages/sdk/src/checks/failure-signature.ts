/** What a failure looks like without what differs from run to run. Pure; who calls brings the hash. */
import { stripVTControls } from "./plain-text.js";

/** Lines that say what went wrong, in any language and with any tool. */
const FAILURE = /fail|error|not ok|assert|panic|exception|fatal|traceback|[✗✘✖✕×❌]/iu;
const LAST_LINES = 10;
const MAX_LINES = 400;
const MAX_LINE = 400;
/** Output of which only the end counts. */
const MAX_OUTPUT = 512 * 1024;

/** In this order: what comes first is a part of what comes later. */
const VARIABLE_PARTS: readonly [RegExp, string][] = [
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/gu, "<date>"],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:\s?[AP]M\b)?/gu, "<clock>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu, "<uuid>"],
  [/(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm)(?:\/[^\s:'"`)\]},;]+)+/gu, "<tmp>"],
  [/\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[?::1?\]?):\d{2,5}\b/giu, "<address>"],
  [/(?<![\w.])\[?::1?\]?:\d{2,5}\b/gu, "<address>"],
  [/\b(port|pid|process|thread|worker)([ =:#]+)\d+/giu, "$1$2<n>"],
  [/==\d+==/gu, "==<n>=="],
  [/\b(duration_ms|elapsed|took)([ =:]+)\d+(?:\.\d+)?/giu, "$1$2<time>"],
  [/\b\d+(?:[.,]\d+)?\s?(?:ns|µs|μs|us|ms|millis(?:econds)?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/gu, "<time>"],
  [/\b0x[0-9a-f]+\b/giu, "<hex>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/giu, "<hex>"],
  [/\((\d+),(\d+)\)/gu, "(<at>)"],
  [/(?<=[\w)>\]]):\d+(?::\d+)?\b/gu, ":<at>"],
  [/\b(lines?|columns?|col)([ :]+)\d+/giu, "$1$2<at>"],
];

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

function withoutVariableParts(line: string): string {
  const text = VARIABLE_PARTS.reduce((left, [part, name]) => left.replaceAll(part, name), line.slice(0, MAX_LINE));
  return text.replaceAll(/\s+/gu, " ").trim();
}
