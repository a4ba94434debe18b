/** Starts a loop on request: judges the task, makes the contract, and starts. */
import type { LoopTerms } from "../loop/formats/loop-terms.js";
import { DEFAULT_ITERATIONS } from "../loop/rules/make-contract.js";
import { type SpecScore, scoreSpec } from "../loop/rules/spec-rubric.js";
import { BabysitterError } from "../model/errors.js";
import { parseRunId } from "../model/ids.js";
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

export interface OrderedLoop {
  journal: RunJournal;
  warnings: string[];
  /** How clear the task is; undefined when its shape was given. */
  spec: SpecScore | undefined;
}

export async function orderLoop(machine: LoopMaker, order: LoopOrder): Promise<OrderedLoop> {
  const { goal, terms, runId, session, isAttended } = order;
  const spec = judgedSpec(goal, terms);
  const shape = shapeFor(spec, terms);
  // Mistakes in the command are told before the judgement of the task.
  if (runId !== undefined) parseRunId(runId);
  const { contract, warnings } = await machine.contract({ goal, terms, iterations: DEFAULT_ITERATIONS, shape });
  if (spec?.shape === "refused" && !isAttended) throw tooVague(spec);
  const { journal, notices } = await newLoop(machine, { contract, goal, iteration: 1, runId, session });
  return { journal, warnings: [...warnings, ...notices], spec };
}

/** Whoever names the shape has judged the task. */
function judgedSpec(goal: string, terms: LoopTerms): SpecScore | undefined {
  if (terms.shape !== undefined) return undefined;
  return scoreSpec(goal, {
    commands: [...terms.criteria, ...terms.fastCriteria].map(({ command }) => command),
    claims: terms.claims,
    mustNots: terms.mustNot.map(({ command }) => command),
    protects: terms.protect,
  });
}

/** A vague task is not begun where nobody can be asked about it. */
function tooVague({ score, questions }: SpecScore): BabysitterError {
  return new BabysitterError("LOOP_SPEC_WEAK", `The task is not clear enough for unattended work (${score} of 10).`, {
    hint: `Answer in the task: ${questions.join(" ")} Or skip this check: --shape tool, or --shape colleague for your review every few iterations.`,
    details: { score, questions },
  });
}

/** A list of steps is unattended work, so its shape follows from how clear it is. */
function shapeFor(spec: SpecScore | undefined, { steps }: LoopTerms): LoopShape | undefined {
  if (spec === undefined || steps.length === 0) return undefined;
  return spec.shape === "refused" ? "colleague" : spec.shape;
}
