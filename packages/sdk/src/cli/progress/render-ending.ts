import type { Ending } from "../../drive/progress.js";
import type { Json, JsonObject } from "../../model/json.js";
import { forTerminal } from "../../model/terminal-text.js";
import { alignColumns } from "../output/output.js";
import type { Paint } from "../output/paint.js";
import { oneLine } from "./display-width.js";
import type { ProgressModel } from "./progress-model.js";
import { elapsedText } from "./time-text.js";

const OUTPUT_LINES = 20;
const MESSAGE_LINES = 10;
const WAITING_SHOWN = 10;

const STYLES: Record<Ending["state"], Parameters<Paint>[0]> = {
  created: "yellow",
  running: "yellow",
  waiting: "yellow",
  paused: "yellow",
  interrupted: "yellow",
  completed: "green",
  failed: "red",
  blocked: "red",
  cancelled: "red",
  error: "red",
};

/** How it ended, what came out and what to do now; nothing before the end. */
export function renderEnding(model: ProgressModel, paint: Paint): string[] {
  const { ending, run } = model;
  if (ending === undefined) return [];
  const took = elapsedText((model.endedMs ?? model.openedMs) - model.openedMs);
  const name = run === undefined ? "" : `  ${oneLine(run.runId)}  ${took}`;
  const facts = [
    ...section("why", textLines(ending.why, MESSAGE_LINES)),
    ...errorSections(ending.error),
    ...(ending.output === undefined ? [] : section("output", jsonLines(ending.output))),
    ...section("waiting", waitingLines(ending)),
    ...section("proof", ending.completionProof === undefined ? [] : [oneLine(ending.completionProof)]),
    ...section("journal", run === undefined ? [] : [oneLine(`${run.runDir}/journal`)]),
  ];
  return [
    `${paint("bold", paint(STYLES[ending.state], ending.state))}${name}`,
    ...facts.map(([word, line]) => `  ${paint("dim", word.padEnd(9))}${line}`.trimEnd()),
    ...nextLines(ending, paint),
  ];
}

type Fact = [word: string, line: string];

/** The word stands before the first line only. */
function section(word: string, lines: readonly string[]): Fact[] {
  return lines.map((line, index) => [index === 0 ? word : "", line]);
}

function errorSections(error: JsonObject | undefined): Fact[] {
  if (error === undefined) return [];
  const { code, name, message, hint, stack } = error;
  const kind = typeof code === "string" ? code : name;
  const text = typeof message === "string" ? message : JSON.stringify(message ?? error);
  return [
    ...section("error", textLines(typeof kind === "string" ? `${kind}: ${text}` : text, MESSAGE_LINES)),
    ...section("at", typeof stack === "string" ? placesIn(stack) : []),
    ...section("hint", typeof hint === "string" ? textLines(hint, MESSAGE_LINES) : []),
  ];
}

/** Where it was thrown, in code that the reader may know. */
function placesIn(stack: string): string[] {
  return stack
    .split("\n")
    .map((line) => /^\s+at (.+)$/.exec(line)?.[1])
    .filter((place) => place !== undefined && !/node:|node_modules|\/babysitter\.cjs/.test(place))
    .slice(0, 3)
    .map((place) => oneLine(place as string));
}

function jsonLines(value: Json): string[] {
  const short = JSON.stringify(value);
  return short.length <= 60 ? [oneLine(short)] : textLines(JSON.stringify(value, null, 2), OUTPUT_LINES);
}

function textLines(text: string, most: number): string[] {
  const lines = text.split("\n");
  const shown = lines.length > most ? [...lines.slice(0, most - 1), `(${lines.length - most + 1} more lines)`] : lines;
  return shown.map((line) => forTerminal(line.replaceAll("\u001b", String.raw`\x1b`)));
}

function waitingLines({ waitingFor }: Ending): string[] {
  if (waitingFor.length === 0) return [];
  const rows = waitingFor
    .slice(0, WAITING_SHOWN)
    .map(({ kind, title, effectId }) => [oneLine(kind), oneLine(title), oneLine(effectId)]);
  const more = waitingFor.length - rows.length;
  const questions = waitingFor
    .slice(0, WAITING_SHOWN)
    .filter(({ title, question }) => question !== undefined && question !== title)
    .flatMap(({ question = "" }) => textLines(question, MESSAGE_LINES));
  return [...alignColumns(rows).split("\n"), ...(more > 0 ? [`(${more} more)`] : []), ...questions];
}

function nextLines({ next }: Ending, paint: Paint): string[] {
  if (next.length === 0) return [];
  // What it is for comes first: commands can be long.
  const rows = next.map(({ command, about }) => [`  ${paint("dim", oneLine(about))}`, oneLine(command)]);
  return [paint("bold", "next:"), ...alignColumns(rows).split("\n")];
}
