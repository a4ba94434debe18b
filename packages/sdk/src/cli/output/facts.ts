/** What there is to say about something, a word before each part: the shape of an ending, a status and a failure. */
import path from "node:path";
import type { Failure } from "../../model/failure.js";
import type { Json } from "../../model/json.js";
import { visible, visibleJson } from "../../model/shown-text.js";
import { cutToWidth, oneLine } from "./display-width.js";
import type { Paint } from "./paint.js";

export type Fact = [word: string, line: string];

/** The word stands before the first line only. */
export function section(word: string, lines: readonly string[]): Fact[] {
  return lines.map((line, index) => [index === 0 ? word : "", line]);
}

const WORD_WIDTH = 9;
const INDENT = "  ";

/** Facts as lines. Where there is a screen, what others printed is no wider than it; our own commands may wrap. */
export function renderFacts(facts: readonly Fact[], { paint, columns }: { paint: Paint; columns?: number }): string[] {
  const room = columns === undefined ? undefined : Math.max(20, columns - INDENT.length - WORD_WIDTH - 1);
  return facts.map(([word, line]) =>
    `${INDENT}${paint(word === "failed" ? "red" : "dim", word.padEnd(WORD_WIDTH))}${isOfOthers(line) && room !== undefined ? cutToWidth(line, room, "…") : line}`.trimEnd(),
  );
}

const QUOTE = "| ";

function isOfOthers(line: string): boolean {
  return line.startsWith(QUOTE);
}

/** The lines of a text, of a long one the beginning. */
export function firstLines(text: string, most: number, rest = ""): string[] {
  const lines = text.split("\n");
  if (lines.length <= most) return lines.map(visible);
  const shown = lines.slice(0, most - 1).map(visible);
  return [...shown, `(${lines.length - most + 1} more lines${rest === "" ? "" : `: ${rest}`})`];
}

const MAX_VALUE_LINES = 20;
const MAX_VALUE_LINE = 160;

/** A value, shortened for a screen; `whole` is the command that prints all of it. */
export function valueLines(value: Json, whole: string): string[] {
  const short = visibleJson(value);
  if (short.length <= 60) return [short];
  const all = visibleJson(value, 2).split("\n");
  const shown = all
    .slice(0, all.length > MAX_VALUE_LINES ? MAX_VALUE_LINES - 1 : MAX_VALUE_LINES)
    .map((line) => cutToWidth(line, MAX_VALUE_LINE, "…"));
  const isCut = shown.length < all.length || shown.some((line, index) => line !== all[index]);
  return isCut ? [...shown, `(shortened; all of it: ${whole})`] : shown;
}

/** A failed effect: what happened, where it was asked for, the end of its output, and where the rest is. */
export function failureFacts(failure: Failure, { runDir, name }: { runDir: string; name: string }): Fact[] {
  const { title, message, exitCode, attempt, location, stderr, stdout, logs, effectId } = failure;
  const [first = "", ...more] = firstLines(message.trim(), 10);
  const who = first.includes(title) ? first : `${oneLine(title)}: ${first}`;
  const exit = exitCode === undefined || first.includes(`exited with ${exitCode}`) ? "" : ` (exit ${exitCode})`;
  const tries = attempt > 1 ? ` (attempt ${attempt})` : "";
  return [
    ...section("failed", [`${who}${exit}${tries}`, ...more.map((line) => `${QUOTE}${line}`)]),
    ...section("at", location === undefined ? [] : [oneLine(location)]),
    ...section(
      "stderr",
      stderr.map((line) => `${QUOTE}${visible(line)}`),
    ),
    ...section(
      "stdout",
      stdout.map((line) => `${QUOTE}${visible(line)}`),
    ),
    ...section(
      "logs",
      logs.filter((file) => !file.includes(".attempt-")).map((file) => oneLine(fromHere(path.join(runDir, file)))),
    ),
    ...section("details", [oneLine(`babysitter task:show ${name} ${effectId}`)]),
  ];
}

/** A path as it is shortest to copy. */
function fromHere(file: string): string {
  try {
    const near = path.relative(process.cwd(), file);
    return near.startsWith("..") ? file : near;
  } catch {
    // The folder that we were called in has gone.
    return file;
  }
}
