/** Starts a loop on request: judges the task, makes the contract, and starts. */
import type { LoopTerms } from "../loop/formats/loop-terms.js";
import { DEFAULT_ITERATIONS } from "../loop/rules/make-contract.js";
import { scoreSpec } from "../loop/rules/spec-rubric.js";
import { BabysitterError } from "../model/errors.js";
import type { LoopShape } from "../model/loop-contract.js";
import type { RunJournal } from "../runs/run-journal.js";
import type { HostSession } from "./find-loop.js";
import type { LoopMaker } from "./loop-machine.js";
import { newLoop } from "./new-loop.js";

export interface LoopOrder {
  goal: string;
  terms: LoopTerms;
  runId?: string | undefined;
  session?: HostSession | undefined;
  /** Someone is there to be asked. */
  isAttended: boolean;
}

export async function orderLoop(
  machine: LoopMaker,
  { goal, terms, runId, session, isAttended }: LoopOrder,
): Promise<{ journal: RunJournal; warnings: string[] }> {
  const shape = judgedShape(goal, terms, isAttended);
  const { contract, warnings } = await machine.contract({ goal, terms, iterations: DEFAULT_ITERATIONS, shape });
  return { journal: await newLoop(machine, { contract, goal, iteration: 1, runId, session }), warnings };
}

/** A list of steps is unattended work; whether it is clear enough is judged first. */
function judgedShape(goal: string, terms: LoopTerms, isAttended: boolean): LoopShape | undefined {
  if (terms.steps.length === 0 || terms.shape !== undefined) return undefined;
  const { score, shape, questions } = scoreSpec(goal, {
    commands: [...terms.criteria, ...terms.fastCriteria].map(({ command }) => command),
    claims: terms.claims,
    mustNots: terms.mustNot.map(({ command }) => command),
    protects: terms.protect,
  });
  if (shape !== "refused") return shape;
  if (isAttended) return "colleague";
  throw new BabysitterError("LOOP_SPEC_WEAK", `The task is not clear enough for unattended work (${score} of 10).`, {
    hint: `Answer in the task: ${questions.join(" ")} Or use --shape colleague to review every few iterations.`,
    details: { score, questions },
  });
}
