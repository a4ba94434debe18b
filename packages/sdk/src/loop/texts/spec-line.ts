import type { SpecScore } from "../rules/spec-rubric.js";

/** How clear a task is, for whoever has just started it. */
export function specLine({ score, questions }: Pick<SpecScore, "score" | "questions">): string {
  return `clarity: ${score} of 10${questions.length === 0 ? "" : `, for your info only; open: ${questions.join(" ")}`}`;
}
