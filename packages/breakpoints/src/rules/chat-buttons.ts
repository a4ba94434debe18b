/** The buttons below a message, and what they remember until they are tapped. */
import { shownLine } from "@a5c-ai/babysitter-sdk/notify";
import type { AnswerChoice, DecisionWords, QuestionDetail } from "../wire/inbox-wire.js";

/** What a button does. What it acknowledges is kept with it: its message may never have been confirmed. */
export type ChatButton = { subjects: string[] } & (
  | { does: "decide"; question: string; words: DecisionWords }
  | { does: "comment"; question: string; text: string }
  /** Asks for a text, which decides nothing by itself. */
  | { does: "ask"; question: string; what: "reason" | "words" }
  | { does: "show"; question: string }
  /** Takes the buttons away that would decide. */
  | { does: "leave"; question: string }
  | { does: "note" }
);

export interface LabelledButton {
  label: string;
  button: ChatButton;
}

const LONGEST_LABEL = 60;
/** A keyboard takes a hundred. */
const MOST_OPTIONS = 30;

type Asked = Pick<QuestionDetail, "id" | "state" | "readOnly" | "options">;

export function subjectOf(question: string): string {
  return `question:${question}`;
}

/** Yes and no are never neighbours. `middle` stands between them. */
export function decidingButtons(question: Asked, middle: LabelledButton): LabelledButton[] {
  if (!isDecidable(question)) return [middle];
  const { id, options } = question;
  const decide = (label: string, words: DecisionWords): LabelledButton => ({ label, button: decideButton(id, words) });
  const choose = (choice: AnswerChoice): LabelledButton => decide(answerLabel(choice), { decision: optionOf(choice) });
  const [yes, no] = sides(options);
  const reject = { label: "Reject…", button: askButton(id, "reason") };
  return [
    ...(options.length === 0 ? [decide("Approve", { decision: "approve" })] : yes.map(choose)),
    middle,
    ...(no.length === 0 ? [reject] : no.map(choose)),
  ];
}

/** What a text of theirs may be. */
export function textButtons(question: Asked, text: string): LabelledButton[] {
  if (!isDecidable(question)) return [];
  const { id, options } = question;
  const [yes, no] = sides(options);
  const decide = (label: string, words: DecisionWords): LabelledButton => ({ label, button: decideButton(id, words) });
  return [
    ...(options.length === 0
      ? [decide("Approve with this answer", { decision: "approve", response: text })]
      : yes.map((choice) => decide(answerLabel(choice), { decision: optionOf(choice), response: text }))),
    { label: "Add as a comment", button: { does: "comment", question: id, text, subjects: [subjectOf(id)] } },
    ...no.map((choice) => decide(answerLabel(choice), { decision: optionOf(choice), feedback: text })),
    decide("Reject with this reason", { decision: "reject", feedback: text }),
  ];
}

export function reasonButtons(question: Asked, reason: string): LabelledButton[] {
  if (!isDecidable(question)) return [];
  const { id } = question;
  return [{ label: "Reject", button: decideButton(id, { decision: "reject", feedback: reason }) }, leaveButton(id)];
}

/** Repeats what was tapped, and is made only after that. */
export function repeatingButton(question: string, words: DecisionWords, title: string): LabelledButton {
  return { label: labelOf(`${actionOf(words)}: ${title}`), button: decideButton(question, words) };
}

export function leaveButton(question: string): LabelledButton {
  return { label: "Leave it open", button: { does: "leave", question, subjects: [subjectOf(question)] } };
}

export function showButton(question: string, label: string, subjects: string[]): LabelledButton {
  return { label: labelOf(label), button: { does: "show", question, subjects } };
}

export function wordsButton(question: string): LabelledButton {
  return { label: "Answer in words…", button: askButton(question, "words") };
}

export function noteButton(subjects: string[]): LabelledButton {
  return { label: "Got it", button: { does: "note", subjects } };
}

/** "Approve", "Reject", or the name of an option. */
export function actionOf({ decision }: DecisionWords): string {
  if (typeof decision !== "string") return `Answer “${decision.option}”`;
  return decision === "approve" ? "Approve" : "Reject";
}

export function isDecidable({ state, readOnly }: Pick<Asked, "state" | "readOnly">): boolean {
  return state === "open" && readOnly === undefined;
}

function decideButton(question: string, words: DecisionWords): ChatButton {
  return { does: "decide", question, words, subjects: [subjectOf(question)] };
}

function askButton(question: string, what: "reason" | "words"): ChatButton {
  return { does: "ask", question, what, subjects: [subjectOf(question)] };
}

function sides(options: readonly AnswerChoice[]): [AnswerChoice[], AnswerChoice[]] {
  const shown = options.slice(0, MOST_OPTIONS);
  return [shown.filter(({ rejects }) => !rejects), shown.filter(({ rejects }) => rejects)];
}

function optionOf({ id, label }: AnswerChoice): { option: string } {
  return { option: id ?? label };
}

/** An answer that is called "Details" or "Leave it open" must not be taken for one of our own buttons. */
function answerLabel({ label }: AnswerChoice): string {
  return labelOf(`Answer: ${label}`);
}

function labelOf(text: string): string {
  return shownLine(text, LONGEST_LABEL);
}

type Fields = Readonly<Record<string, unknown>>;

/** What was remembered of a button, as far as it is as it was written. */
export function readButton(about: unknown): ChatButton | undefined {
  const button = (typeof about === "object" && about !== null ? about : {}) as Fields;
  const { does, question, subjects, what, text } = button;
  if (!Array.isArray(subjects) || !subjects.every((one) => typeof one === "string")) return undefined;
  const isAbout = typeof question === "string";
  const isWhole: Readonly<Record<ChatButton["does"], boolean>> = {
    decide: isAbout && isWords(button["words"]),
    comment: isAbout && typeof text === "string",
    ask: isAbout && (what === "reason" || what === "words"),
    show: isAbout,
    leave: isAbout,
    note: true,
  };
  const isKnown = typeof does === "string" && Object.hasOwn(isWhole, does) && isWhole[does as ChatButton["does"]];
  return isKnown ? (button as unknown as ChatButton) : undefined;
}

function isWords(value: unknown): boolean {
  const { decision, response = "", feedback = "" } = (value ?? {}) as Fields;
  const isOption = typeof (decision as { option?: unknown } | null | undefined)?.option === "string";
  const isDecision = decision === "approve" || decision === "reject" || isOption;
  return isDecision && typeof response === "string" && typeof feedback === "string";
}
