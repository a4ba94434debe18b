/** Goes on with a loop that another session may have worked on, with the limits that were given. */
import { resumeLoop } from "../../loop-runs/change-loop.js";
import { BabysitterError } from "../../model/errors.js";
import type { LoopLimits } from "../../model/loop-contract.js";
import type { Invocation } from "../grammar/invocation.js";
import { type ChosenLoop, giverOf, requirePerson } from "./choose-loop.js";
import { runName } from "./choose-run.js";
import { limitsFrom } from "./limit-options.js";

/** A session that ended a turn within this time is probably still there. */
const LIVELY_MS = 10 * 60_000;

/** False when it was under way already and nothing has changed. */
export async function continueLoop(
  invocation: Invocation,
  chosen: ChosenLoop,
  sessionId: string | undefined,
): Promise<boolean> {
  const limits = limitsFrom(invocation);
  const hasLimits = Object.keys(limits).length > 0;
  if (hasLimits) requirePerson(invocation, chosen, "Raising the limits of a loop");
  refuseReachedLimit(invocation, chosen, limits);
  if (sessionId !== undefined) refuseLively(invocation, chosen, sessionId);
  return resumeLoop(chosen.journal, { by: giverOf(invocation), ...(hasLimits ? { limits } : {}) });
}

/** Options that lift the limit which has paused a loop. */
const LIFTED_BY: Readonly<Record<string, { flag: string; limit: keyof LoopLimits }>> = {
  max_iterations_reached: { flag: "max-iterations", limit: "iterations" },
  budget_cost: { flag: "budget-usd", limit: "usd" },
  budget_tokens: { flag: "budget-tokens", limit: "tokens" },
  budget_time: { flag: "max-time", limit: "wallMs" },
};

/** It would be paused again at the end of the very next turn. */
function refuseReachedLimit(invocation: Invocation, { loop, journal }: ChosenLoop, given: Partial<LoopLimits>): void {
  const lifted = LIFTED_BY[loop.paused?.code ?? ""];
  if (lifted === undefined || given[lifted.limit] !== undefined) return;
  throw new BabysitterError("LIMIT_REACHED", loop.paused?.message ?? "A limit is reached.", {
    hint: `Say how far it may go now: babysitter loop:resume ${runName(invocation, journal)} --${lifted.flag} …`,
    details: { runId: journal.runId, limit: lifted.flag },
  });
}

/** Two sessions on one tree would undo each other's work. */
function refuseLively(invocation: Invocation, { journal, loop }: ChosenLoop, sessionId: string): void {
  const { session, paused, lastIterationAt } = loop;
  const { runId, ports } = journal;
  if (session === undefined || session.sessionId === sessionId || paused !== undefined) return;
  const age = ports.clock.now().getTime() - Date.parse(lastIterationAt);
  if (invocation.options.flag("take") || age > LIVELY_MS) return;
  throw new BabysitterError("SESSION_BOUND", `Run ${runId} is being worked on by session ${session.sessionId}.`, {
    hint: `Its last turn ended at ${lastIterationAt}. To have it here all the same: babysitter loop:resume ${runId} --take`,
    details: { runId, sessionId: session.sessionId },
  });
}
