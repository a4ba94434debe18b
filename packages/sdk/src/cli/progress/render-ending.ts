import type { Ending } from "../../drive/progress.js";
import { messageWithCauses, type RecordedError } from "../../model/errors.js";
import { isThrownBy } from "../../model/failure.js";
import { defined, type JsonObject } from "../../model/json.js";
import { oneLine } from "../output/display-width.js";
import { type Fact, failureFacts, firstLines, renderFacts, section, valueLines } from "../output/facts.js";
import { alignColumns, shownLength } from "../output/output.js";
import type { Paint } from "../output/paint.js";
import { type ProgressModel, tookMs } from "./progress-model.js";
import { elapsedText } from "./time-text.js";

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

/** How it ended, what came out and what to do now; nothing before the end. `columns`: of the screen, where there is one. */
export function renderEnding(model: ProgressModel, paint: Paint, columns?: number): string[] {
  const { ending, run } = model;
  if (ending === undefined) return [];
  const took = elapsedText(tookMs(model, model.openedMs));
  const title = run === undefined ? "" : `  ${oneLine(run.runId)}  ${took}`;
  const name = run?.name ?? "";
  const failures = ending.failures ?? [];
  const facts = [
    ...section("why", isSaidBelow(ending) ? [] : firstLines(ending.why, MESSAGE_LINES)),
    ...errorSections(ending),
    ...failures.flatMap((failure) => failureFacts(failure, { runDir: run?.runDir ?? "", name })),
    ...section("", moreFailures(model, failures.length, name)),
    ...(ending.output === undefined
      ? []
      : section("output", valueLines(ending.output, oneLine(`babysitter run:output ${name}`)))),
    ...section("waiting", waitingLines(ending)),
    ...section("proof", ending.completionProof === undefined ? [] : [oneLine(ending.completionProof)]),
    ...section("journal", run === undefined ? [] : [oneLine(`${run.runDir}/journal`)]),
  ];
  return [
    `${paint("bold", paint(STYLES[ending.state], ending.state))}${title}`,
    ...renderFacts(facts, { paint, ...defined({ columns }) }),
    ...nextLines(ending, { paint, columns: columns ?? Number.POSITIVE_INFINITY }),
  ];
}

/** Nobody wants to read the same sentence twice. */
function isSaidBelow({ why, error, failures = [] }: Ending): boolean {
  const message = typeof error?.["message"] === "string" ? error["message"].split("\n")[0] : undefined;
  return failures.length > 0 || (message !== undefined && message !== "" && why.includes(message));
}

function moreFailures({ failed }: ProgressModel, shown: number, name: string): string[] {
  const more = failed.size - shown;
  return shown === 0 || more <= 0 ? [] : [oneLine(`(${more} more failed: babysitter task:list ${name})`)];
}

/** What the process threw, unless that is the failure of a task, which is shown as such. */
function errorSections({ error, failures = [] }: Ending): Fact[] {
  if (error === undefined) return [];
  const { code, name, hint, stack } = error;
  const thrown = typeof stack === "string" ? stack : undefined;
  if (failures.some(({ invocationKey }) => isThrownBy(defined({ stack: thrown }), invocationKey))) return [];
  const kind = typeof code === "string" ? code : name;
  const text = typeof error["message"] === "string" ? messageOf(error) : JSON.stringify(error["message"] ?? error);
  return [
    ...section("error", firstLines(typeof kind === "string" ? `${kind}: ${text}` : text, MESSAGE_LINES)),
    ...section("at", thrown === undefined ? [] : placesIn(thrown)),
    ...section("hint", typeof hint === "string" ? firstLines(hint, MESSAGE_LINES) : []),
  ];
}

function messageOf(error: JsonObject): string {
  return messageWithCauses(error as unknown as RecordedError);
}

/** Where it was thrown, in code that the reader may know. */
function placesIn(stack: string): string[] {
  return stack
    .split("\n")
    .map((line) => /^\s+at (.+)$/.exec(line)?.[1])
    .filter((place) => place !== undefined && !/node:|node_modules|\/dist\/cli\/\w+\.cjs/.test(place))
    .slice(0, 3)
    .map((place) => oneLine(place as string));
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
    .flatMap(({ question = "" }) => firstLines(question.trimEnd(), MESSAGE_LINES));
  return [...alignColumns(rows).split("\n"), ...(more > 0 ? [`(${more} more)`] : []), ...questions];
}

function nextLines({ next }: Ending, { paint, columns }: { paint: Paint; columns: number }): string[] {
  if (next.length === 0) return [];
  // What it is for comes first: commands can be long.
  const rows = next.map(({ command, about }) => [`  ${paint("dim", oneLine(about))}`, oneLine(command)] as const);
  const aligned = alignColumns(rows).split("\n");
  const fits = aligned.every((row) => shownLength(row) <= columns);
  // A command that a terminal breaks cannot be copied.
  const lines = fits ? aligned : rows.flatMap(([about, command]) => [about, `    ${command}`]);
  return [paint("bold", "next:"), ...lines];
}
