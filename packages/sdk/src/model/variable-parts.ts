/** What differs from run to run in a line that says the same. */

const MAX_LINE = 400;

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

/** A line without them: equal for two failures of the same kind. */
export function withoutVariableParts(line: string): string {
  const text = VARIABLE_PARTS.reduce((left, [part, name]) => left.replaceAll(part, name), line.slice(0, MAX_LINE));
  return text.replaceAll(/\s+/gu, " ").trim();
}
