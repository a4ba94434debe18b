/** How many failures the output of a well-known tool reports. Pure. */
import { stripVTControls } from "./plain-text.js";

/** Every match adds its numbers. */
type Summary = readonly RegExp[];

/** Tools that end with a line of numbers; each has lines that appear whether or not something failed. */
const SUMMARIES: readonly Summary[] = [
  // node:test, as TAP and for people
  [/^(?:#|ℹ) fail (\d+)$/gmu],
  // vitest
  [/^[ \t]*Tests[ \t]+(?:(\d+) failed|\d+ (?:passed|skipped|todo)).*\(\d+\)/gmu],
  // jest
  [/^Tests:[ \t]+(?:(\d+) failed|\d+ (?:passed|skipped|todo)).*(?<!\d)\d+ total/gmu],
  // mocha
  [/^[ \t]*\d+ passing\b/gmu, /^[ \t]*(\d+) failing$/gmu],
  // cargo
  [/^test result: \w+\. \d+ passed; (\d+) failed/gmu, /^error: could not compile .* due to (\d+) previous errors?/gmu],
  // tsc --pretty, biome, oxlint
  [/^[ \t]*Found (?:\d+ warnings? and )?(\d+) errors?\b/gmu],
  // eslint
  [/^[ \t]*[✖✕×] \d+ problems? \((\d+) errors?/gmu],
  // rspec
  [/^\d+ examples?, (\d+) failures?/gmu],
  // JUnit by Maven
  [/^(?:\[\w+\] )?Tests run: \d+, Failures: (\d+), Errors: (\d+), Skipped: \d+$/gmu],
];
const PYTEST = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in \d+(?:\.\d+)?s/gmu;
const PYTEST_FAILURES = /(?<!\d)(\d+) (?:failed|errors?)\b/gu;

/** Tools without such a line: failures are counted, and other lines say that there are none. */
const LISTS: readonly { failure: RegExp; success?: RegExp }[] = [
  // go
  { failure: /^--- FAIL: /gmu, success: /^ok[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))/mu },
  // TAP without a summary
  { failure: /^not ok\b(?![^\n]*# (?:TODO|SKIP))/gimu, success: /^1\.\.\d+$/mu },
  // tsc
  { failure: /^\S.*(?:\(\d+,\d+\)|:\d+:\d+)(?::| -) error TS\d+: /gmu },
];

/** Undefined when the output is not that of a tool that is known. */
export function failureCount(output: string): number | undefined {
  const text = stripVTControls(output).replaceAll("\r\n", "\n");
  const summed = [...SUMMARIES.flatMap((summary) => sums(summary, text)), ...pytestSums(text)];
  if (summed.length > 0) return summed.reduce((sum, count) => sum + count, 0);
  const counted = LISTS.flatMap(({ failure, success }) => {
    const count = [...text.matchAll(failure)].length;
    return count > 0 || success?.test(text) === true ? [count] : [];
  });
  return counted.length === 0 ? undefined : counted.reduce((sum, count) => sum + count, 0);
}

function sums(summary: Summary, text: string): number[] {
  return summary.flatMap((pattern) => [...text.matchAll(pattern)]).map(([, ...numbers]) => total(numbers));
}

function pytestSums(text: string): number[] {
  return [...text.matchAll(PYTEST)].map(([, counts]) =>
    total([...(counts as string).matchAll(PYTEST_FAILURES)].map(([, count]) => count)),
  );
}

function total(numbers: readonly (string | undefined)[]): number {
  return numbers.reduce((sum, text) => sum + Number(text ?? 0), 0);
}
