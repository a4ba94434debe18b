import type { LoopContract } from "../../model/loop-contract.js";
import { counted } from "../../model/shown-amounts.js";
import type { SpecScore } from "../rules/spec-rubric.js";

/** How clear a task is, and what follows from that, for whoever has just started it. */
export function specLine(
  { score, questions }: Pick<SpecScore, "score" | "questions">,
  { shape, limits, steps }: Pick<LoopContract, "shape" | "limits" | "steps">,
): string {
  const open = questions.length === 0 ? "" : `; open: ${questions.join(" ")}`;
  if (shape === "colleague")
    return `clarity: ${score} of 10, so you are asked to review every ${counted(limits.reviewEvery ?? 0, "turn")} (--shape tool skips that)${open}`;
  if (open === "") return `clarity: ${score} of 10`;
  // Of a list of steps the shape follows from it.
  return `clarity: ${score} of 10, ${steps.length > 0 ? "enough to work without your reviews" : "for your info only"}${open}`;
}
