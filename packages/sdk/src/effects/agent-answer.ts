/** Decides whether what an agent has answered can be used. */
import type { Json } from "../model/json.js";
import { type RefusedAnswer, shorten } from "./agent-prompt.js";
import type { SchemaCheck } from "./agent-schema.js";
import { type FoundAnswer, findAnswer } from "./json-in-text.js";

export type Verdict =
  | { kind: "usable"; value: Json }
  | ({ kind: "refused" } & RefusedAnswer)
  /** The agent says itself that it has failed. */
  | { kind: "failure"; message: string };

export interface AnswerSources {
  /** What is in the output file; it counts first. */
  file: string;
  stdout: string;
  /** May have been printed too, and holds JSON that is no answer. */
  prompt: string;
}

/** More than this without any JSON is a log, not an answer. */
const MAX_TEXT = 1024 * 1024;
/** As much of a refused answer as goes into the second prompt, and into the error. */
const SHOWN_ANSWER = 6000;

export function judgeAnswer({ file, stdout, prompt }: AnswerSources, check: SchemaCheck | undefined): Verdict {
  const texts = [file, withoutEcho(stdout, prompt)];
  const verdicts = texts.map((text) => judge(findAnswer(text, check !== undefined), check));
  const failure = verdicts.find(({ kind }) => kind === "failure");
  const usable = verdicts.find(({ kind }) => kind === "usable");
  const refused = verdicts.find((verdict) => verdict.kind === "refused" && verdict.answer !== "");
  return failure ?? usable ?? refused ?? nothing();
}

function judge(found: FoundAnswer, check: SchemaCheck | undefined): Verdict {
  if (found.kind === "failure") return found;
  if (found.kind === "nothing") return nothing();
  if (found.kind === "text") return judgeText(found.text, check);
  const checked = found.candidates.map((value) => ({ value, problems: check?.(value) ?? [] }));
  const good = checked.find(({ problems }) => problems.length === 0);
  if (good !== undefined) return { kind: "usable", value: good.value };
  const [first] = checked as [{ value: Json; problems: string[] }];
  return { kind: "refused", answer: shortened(JSON.stringify(first.value, null, 2)), problems: first.problems };
}

function judgeText(text: string, check: SchemaCheck | undefined): Verdict {
  if (check === undefined && text.length <= MAX_TEXT) return { kind: "usable", value: text };
  const problem =
    check === undefined ? `It has ${text.length} characters but no JSON.` : "It contains no complete JSON.";
  return { kind: "refused", answer: shortened(text), problems: [problem] };
}

function nothing(): Verdict {
  return { kind: "refused", answer: "", problems: ["There was no answer."] };
}

function shortened(text: string): string {
  return shorten(text, SHOWN_ANSWER);
}

/** What was printed after the prompt, for commands that repeat it. */
function withoutEcho(text: string, prompt: string): string {
  const echoed = prompt.trim();
  const at = text.lastIndexOf(echoed);
  return at < 0 ? text : text.slice(at + echoed.length);
}
