/** What keeps one press from deciding twice, or from deciding something that was not read. */
import type { AnswerChoice, DecisionWords, QuestionDetail } from "../../wire/inbox-wire.js";
import { isBlank } from "./blank.js";

/** A question that came by itself after a decision cannot be decided by the same double click. */
export const ARRIVAL_GUARD_MS = 700;

/** What somebody is about to decide. */
export interface Intent {
  kind: "approve" | "reject" | "option" | "words";
  option?: AnswerChoice;
  /** The reason of a rejection, or the answer in words. */
  text: string;
}

export function isRejection({ kind, option }: Intent): boolean {
  return kind === "reject" || (kind === "option" && option?.rejects === true);
}

/** Why it cannot be sent yet, in words for its author. */
export function whatIsMissing(intent: Intent): string | undefined {
  if (intent.kind === "reject" && isBlank(intent.text)) return "Say why, so that the work can improve.";
  if (intent.kind === "words" && isBlank(intent.text)) return "Write your answer first.";
  return undefined;
}

/** A high risk is approved in a second step, which repeats what will happen. */
export function needsSecondStep(question: Pick<QuestionDetail, "risk" | "needs">, intent: Intent): boolean {
  return question.risk === "high" && !isRejection(intent);
}

export function wordsOf(intent: Intent): DecisionWords {
  const text = intent.text.trim();
  switch (intent.kind) {
    case "approve":
      return { decision: "approve" };
    case "reject":
      return { decision: "reject", feedback: text };
    case "words":
      return { decision: "approve", response: text };
    case "option":
      break;
  }
  return { decision: { option: intent.option?.id ?? intent.option?.label ?? "" } };
}

/** Answers that say yes before those that say no, numbered as they stand there. */
export function numberedOptions(options: readonly AnswerChoice[]): { choice: AnswerChoice; number: number }[] {
  return [...options.filter(({ rejects }) => !rejects), ...options.filter(({ rejects }) => rejects)].map(
    (choice, n) => ({ choice, number: n + 1 }),
  );
}

/** Few short answers fit beside each other. */
export function fitInBar(options: readonly AnswerChoice[]): boolean {
  return options.length <= 3 && options.reduce((sum, { label }) => sum + label.length, 0) <= 48;
}
