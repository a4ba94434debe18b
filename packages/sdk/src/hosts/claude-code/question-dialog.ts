/**
 * A question of a run as the host's own dialog shows it, and what the host says was answered there. The same question
 * always gives the same dialog, so that an answer can be compared with what is really asked.
 */

import type { AnswerOption } from "../../model/breakpoint-question.js";
import type { BreakpointResult } from "../../model/breakpoint-result.js";
import { canonicalJson, isJsonObject, type Json, type JsonObject } from "../../model/json.js";
import { shownLine, shownLines } from "../../model/shown-text.js";
import type { DialogAnswer, DialogChoice, OpenQuestion, QuestionDialog, QuestionTool } from "../host.js";

/** What one dialog of the host's shows. */
export interface AskedDialog extends QuestionDialog {
  input: { questions: [DialogQuestion] };
}

// Not an interface: it must be assignable to a JSON object.
type DialogQuestion = {
  question: string;
  header: string;
  options: { label: string; description: string }[];
  multiSelect: false;
};

/** The host takes no fewer and no more. */
const MIN_OPTIONS = 2;
const MAX_OPTIONS = 4;
/** A dialog that is higher than the terminal hides its own answers. */
const MAX_LINES = 16;
const MAX_LINE = 400;
const MAX_LABEL = 60;
const MAX_HEADER = 30;
const MAX_FILES = 5;

interface OfferedAnswer {
  label: string;
  description: string;
  rejects: boolean;
  choice: DialogChoice;
}

const APPROVE: OfferedAnswer = {
  label: "Approve",
  description: "The run continues.",
  rejects: false,
  choice: "approve",
};
const REJECT: OfferedAnswer = {
  label: "Reject",
  description: "The run receives a rejection.",
  rejects: true,
  choice: "reject",
};

export function dialogFor(open: OpenQuestion): AskedDialog {
  const { question } = open;
  const answers = answersTo(question.options);
  const [shown, typed] = withinReach(answers);
  const input: AskedDialog["input"] = {
    questions: [
      {
        question: textOf(open, typed),
        header: shownLine(question.title ?? "", MAX_HEADER) || "Breakpoint",
        options: shown.map(({ label, description }) => ({ label, description })),
        multiSelect: false,
      },
    ],
  };
  return { input, choices: new Map(answers.map(({ label, choice }) => [label, choice])) };
}

function answersTo(options: readonly AnswerOption[]): OfferedAnswer[] {
  if (options.length === 0) return [APPROVE, REJECT];
  const labels = new Set<string>();
  const answers = options.map((option, index) => {
    const label = freeLabel(shownLine(option.label, MAX_LABEL) || `Answer ${index + 1}`, labels);
    labels.add(label);
    return {
      label,
      description: option.rejects ? "Counts as a rejection." : "Counts as an approval.",
      rejects: option.rejects,
      choice: { option: option.id ?? option.label },
    };
  });
  if (answers.length >= MIN_OPTIONS) return answers;
  const other = answers[0]?.rejects === true ? APPROVE : REJECT;
  return [...answers, { ...other, label: freeLabel(other.label, labels) }];
}

/** The host could not tell apart two answers that look the same. */
function freeLabel(label: string, taken: ReadonlySet<string>): string {
  let free = label;
  for (let number = 2; taken.has(free); number += 1) free = `${label} (${number})`;
  return free;
}

/** What can be chosen with a key, including a rejection if there is one, and what must be typed. */
function withinReach(answers: readonly OfferedAnswer[]): [OfferedAnswer[], OfferedAnswer[]] {
  const shown = answers.slice(0, MAX_OPTIONS);
  const no = answers.find(({ rejects }) => rejects);
  if (no !== undefined && !shown.includes(no)) shown[MAX_OPTIONS - 1] = no;
  return [shown, answers.filter((answer) => !shown.includes(answer))];
}

function textOf({ effectId, shown, question }: OpenQuestion, typed: readonly OfferedAnswer[]): string {
  const lines = shownLines(question.question.trim()).map((line) => shortened(line, MAX_LINE));
  const files = question.files.slice(0, MAX_FILES).map(({ path }) => shownLine(path, MAX_LABEL));
  const more = question.files.length - files.length;
  return [
    ...(lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), "…"] : lines),
    "",
    ...(typed.length === 0 ? [] : [`Or type: ${typed.map(({ label }) => label).join(" | ")}`]),
    ...(files.length === 0 ? [] : [`About: ${files.join(", ")}${more > 0 ? ` and ${more} more` : ""}`]),
    `${SHOW} ${effectId} [${shown.slice(0, HASH_LENGTH)}]`,
  ].join("\n");
}

const SHOW = "babysitter breakpoint:show";
const HASH_LENGTH = 8;
const LAST_LINE = /(?:^|\n)babysitter breakpoint:show ([A-Za-z0-9][\w.-]*) \[[0-9a-f]{8}\]$/u;

function shortened(line: string, longest: number): string {
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : line;
}

/** The question that a dialog claims to be; whether it really shows it is checked elsewhere. */
export function questionIdIn(input: JsonObject): string | undefined {
  const [asked, ...others] = questionTexts(input);
  return others.length > 0 ? undefined : LAST_LINE.exec(asked ?? "")?.[1];
}

/** True when a tool's input shows exactly this dialog. */
export function isDialog(input: JsonObject, dialog: AskedDialog): boolean {
  return sameQuestions(input["questions"], dialog);
}

function sameQuestions(questions: Json | undefined, { input }: AskedDialog): boolean {
  return canonicalJson(questions ?? null, "The dialog") === canonicalJson(input.questions, "The dialog");
}

/**
 * The question of the run that an agent means by its own call: it names its id, or has its words. Anything else is a
 * question of the agent, however similar.
 */
export function meantQuestion<T extends Pick<OpenQuestion, "effectId" | "question">>(
  input: JsonObject,
  open: readonly T[],
): T | undefined {
  const texts = questionTexts(input);
  const ids = new Set(idsNamed(input));
  const named = open.find(({ effectId }) => ids.has(effectId));
  return named ?? open.find(({ question }) => texts.some((text) => plain(text) === plain(question.question)));
}

/** Everything in the questions that could be an id. */
function idsNamed(input: JsonObject): string[] {
  const questions = Array.isArray(input["questions"]) ? input["questions"].filter((item) => isJsonObject(item)) : [];
  return questions
    .flatMap(({ question, header }) => [question, header])
    .filter((text) => typeof text === "string")
    .flatMap((text) => text.match(/[A-Za-z0-9][\w.-]*\w/gu) ?? []);
}

function questionTexts(input: JsonObject): string[] {
  const { questions } = input;
  if (!Array.isArray(questions)) return [];
  return questions.map((item) => (isJsonObject(item) && typeof item["question"] === "string" ? item["question"] : ""));
}

function plain(text: string): string {
  return text.trim().replaceAll(/\s+/gu, " ");
}

const NONE: DialogAnswer = { kind: "none" };

/** What the host says was answered. Answers in the tool's input are ignored: the agent can write them. */
export function answerIn(response: Json | undefined, dialog: AskedDialog): DialogAnswer {
  if (!isJsonObject(response) || !sameQuestions(response["questions"], dialog)) return NONE;
  const { answers, annotations } = response;
  // The host continued by itself after a timeout.
  if (!isJsonObject(answers) || response["afkTimeoutMs"] !== undefined) return NONE;
  const [{ question }] = dialog.input.questions;
  const [only, ...others] = Object.entries(answers);
  if (only === undefined || others.length > 0 || only[0] !== question || typeof only[1] !== "string") return NONE;
  const label = only[1].trim();
  const choice = dialog.choices.get(label);
  if (choice === undefined) return label === "" ? NONE : { kind: "comment", text: label };
  const notes = notesOf(isJsonObject(annotations) ? annotations[question] : undefined);
  return { kind: "choice", choice, label, ...(notes === undefined ? {} : { notes }) };
}

function notesOf(annotation: Json | undefined): string | undefined {
  const notes = isJsonObject(annotation) ? annotation["notes"] : undefined;
  return typeof notes === "string" && notes.trim() !== "" ? notes.trim() : undefined;
}

/** The dialog's input with the answer that was given elsewhere, in the host's shape. */
export function answeredInput(dialog: AskedDialog, words: string): JsonObject {
  const [asked] = dialog.input.questions;
  return { questions: [asked], answers: { [asked.question]: words } };
}

/** A decision from elsewhere as an answer in the dialog; a no never looks like a yes. */
export function decisionWords(
  dialog: AskedDialog,
  { approved, option, feedback }: Pick<BreakpointResult, "approved" | "option" | "feedback">,
): string {
  const label = [...dialog.choices].find(([, choice]) =>
    typeof choice === "string" ? option === undefined && (choice === "approve") === approved : choice.option === option,
  )?.[0];
  if (approved) return label ?? "Approved";
  const reason = shownLine(feedback ?? "", MAX_LINE);
  return reason === "" || reason === label ? (label ?? "Rejected") : `Rejected: ${reason}`;
}

export const questionTool: QuestionTool = {
  name: "AskUserQuestion",
  dialogFor,
  questionIdIn,
  isDialog,
  meantQuestion,
  idsNamed,
  answerIn,
  decisionWords,
  answeredInput,
};
